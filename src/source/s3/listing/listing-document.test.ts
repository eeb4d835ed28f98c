import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Fault, S3Server } from "../../../../packages/s3-test-server/src/index.ts";
import {
  accessTo,
  BUCKET,
  closedAfterTest,
  localEgress,
  neverAborted,
  openSource,
  problemOf,
} from "../../../../tests/support/data-source/source.ts";
import { S3Bucket } from "../s3-bucket.ts";
import { listPage, type S3ListingPosition } from "./listing.ts";

let server: S3Server;
let source: S3Bucket;

beforeAll(async () => {
  const opened = await openSource();
  ({ server, source } = opened);
  return opened.close;
});
afterEach(() => server.clearFaults());

const answer = (fault: Fault) =>
  server.addFault({ match: { operation: "list" }, fault: { contentType: "application/xml", ...fault } });
const root = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</ListBucketResult>`;
const row = (key: string, more = "") => `<Contents><Key>${key}</Key><Size>1</Size>${more}</Contents>`;

const HEAD = `<Name>${BUCKET}</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>`;
const END = "<IsTruncated>false</IsTruncated>";
const MORE = "<IsTruncated>true</IsTruncated>";
const TOKEN = "<NextContinuationToken>t2</NextContinuationToken>";
const COUNT = "<KeyCount>2</KeyCount>";
const ROWS = row("a") + row("b");
/** A page of two keys, the last one. */
const page = ({ head = HEAD, end = END, count = COUNT, rows = ROWS, more = "" } = {}) =>
  root(head + count + end + rows + more);

/** Pages that only a faulty server sends: a description, the page, and the words that name the fault. */
const contradictory: [string, string, RegExp][] = [
  ["the end, and a marker for another page", page({ more: "<NextMarker>b</NextMarker>" }), /but there is/],
  ["IsTruncated twice, false last", page({ end: MORE + TOKEN + END }), /IsTruncated.*twice/],
  ["IsTruncated twice, true last", page({ end: END + MORE + TOKEN }), /IsTruncated.*twice/],
  ["IsTruncated before and after the rows", page({ end: END, more: MORE + TOKEN }), /IsTruncated.*twice/],
  ["no IsTruncated", page({ end: "" }), /neither true nor false/],
  ["no IsTruncated, but a token", page({ end: TOKEN }), /neither true nor false/],
  ["no IsTruncated, but a marker", page({ end: "<NextMarker>b</NextMarker>" }), /neither true nor false/],
  ...[
    ..."1,0,yes,no,t,f,perhaps,null,truefalse,false;,wahr,-1".split(","),
    ...["false\u00A0", "\u200Bfalse", "ｆａｌｓｅ", "", " "],
  ].map((said): [string, string, RegExp] => [
    `IsTruncated ${JSON.stringify(said)}`,
    page({ end: `<IsTruncated>${said}</IsTruncated>` }),
    /neither true nor false/,
  ]),
  ["IsTruncated that holds elements", page({ end: "<IsTruncated><b>true</b>false</IsTruncated>" }), /elements/],
  ["IsTruncated in small letters beside it", page({ more: `<istruncated>true</istruncated>` }), /istruncated/],
  ["IsTruncated of another namespace", page({ more: `<s:IsTruncated xmlns:s="urn:s">true</s:IsTruncated>` }), /s:IsT/],
  ["IsTruncated in an entry", page({ rows: row("a", MORE) + row("b") }), /IsTruncated.*position/],
  ["IsTruncated in an unknown element", page({ more: `<Page>${MORE}</Page>` }), /IsTruncated.*position/],
  ["a token in small letters", page({ more: "<nextcontinuationtoken>t</nextcontinuationtoken>" }), /nextcont/],
  ["a token in an unknown element", page({ more: `<Next>${TOKEN}</Next>` }), /NextContinuationToken.*position/],
  ["two tokens", page({ end: MORE + TOKEN + TOKEN.replace("t2", "t3") }), /NextContinuationToken.*twice/],
  ["an empty token and another one", page({ end: `${MORE}<NextContinuationToken/>${TOKEN}` }), /twice/],
  ["two markers", page({ end: `${MORE}<NextMarker>a</NextMarker><NextMarker>b</NextMarker>`, count: "" }), /twice/],
  ["more, and an empty token", page({ end: `${MORE}<NextContinuationToken/>` }), /but there is no/],
  ["more, and no token", page({ end: MORE }), /but there is no/],
  ["more, and neither rows nor a token", root(HEAD + MORE), /but there is no/],
  ["more, and a token of 9,000 bytes", page({ end: MORE + TOKEN.replace("t2", "t".repeat(9_000)) }), /longer/],
  ["fewer rows than KeyCount", page({ count: "<KeyCount>3</KeyCount>" }), /KeyCount/],
  ["no rows, but a KeyCount", page({ rows: "" }), /KeyCount/],
  ["another prefix", page({ head: HEAD.replace("<Prefix></Prefix>", "<Prefix>a</Prefix>") }), /Prefix/],
  ["a MaxKeys of zero", page({ head: HEAD.replace("1000", "0"), rows: "", count: "" }), /MaxKeys/],
  ["a delimiter that was not requested", page({ more: "<Delimiter>/</Delimiter>" }), /Delimiter/],
  ["a start that was not requested", page({ more: "<StartAfter>a</StartAfter>" }), /StartAfter/],
  ["a marker that was not sent", page({ more: "<Marker>a</Marker>" }), /Marker/],
  ["a token that was not sent", page({ more: "<ContinuationToken>t</ContinuationToken>" }), /ContinuationToken/],
  ["grouped keys", page({ more: "<CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes>" }), /groups/],
  ["grouped keys without a name", page({ more: "<CommonPrefixes><Prefix/></CommonPrefixes>" }), /groups/],
  ["grouped keys as text", page({ more: "<CommonPrefixes>c/</CommonPrefixes>" }), /groups/],
  ["another encoding", page({ head: HEAD.replace(">url<", ">base64<") }), /EncodingType/],
  ["an encoding in capitals", page({ head: HEAD.replace(">url<", ">URL<") }), /EncodingType/],
  ["two other buckets", page({ head: `${HEAD}<Name>another-bucket</Name>` }), /Name.*twice/],
  ["two other dates in an entry", page({ rows: row("a", "<LastModified>1</LastModified><LastModified/>") }), /LastM/],
  ["a key that is half encoded", page({ rows: row("a") + row("%4") }), /not URL-encoded/],
  ["a key that is wrongly encoded", page({ rows: row("a") + row("100%zz") }), /not URL-encoded/],
  ["a key that is not UTF-8", page({ rows: row("a") + row("%FF") }), /not UTF-8/],
  ["a key twice in an entry", page({ rows: row("a", "<Key>b</Key>") + row("c") }), /Key.*twice/],
  ["a size twice in an entry", page({ rows: row("a", "<Size>2</Size>") + row("c") }), /Size.*twice/],
  ["two ETags in an entry", page({ rows: row("a", "<ETag>1</ETag><ETag>2</ETag>") + row("b") }), /ETag.*twice/],
  ["an ETag of 2,000 bytes", page({ rows: row("a", `<ETag>${"e".repeat(2_000)}</ETag>`) + row("b") }), /longer/],
  ["a class of 2,000 bytes", page({ rows: row("a", `<StorageClass>${"e".repeat(2_000)}</StorageClass>`) }), /longer/],
  ["an entry without a key", page({ rows: `${row("a")}<Contents><Size>1</Size></Contents>` }), /no key/],
  ["an empty entry", page({ rows: `${row("a")}<Contents/>` }), /no key/],
  ["an entry with an empty key", page({ rows: row("a") + row("") }), /no key/],
  ["an entry without a size", page({ rows: `${row("a")}<Contents><Key>b</Key></Contents>` }), /no size/],
  ...["-1", "+1", "1.0", "1e3", "0x10", "1\u00A0", "1,000", "٣", "NaN", "", "9".repeat(16), "9".repeat(400)].map(
    (size): [string, string, RegExp] => [
      `the size ${JSON.stringify(size.slice(0, 20))}`,
      page({ rows: `${row("a")}<Contents><Key>b</Key><Size>${size}</Size></Contents>` }),
      /size|longer/,
    ],
  ),
  ["a key that holds elements", page({ rows: row("a") + row("b<i>c</i>d") }), /elements/],
  ["a size that holds elements", page({ rows: row("a", "").replace("<Size>1", "<Size><i/>1") + row("b") }), /elements/],
  ["an entry within an entry", page({ rows: row("a", row("b")) }), /Contents.*position/],
  ["an entry within an unknown element", page({ more: `<Page>${row("c")}</Page>` }), /Contents.*position/],
  ["an entry in small letters", page({ more: row("c").replaceAll("Contents", "contents") }), /contents/],
  ["an entry of another namespace", page({ more: row("c").replaceAll("Contents", "x:Contents") }), /x:Contents|XML/],
  ["an object under another name", page({ more: row("c").replaceAll("Contents", "Version") }), /Key.*position/],
  ["an object that was deleted", page({ more: "<DeleteMarker><Key>c</Key></DeleteMarker>" }), /Key.*position/],
  ["a key outside of an entry", page({ more: "<Key>c</Key>" }), /Key.*position/],
  ["a key in small letters", page({ rows: row("a", "<key>b</key>") + row("b") }), /key/],
  ["a size in small letters", page({ rows: row("a", "<size>2</size>") + row("b") }), /size/],
  [
    "a listing within the listing",
    page({ more: `<ListBucketResult>${END}${row("c")}</ListBucketResult>` }),
    /position/,
  ],
  ["a listing within an entry", page({ rows: row("a", `<ListBucketResult/>`) + row("b") }), /position/],
  ["text between the elements", page({ more: "and a million others" }), /text/],
  ["text before the first element", root(`x${HEAD}${END}`), /text/],
  ["text in an entry", page({ rows: row("a", "b") + row("b") }), /text/],
  ["entries as text", page({ more: `<![CDATA[${row("c")}]]>` }), /text/],
  ["the same key with another size", page({ rows: row("a") + row("a").replace(">1<", ">2<") }), /two different/],
  [
    "the same key with another ETag",
    page({ rows: row("a", "<ETag>1</ETag>") + row("a", "<ETag>2</ETag>") }),
    /two diff/,
  ],
  ["a different encoding of the document", page().replace("UTF-8", "ISO-8859-1"), /XML/],
  ["another document after it", page() + page(), /XML/],
  ["text after it", `${page()}and more`, /XML/],
  ["NUL after it", `${page()}\0`, /XML/],
  ["a missing end tag", page().slice(0, -3), /XML/],
  ["a wrong end tag", page().replace("</ListBucketResult>", "</ListBucketResults>"), /XML/],
];

/**
 * Pages that some server sends for good reasons, or that hide nothing: a description, the page, its number of objects,
 * and whether more pages follow.
 */
const sound: [string, string, number, boolean][] = [
  ["as Amazon writes it", page(), 2, false],
  ["with more pages", page({ end: MORE + TOKEN }), 2, true],
  ["without objects", root(HEAD + END), 0, false],
  ["without objects, with more pages", page({ end: MORE + TOKEN, rows: "", count: "<KeyCount>0</KeyCount>" }), 0, true],
  ["without KeyCount", page({ count: "" }), 2, false],
  ["with a KeyCount below its number of keys", page({ count: "<KeyCount>1</KeyCount>" }), 2, false],
  ["with a KeyCount that is not a number", page({ count: "<KeyCount>two</KeyCount>" }), 2, false],
  ["with an empty KeyCount", page({ count: "<KeyCount/>" }), 2, false],
  ["with a MaxKeys that is not a number", page({ head: HEAD.replace("1000", "all") }), 2, false],
  ["with the name of the backend’s bucket", page({ head: HEAD.replace(BUCKET, "another-bucket") }), 2, false],
  ["with repeated values", page({ head: HEAD + HEAD, count: COUNT + COUNT, end: END + END }), 2, false],
  ["with repeated values in an entry", page({ rows: row("a", "<Size>1</Size><ETag/><ETag/>") + row("b") }), 2, false],
  ["at its end, with a token for another page", page({ more: TOKEN }), 2, true],
  ["at its end, with a token of one space", page({ more: TOKEN.replace("t2", " ") }), 2, false],
  ["at its end, with a marker for another page", page({ more: "<NextMarker>b</NextMarker>", count: "" }), 2, true],
  ["after its end, with a token", page({ rows: "", count: "", more: TOKEN }), 0, false],
  ["with white space in values", page({ end: "<IsTruncated>\n False </IsTruncated>" }), 2, false],
  ["with white space in a size", page({ rows: row("a").replace(">1<", "> 1\n<") + row("b") }), 2, false],
  ["with IsTruncated in capitals", page({ end: `<IsTruncated>TRUE</IsTruncated>${TOKEN}` }), 2, true],
  [
    "with a prefix for the namespace of its elements",
    page()
      .replaceAll(/<(\/?)(?=[A-Z])/g, "<$1ns2:")
      .replace("xmlns=", "xmlns:ns2="),
    2,
    false,
  ],
  ["without any echo", root(END + ROWS), 2, false],
  ["with empty echoes", root(`<Name/><Prefix/><Delimiter/><StartAfter/><Marker/>${END}${ROWS}`), 2, false],
  ["with an empty token at its end", page({ more: "<NextContinuationToken/><NextMarker></NextMarker>" }), 2, false],
  ["with an empty group", page({ more: "<CommonPrefixes/>" }), 2, false],
  ["without EncodingType", page({ head: HEAD.replace(/<Enc.*Type>/, "") }), 2, false],
  ["with an empty EncodingType", page({ head: HEAD.replace(">url<", "><") }), 2, false],
  ["with a smaller MaxKeys", page({ head: HEAD.replace("1000", "2") }), 2, false],
  ["with a greater MaxKeys", page({ head: HEAD.replace("1000", "2147483647") }), 2, false],
  ["in no namespace", page().replace(/ xmlns="[^"]*"/, ""), 2, false],
  ["in the namespace of another vendor", page().replace(/xmlns="[^"]*"/, 'xmlns="http://doc.example.com"'), 2, false],
  [
    "with vendor-specific elements",
    page({ more: "<Tenant>t</Tenant><AllowUnordered>false</AllowUnordered>" }),
    2,
    false,
  ],
  [
    "with owners, algorithms and restores",
    page({
      rows: ROWS.replace(
        "</Contents>",
        "<Owner><ID>i</ID><DisplayName>n</DisplayName></Owner><ChecksumAlgorithm>CRC32</ChecksumAlgorithm>" +
          "<ChecksumAlgorithm>SHA256</ChecksumAlgorithm><RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress></RestoreStatus></Contents>",
      ),
    }),
    2,
    false,
  ],
  [
    "with object metadata named key",
    page({ rows: row("a", "<UserMetadata><Key>x</Key></UserMetadata>") + row("b") }),
    2,
    false,
  ],
  [
    "on many lines",
    page()
      .replaceAll("><", ">\r\n  <")
      .replaceAll(/<(Prefix)>\s+<\//g, "<$1></"),
    2,
    false,
  ],
  ["with comments and instructions", page({ more: "<!-- true --><?next true?>" }), 2, false],
  ["with a comment in a value", page({ end: "<IsTruncated>fa<!-- -->lse</IsTruncated>" }), 2, false],
  ["with a value as CDATA", page({ end: "<IsTruncated><![CDATA[false]]></IsTruncated>" }), 2, false],
  ["without an order", page({ rows: row("b") + row("a") }), 2, false],
  ["with the same entry twice", page({ rows: row("a") + row("a") }), 1, false],
  ["with entries before its head", root(ROWS + HEAD + COUNT + END), 2, false],
];

const list = (more: { prefix?: string | undefined; position?: S3ListingPosition | undefined } = {}) =>
  listPage(source, { ...more, signal: neverAborted });
/** The position after a first page, whose token was this one. */
const positionAfter = (token: string) => ({ api: 2 as const, after: token, pages: 1, emptyPages: 0, mark: token });

async function expectRefusal(words: RegExp | string, fault: Fault, prefix?: string): Promise<void> {
  answer(fault);
  const { code, message } = await problemOf(list({ prefix }));
  expect([code, message]).toEqual(["listing_invalid", expect.stringMatching(words)]);
}

describe("a listing that may hide objects is refused:", () => {
  test.each(contradictory)("%s", (_, body, words) => expectRefusal(words, { body }));

  test.each([201, 202, 203, 204, 206, 207, 226, 299])("status %i", (status) =>
    expectRefusal(`${status}`, { body: page(), status }),
  );

  test.each<[string, string]>([
    ["before it", row("a0")],
    ["behind it", row("c")],
    ["in other letters", row("B/1")],
    ["without its slash", row("b")],
  ])("a key that does not begin with the prefix, %s", async (_, other) => {
    const head = HEAD.replace("<Prefix></Prefix>", "<Prefix>b/</Prefix>");
    await expectRefusal("begin with", { body: page({ head, rows: row("b/0") + other }) }, "b/");
  });

  test("a response to a different token than the one that was sent", async () => {
    const position = positionAfter("t2");
    answer({ body: page({ more: "<ContinuationToken>t1</ContinuationToken>" }) });
    expect((await problemOf(list({ position }))).code).toBe("listing_invalid");
    server.clearFaults();
    answer({ body: page({ more: "<ContinuationToken>t2</ContinuationToken>" }) });
    expect((await list({ position })).objects).toHaveLength(2);
  });

  test("a later page that repeats its token without padding, or names the key at which it resumes", async () => {
    const position = positionAfter("dDI==");
    answer({ body: page({ more: "<ContinuationToken>dDI</ContinuationToken>" }) });
    expect((await list({ position })).objects).toHaveLength(2);
    server.clearFaults();
    answer({ body: page({ more: "<StartAfter>Z</StartAfter><Marker>Z</Marker>" }) });
    expect((await list({ position })).objects).toHaveLength(2);
  });

  test("a page for a shorter prefix, which contains all requested keys", async () => {
    answer({
      body: page({ head: HEAD.replace("<Prefix></Prefix>", "<Prefix>b</Prefix>"), rows: row("b/0") + row("b/1") }),
    });
    expect((await list({ prefix: "b/" })).objects).toHaveLength(2);
  });

  test("a later page that does not repeat its token", async () => {
    const position = positionAfter("t2");
    answer({ body: page({ end: MORE, count: "" }) });
    expect((await problemOf(list({ position }))).code).toBe("listing_invalid");
  });

  test("by the old API, without an order and without a marker for the next page", async () => {
    await expectRefusal("order", { body: page({ end: MORE, count: "", rows: row("b") + row("a") }) });
  });

  test("pages that are repeated with new tokens", async () => {
    let token = 0;
    const rows = [row("a") + row("b"), row("c") + row("d"), row("e") + row("f")];
    answer({
      rewrite: (reply) => {
        const next = `<NextContinuationToken>${++token}</NextContinuationToken>`;
        reply.body = Buffer.from(page({ end: MORE + next, rows: rows[token % 3] ?? "" }));
        reply.status = 200;
        reply.headers["content-length"] = String(reply.body.length);
      },
    });
    const all = async () => {
      for (let position: S3ListingPosition | undefined; ; ) {
        position = (await list({ position })).next;
        if (token > 50) throw new Error("The listing does not end");
      }
    };
    expect((await problemOf(all())).code).toBe("listing_loop");
  });
});

describe("a listing is read as it is", () => {
  test.each(sound)("%s", async (_, body, count, more) => {
    answer({ body });
    const { objects, next } = await list();
    expect([objects.length, next !== undefined]).toEqual([count, more]);
  });

  test("for a bucket’s alias, which is answered with the name of the bucket", async () => {
    const egress = closedAfterTest(localEgress());
    const alias = "ours-1a2b3c-s3alias";
    server.createBucket(alias);
    answer({ body: page() });
    const bucket = new S3Bucket(accessTo(server, { bucket: alias }), egress);
    expect((await listPage(bucket, { signal: neverAborted })).objects).toHaveLength(2);
  });

  test("with an echo that is encoded, and one that is not", async () => {
    for (const said of ["a+b%2F%25", "a b/%"]) {
      answer({
        body: page({
          head: HEAD.replace("<Prefix></Prefix>", `<Prefix>${said}</Prefix>`),
          rows: row("a+b%2F%25c"),
          count: "",
        }),
      });
      expect((await listPage(source, { prefix: "a b/%", signal: neverAborted })).objects).toHaveLength(1);
      server.clearFaults();
    }
  });
});

describe("a key that is longer than S3 allows is named:", () => {
  test.each([
    ["1,025 bytes", "k".repeat(1_025)],
    ["with two bytes for each letter", "ä".repeat(513)],
    ["3,000 bytes", "x7".repeat(1_500)],
    ["a megabyte", "k".repeat(1_000_000)],
  ])("%s", async (_, key) => {
    answer({ body: page({ rows: row("a") + row(encodeURIComponent(key)) }) });
    const problem = await problemOf(list());
    expect([problem.code, problem.message.length]).toEqual(["key_too_long", expect.any(Number)]);
    expect(problem.message).toContain(key.slice(0, 50));
    expect(problem.message.length).toBeLessThan(500);
  });

  test("1,024 bytes are allowed", async () => {
    answer({ body: page({ rows: row("k".repeat(1_024)) + row(encodeURIComponent("ä".repeat(512))) }) });
    expect((await list()).objects).toHaveLength(2);
  });
});
