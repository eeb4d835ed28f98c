import { describe, expect, test } from "vitest";
import type { PutOptions, Quirks } from "../../../../packages/s3-test-server/src/index.ts";
import { BUCKET, neverAborted, sourceOfTest } from "../../../../tests/support/data-source/source.ts";
import { listPage } from "./listing.ts";
import { judgeNames } from "./name-encoding.ts";

describe("a page shows how it encodes its keys", () => {
  test.each<[string, string[], string, boolean, string, boolean]>([
    ["nothing to decode", ["a", "b/c"], "", true, "plus", true],
    ["stated, without plus signs", ["a%20b", "c%2Bd"], "", true, "plus", true],
    ["stated, with an encoded plus sign", ["a+b", "c%2Bd"], "", true, "plus", true],
    ["stated, with an encoded space", ["a+b", "c%20d"], "", true, "percent", true],
    ["stated, with a plus sign only", ["a+b"], "", true, "plus", false],
    ["stated, with an encoded space and an encoded plus sign", ["a+b", "c%20d", "e%2Bf"], "", true, "plus", false],
    ["stated, but with a space", ["a b", "c%20d"], "", true, "plus", false],
    ["stated, but not decodable", ["100%"], "", true, "none", false],
    ["stated, and equal when decoded as Amazon", ["a+b", "a%20b"], "", true, "percent", true],
    ["stated, with a prefix that only one decoding has", ["a+b/c"], "a+b/", true, "percent", false],
    ["not stated, with a space", ["a b", "c%20d"], "", false, "none", true],
    ["not stated, with a percent sign", ["100%", "c%20d"], "", false, "none", true],
    ["not stated, and not UTF-8 when decoded", ["%FF"], "", false, "none", true],
    ["not stated, with a prefix that shows it", ["a%20b/c"], "a b/", false, "percent", false],
    ["not stated, and nothing shows it", ["c%20d"], "", false, "none", false],
    ["not stated, with a plus sign", ["a+b"], "", false, "none", false],
  ])("%s", (_, keys, prefix, isStated, first, isCertain) => {
    const evidence = judgeNames(keys, prefix, isStated);
    expect([evidence.possible[0], evidence.isCertain]).toEqual([first, isCertain]);
  });
});

const names = ["plain.csv", "a b.csv", "a+b.csv", "50%25.csv", "ä%20ö.csv"];
/** Sets of names that one page contains. */
const pages = [names, ["a b.csv"], ["a+b.csv"], ["a b.csv", "a+b.csv"], ["ä%20ö.csv", "a b.csv"]];
const encoders: [string, Quirks][] = [
  ["as Amazon", {}],
  ["as Ceph", { spaceAsPercent20: true }],
  ["with another spelling of the element", { encodingTypeElement: "Encoding-Type" }],
  ["with the element in small letters", { encodingTypeElement: "encodingtype" }],
  ["without the element", { omitsEncodingType: true }],
  ["without the element, a space as %20", { omitsEncodingType: true, spaceAsPercent20: true }],
  ["without the element, a plus sign not encoded", { omitsEncodingType: true, plusUnencoded: true }],
  ["a plus sign not encoded", { plusUnencoded: true }],
  ["not at all, without the element", { ignoresEncodingType: true }],
  ["not at all, with the element", { statesEncodingOnly: true }],
];

test.each(encoders)(
  "a server that encodes keys %s: each page has exactly the keys of the objects",
  async (_, quirks) => {
    for (const keys of pages) {
      const { server, source } = await sourceOfTest({ quirks });
      for (const key of keys) server.put(BUCKET, key, `content of ${key}`);
      const { objects, unprovenKey } = await listPage(source, { signal: neverAborted });
      expect(objects.map(({ key }) => key).sort(), keys.join()).toEqual(keys.toSorted());
      expect(unprovenKey).toBeUndefined();
      const heads = server.history.filter(({ operation }) => operation === "head").length;
      expect(heads, keys.join()).toBeLessThanOrEqual(6);
    }
  },
);

test("twins of equal content do not decide; another name does", async () => {
  const { server, source } = await sourceOfTest({ quirks: { omitsEncodingType: true, plusUnencoded: true } });
  server.quirks.pageLimit = 1;
  for (const key of ["a b", "a+b", "c d"]) server.put(BUCKET, key, "the same");
  const first = await listPage(source, { signal: neverAborted });
  expect([first.objects.map(({ key }) => key), first.unprovenKey]).toEqual([["a b"], undefined]);
});

test("names that no object proves are reported", async () => {
  const { server, source } = await sourceOfTest({ quirks: { omitsEncodingType: true } });
  const put = (key: string, options: PutOptions = {}) => server.put(BUCKET, key, "x", options);
  put("a b");
  server.addFault({ match: { operation: "head" }, fault: { status: 403, code: "AccessDenied" } });
  server.addFault({ match: { operation: "get" }, fault: { status: 403, code: "AccessDenied" } });
  const page = await listPage(source, { signal: neverAborted });
  expect(page.unprovenKey).toBe("a+b");
});
