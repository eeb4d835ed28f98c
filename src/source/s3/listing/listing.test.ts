import type { Socket } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { Fault, Quirks, S3Server } from "../../../../packages/s3-test-server/src/index.ts";
import {
  accessTo,
  BUCKET,
  closedAfterTest,
  localEgress,
  neverAborted,
  problemOf,
  sourceOfTest,
  startRawServer,
} from "../../../../tests/support/data-source/source.ts";
import type { ListedObject } from "../../source.ts";
import { S3Bucket } from "../s3-bucket.ts";
import { listPage, type S3ListingPosition } from "./listing.ts";

let server: S3Server;
let source: S3Bucket;

beforeEach(async () => {
  ({ server, source } = await sourceOfTest());
});

const quirk = (quirks: Quirks) => Object.assign(server.quirks, quirks);
const answer = (fault: Fault) => server.addFault({ match: { operation: "list" }, fault });
const page = (position?: S3ListingPosition) => listPage(source, { position, signal: neverAborted });

/** Reads every page, as if the process restarted between any two pages. */
async function listAll(prefix?: string): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for (let position: S3ListingPosition | undefined; ; ) {
    const { objects, next } = await listPage(source, { prefix, position, signal: neverAborted });
    all.push(...objects);
    if (next === undefined) return all;
    position = JSON.parse(JSON.stringify(next)) as S3ListingPosition;
  }
}

const requested = (operation: string) => server.history.filter((one) => one.operation === operation);
const keysOf = async (prefix?: string) => (await listAll(prefix)).map(({ key }) => key);

const oddKeys = [
  ...["../../etc/x", "..", ".", "./c", "a/../b", "/lead", "//two", "a//b", "dir/", "dir", "A", "a", " 007 ", " ", "\t"],
  ...["a+b", "a b", "a%2Fb", "%", "%41", "100%", "~!*'()", '&amp;<>"', "]]>", "cr\rlf\ncrlf\r\n", "é", "e\u0301"],
  ...["🌱/x", "\u{1F600}", "__proto__", "constructor", "true", "1e3", "\uFEFFbom", "\u007F", "ä".repeat(512)],
];
/** Keys that XML 1.0 can represent unescaped and whose line ends its readers do not change. */
const xmlKeys = oddKeys.filter((key) => !key.includes("\r"));

describe("a listing", () => {
  test("contains the server's data about every object", async () => {
    const lastModified = new Date("2026-01-02T03:04:05Z");
    const object = server.put(BUCKET, "k", "content", { lastModified, storageClass: "GLACIER" });
    const { objects, next, date } = await page();
    expect(objects).toEqual([
      { key: "k", bytes: 7, etag: object.etag, lastModified: "2026-01-02T03:04:05.000Z", storageClass: "GLACIER" },
    ]);
    expect(next).toBeUndefined();
    expect(Date.parse(date ?? "")).not.toBeNaN();
  });

  test("is empty only if the server states it", async () => {
    expect(await page()).toMatchObject({ objects: [], next: undefined });
  });

  test.each<[string, Quirks, string[]]>([
    ["as Amazon does", {}, oddKeys],
    ["with %20 for a space", { spaceAsPercent20: true }, oddKeys],
    ["without encoding", { ignoresEncodingType: true }, xmlKeys],
    ["with numeric references", { ignoresEncodingType: true, numericReferences: true }, xmlKeys],
    ["by the old API", { listV1Only: true }, oddKeys],
    ["by the old API, without NextMarker", { listV1Only: true, withoutNextMarker: true }, oddKeys],
    ["by the old API, without encoding", { listV1Only: true, ignoresEncodingType: true }, xmlKeys],
  ])("%s has every key exactly, page by page", async (_, quirks, keys) => {
    for (const key of keys) server.put(BUCKET, key, key);
    quirk({ ...quirks, pageLimit: 4 });
    const listed = await listAll();
    expect(listed.map(({ key }) => key)).toEqual(server.keys(BUCKET));
    expect(listed).toHaveLength(keys.length);
    for (const { key, bytes } of listed) expect(bytes).toBe(Buffer.byteLength(key));
    expect(requested("list").length).toBe(Math.ceil(keys.length / 4));
    // The heads of a few objects show how the server encodes names; Ceph's listings show it themselves.
    expect(requested("head").length).toBeLessThanOrEqual(quirks.spaceAsPercent20 ? 0 : 6);
  });

  test("is limited to a prefix by the server", async () => {
    for (const key of ["a", "b/1", "b/2", "b c/3", "c"]) server.put(BUCKET, key, "");
    expect(await keysOf("b/")).toEqual(["b/1", "b/2"]);
    expect(await keysOf("b c")).toEqual(["b c/3"]);
    expect(requested("list").every(({ query }) => query.prefix?.startsWith("b"))).toBe(true);
  });

  test("sends only GET requests and changes nothing", async () => {
    server.put(BUCKET, "k", "v");
    await listAll();
    expect(server.history.map(({ method, operation }) => [method, operation])).toEqual([["GET", "list"]]);
  });
});

