import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { unescaped } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

/** Names that are hard to search for, each with words that find this file alone. */
const FOUND: [words: string, key: string][] = [
  ["ÄHRE", "plots/\u00e4hre und halm.csv"],
  ["groesse ß", "plots/groesse-ß.csv"],
  ["PLOTS halm", "plots/\u00e4hre und halm.csv"],
  ["50%_", "share/50%_of.txt"],
  ["a.b*", "regular/a.b*[c](d)$^|+?.txt"],
  ["[c](d)", "regular/a.b*[c](d)$^|+?.txt"],
  ["$^|+?", "regular/a.b*[c](d)$^|+?.txt"],
  ["\\d", "back\\d.txt"],
  ['"quoted"', 'say "quoted" twice.txt'],
  ["\u{1F33E}", "emoji \u{1F33E}.txt"],
  ["line\u2028", "line\u2028separator.txt"],
  ["odd/%2F", "odd//key"],
  ["b:1", "members/b:1,s:1"],
  // As comments, manifests and packages name it.
  ["data/members/b:1", "members/b:1,s:1"],
  // As macOS writes it, and as others do.
  ["fe\u0301e", "composed/f\u00e9e.txt"],
  ["f\u00fcr", "decomposed/fu\u0308r.txt"],
  // As those write it who have no such keys, and as the catalogue finds it.
  ["ahre halm", "plots/\u00e4hre und halm.csv"],
  ["AEHRE", "plots/\u00e4hre und halm.csv"],
  ["fuer", "decomposed/fu\u0308r.txt"],
  ["fee", "composed/f\u00e9e.txt"],
  ["grösse", "plots/groesse-ß.csv"],
  ["strasse", "de/Straße.txt"],
];

const OTHERS = { "README.md": "# Wheat", ".b/.c": "hidden", "p.csv": "p", k: "k", "ab.txt": "1", '{"k":"x': "2" };

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const files = Object.fromEntries(FOUND.map(([, key]) => [key, key]));
  one = await publishAs(service, s3, { files: { ...files, ...OTHERS } });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

interface Result {
  status: number;
  html: string;
  names: string[];
  next: string | undefined;
}

async function open(address: string): Promise<Result> {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  const html = await answer.text();
  const names = [...html.matchAll(/<tr><td class="name"><a [^>]+>([^<]+)<\/a>/g)].map(([, name = ""]) =>
    unescaped(name),
  );
  const next = /<a href="([^"]+)">More files<\/a>/.exec(html)?.[1];
  return { status: answer.status, html, names, next: next && unescaped(next) };
}
const found = (find: string, dataset = one.dataset) =>
  open(`${service.url}/dataset/${dataset}?${new URLSearchParams({ find })}`);

describe("a search in the files of a landing page", () => {
  test.each(FOUND)("finds %j as %j", async (words, key) => {
    const { status, html, names } = await found(words);
    expect(status).toBe(200);
    expect(html).toContain("1 file found.");
    expect(names).toEqual([key === "odd//key" ? expect.stringContaining("%2F") : key]);
  });

  test.each([["csv"], ["b"], ["k"], ["s:1"], ["txt plots"], ["sha512"], ["."], ["Ä"], ["ä"], ["\0"], ["%keys"]])(
    "finds for %j the files whose paths contain each word, and nothing by what else is recorded of them",
    async (words) => {
      const { json } = await service.api.get(`/dataset/${one.dataset}/files?prefix=data/&limit=1000`);
      const paths = json.map(({ path }: { path: string }) => path.slice("data/".length));
      const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      const wanted = plain(words).split(" ");
      const expected = paths.filter((path: string) => wanted.every((word) => plain(path).includes(word)));
      expect((await found(words)).names.toSorted()).toEqual(expected.toSorted());
    },
  );

  test("is a form that needs no scripts, keeps the version and the language, and says that nothing was found", async () => {
    const page = await open(`${service.url}/dataset/${one.dataset}?version=1&lang=de`);
    const [, form = ""] = /<form class="find[^>]*action="([^"]+)"/.exec(page.html) ?? [];
    expect(new URL(form, service.url).pathname).toBe(`/dataset/${one.dataset}`);
    expect(page.html).toContain('<input type="hidden" name="lang" value="de">');
    const nothing = await found("no such name");
    expect(nothing.html).toContain("0 files found.");
    expect(nothing.html).toContain('<meta name="robots" content="noindex">');
    expect(nothing.html).toContain('name="find" value="no such name"');
    expect((await found("   ")).html).not.toContain("files found.");
    const hostile = '"><script>alert(1)</script>';
    expect((await found(hostile)).html).not.toContain("<script>alert");
    expect((await found("x".repeat(1_001))).status).toBe(422);
    expect((await found("a ".repeat(10))).status).toBe(200);
    const many = await found("a ".repeat(11));
    expect([many.status, many.html]).toEqual([422, expect.stringContaining("At most 10 words")]);
  });

  test("continues on further pages, without a loss or a duplicate", async () => {
    const count = 250;
    const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n % 7}/plot ${n}.csv`, "1"]));
    const many = await publishAs(service, s3, { files: { ...files, "other.txt": "2" } });
    const first = await found("PLOT", many.dataset);
    expect(first.html).toContain("More files were found than fit on this page.");
    const names = [...first.names];
    for (let { next } = first; next !== undefined; ) {
      const page = await open(next);
      expect(page.html).toContain(">First files</a>");
      names.push(...page.names);
      next = page.next;
    }
    expect(names.toSorted()).toEqual(Object.keys(files).toSorted());
  });

  test("finds the beginning of a path among more files than all are looked at", { tags: "extended" }, async () => {
    const count = 100_001;
    const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n % 500}/plot ${n}.csv`, ""]));
    const large = await publishAs(service, s3, { files });
    const begun = await found("499/plot", large.dataset);
    expect(begun.html).toContain('placeholder="Beginning of the path"');
    const names = [...begun.names];
    for (let { next } = begun; next !== undefined; ) {
      const page = await open(next);
      names.push(...page.names);
      next = page.next;
    }
    const expected = Object.keys(files).filter((key) => key.startsWith("499/plot"));
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect((await found("data/7/plot 7.csv", large.dataset)).names).toEqual(["7/plot 7.csv"]);
    expect((await found("plot 7.csv", large.dataset)).html).toContain("0 files found.");
  });

  test("shows nothing of closed files", async () => {
    const closed = await publishAs(service, s3, {
      files: { "secret-name.csv": "1" },
      request: { access: "restricted", reason: "Personal data" },
    });
    const { status, html } = await found("secret", closed.dataset);
    expect(status).toBe(200);
    expect(html).not.toContain("secret-name");
    expect(html).not.toContain("file found");
  });
});