describe("a listing that never ends", () => {
  beforeEach(() => {
    for (const key of ["a", "b", "c"]) server.put(BUCKET, key, "");
    quirk({ repeatsFirstPage: true, pageLimit: 2 });
  });

  test.each([{}, { listV1Only: true }, { listV1Only: true, withoutNextMarker: true }])(
    "%o is a loop",
    async (quirks) => {
      quirk(quirks);
      const problem = await problemOf(listAll());
      expect(problem.code).toBe("listing_loop");
      expect(server.history).toHaveLength(2);
    },
  );

  test("of empty pages is a loop", async () => {
    const body = listing("<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>");
    answer({ body, contentType: "application/xml" });
    const position = { api: 2 as const, after: "t", pages: 7, emptyPages: 1_000, mark: "" };
    expect((await problemOf(page(position))).code).toBe("listing_loop");
    expect((await page({ ...position, emptyPages: 3, mark: "" })).next).toMatchObject({ pages: 8, emptyPages: 4 });
  });
});

const listing = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</ListBucketResult>`;
const entry = "<Contents><Key>k</Key><Size>1</Size></Contents>";

describe("a response that is not a listing", () => {
  test.each([
    ["HTML", "<html><body><h1>It works!</h1></body></html>", "html"],
    ["HTML that is not XML", '<!doctype html><html><br><meta charset="utf-8">', "not XML"],
    ["nothing", "", "not XML"],
    ["JSON", '{"ListBucketResult": {}}', "not XML"],
    ["another document", "<ListAllMyBucketsResult/>", "ListAllMyBucketsResult"],
    ["binary data", Buffer.from([0xff, 0xfe, 0x00]), "not XML"],
  ])("(%s) does not come from an S3 server", async (_, body, named) => {
    answer({ body });
    const problem = await problemOf(page());
    expect([problem.code, problem.message]).toEqual(["not_s3", expect.stringContaining(named)]);
  });

  test.each([
    ["an error with status 200", "<Error><Code>AccessDenied</Code></Error>"],
    ["truncated", listing(entry).slice(0, -30)],
    ["truncated in a key", listing(entry).slice(0, 120)],
    ["more than one document", listing(entry) + listing(entry)],
    ["a DOCTYPE", `<!DOCTYPE x [<!ENTITY a "b">]>${listing(entry).replace(/<\?.*?\?>/, "")}`],
    ["an unknown entity", listing("<Contents><Key>&a;</Key><Size>1</Size></Contents>")],
    ["deep nesting", listing("<a>".repeat(50) + "</a>".repeat(50))],
    ["invalid UTF-8", Buffer.from(listing("<Contents><Key>\xff</Key><Size>1</Size></Contents>"), "latin1")],
    ["a forbidden character", listing("<Contents><Key>&#0;</Key><Size>1</Size></Contents>")],
    ["half a surrogate pair", listing("<Contents><Key>&#xD83C;</Key><Size>1</Size></Contents>")],
    [
      "a key that is not UTF-8",
      listing("<EncodingType>url</EncodingType><Contents><Key>%FF</Key><Size>1</Size></Contents>"),
    ],
    ["no key", listing("<Contents><Size>1</Size></Contents>")],
    ["an empty key", listing("<Contents><Key/><Size>1</Size></Contents>")],
    ["no size", listing("<Contents><Key>k</Key></Contents>")],
    ["a size that is not a number", listing("<Contents><Key>k</Key><Size>-1</Size></Contents>")],
    ["a size that is too large", listing("<Contents><Key>k</Key><Size>9999999999999999</Size></Contents>")],
    ["more pages, without a token", listing(`<IsTruncated>true</IsTruncated><KeyCount>1</KeyCount>${entry}`)],
    ["more pages, with an empty token", listing("<IsTruncated>true</IsTruncated><NextContinuationToken/>")],
    ["more pages, without a key for the marker", listing("<IsTruncated>true</IsTruncated>")],
    ["unclear whether more pages follow", listing(`<IsTruncated>perhaps</IsTruncated>${entry}`)],
    ["an empty IsTruncated", listing(`<IsTruncated/>${entry}`)],
  ])("(%s) is refused and does not count as empty", async (_, body) => {
    answer({ body, contentType: "application/xml" });
    const problem = await problemOf(page());
    expect(["listing_invalid", "not_s3"]).toContain(problem.code);
    // The reader stops before the root element of these.
    const early = /DOCTYPE|\ufffd/.test(String(body));
    if (!early) expect(problem.code).toBe("listing_invalid");
  });

  test("is not quoted in messages", async () => {
    answer({ body: `<html>${"secret-of-the-intranet ".repeat(10)}</html>` });
    expect((await problemOf(page())).message).not.toContain("intranet");
    answer({ status: 403, body: "<Error><Code>secret of the intranet</Code><Region>&lt;b&gt;</Region></Error>" });
    const problem = await problemOf(page());
    expect(JSON.stringify([problem.message, problem.extra])).not.toMatch(/intranet|<b>/);
  });
});

describe("a page of 400 MB", () => {
  /** Sends the head and then entries as long as the client reads them, at most 400 MB. Counts the bytes sent. */
  async function endless(chunk: Buffer): Promise<{ endpoint: string; sent: () => number }> {
    let sent = 0;
    const onConnection = (socket: Socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nConnection: close\r\n\r\n");
        socket.write("<ListBucketResult><IsTruncated>false</IsTruncated>");
        const more = () => {
          while (sent < 400e6 && !socket.destroyed) {
            sent += chunk.length;
            if (!socket.write(chunk)) return;
          }
          socket.end("</ListBucketResult>");
        };
        socket.on("drain", more);
        more();
      });
    };
    const { endpoint } = closedAfterTest(await startRawServer(onConnection));
    return { endpoint, sent: () => sent };
  }

  test.each([
    ["of entries", entry.repeat(2_000)],
    ["of one key", "x".repeat(64 * 1024)],
  ])("%s is refused early, with constant memory", async (_, text) => {
    const raw = await endless(Buffer.from(text));
    const egress = closedAfterTest(localEgress());
    const before = process.memoryUsage.rss();
    const problem = await problemOf(listPage(new S3Bucket(accessTo(raw), egress), { signal: neverAborted }));
    expect(problem.code).toBe("listing_invalid");
    expect(raw.sent()).toBeLessThan(100e6);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300e6);
  });
});

test("an interrupted response is a failed connection, not a short listing", async () => {
  for (let index = 0; index < 50; index++) server.put(BUCKET, `k${index}`, "");
  answer({ cutAfter: 600 });
  expect((await problemOf(page())).code).toBe("connection_reset");
});
