import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { PutOptions, Quirks, S3Server } from "../../../packages/s3-test-server/src/index.ts";
import {
  accessTo,
  closedAfterTest,
  localEgress,
  neverAborted,
  problemOf,
  putListed,
  sourceOfTest,
} from "../../../tests/support/data-source/source.ts";
import { Buffers, Memory } from "../reading/read-buffers.ts";
import type { ListedObject } from "../source.ts";
import { diagnose } from "./diagnosis/diagnose.ts";
import { listPage } from "./listing/listing.ts";
import { pagesFrom } from "./listing/pages.ts";
import { AdaptiveConcurrency } from "./reading/adaptive-concurrency.ts";
import { readObject } from "./reading/read-object.ts";
import type { S3Bucket } from "./s3-bucket.ts";

const content = Buffer.from("0123456789".repeat(500));

const put = (server: S3Server, key: string, options: PutOptions = {}, bytes = content) =>
  putListed(server, key, bytes, options);

/** @param rangeBytes larger objects are read in ranges */
async function read(source: S3Bucket, object: ListedObject, rangeBytes?: number) {
  const memory = new Memory(new Buffers());
  const reading = { source, object, signal: neverAborted, pace: new AdaptiveConcurrency(8), owner: "test" };
  const result = await readObject(reading, memory, rangeBytes);
  return { ...result, bytes: memory.bytes };
}

async function readStep(server: S3Server) {
  const { report } = await diagnose(accessTo(server), closedAfterTest(localEgress()), { signal: neverAborted });
  return { report, read: report.steps.find(({ name }) => name === "read") };
}

describe("a server that refuses an optional part of requests", () => {
  test.each<[string, Quirks, string]>([
    ["x-amz-checksum-mode with 501", { refusedParts: ["x-amz-checksum-mode"] }, "x-amz-checksum-mode"],
    [
      "x-amz-checksum-mode with 400",
      { refusedParts: ["x-amz-checksum-mode"], refusedStatus: 400, refusedCode: "InvalidRequest" },
      "x-amz-checksum-mode",
    ],
    [
      "x-amz-checksum-mode with 403",
      { refusedParts: ["x-amz-checksum-mode"], refusedStatus: 403, refusedCode: "AccessDenied" },
      "x-amz-checksum-mode",
    ],
    [
      "a signed header that a proxy removes",
      { refusedParts: ["x-amz-checksum-mode"], refusedStatus: 403, refusedCode: "SignatureDoesNotMatch" },
      "x-amz-checksum-mode",
    ],
    ["If-Match with 501", { refusedParts: ["if-match"] }, "if-match"],
    ["both headers", { refusedParts: ["if-match", "x-amz-checksum-mode"] }, "x-amz-checksum-mode, if-match"],
    ["If-Match with 412", { ifMatchNeverMatches: true }, "if-match"],
    ["encoding-type", { refusedParts: ["encoding-type"], refusedStatus: 400, refusedCode: "InvalidArgument" }, ""],
    ["max-keys", { refusedParts: ["max-keys"] }, ""],
    ["list-type", { refusedParts: ["list-type"], refusedStatus: 400, refusedCode: "InvalidArgument" }, ""],
  ])("%s is asked without it, and the check says what is lost", async (_, quirks, parts) => {
    const { server } = await sourceOfTest({ quirks });
    put(server, "k.csv");
    const { report, read: step } = await readStep(server);
    expect([report.ok, report.message]).toEqual([true, "Connection successful"]);
    expect([step?.status, step?.values.parts ?? ""]).toEqual([parts === "" ? "passed" : "warning", parts]);
  });

  test("is asked in vain only once", async () => {
    const { server, source } = await sourceOfTest({ quirks: { refusedParts: ["x-amz-checksum-mode"] } });
    for (const key of ["a", "b", "c"]) expect((await read(source, put(server, key))).bytes.equals(content)).toBe(true);
    expect(server.history.filter(({ operation }) => operation === "get").length).toBe(5);
  });

  test.each([
    [400, "InvalidRequest"],
    [403, "SignatureDoesNotMatch"],
    [405, "MethodNotAllowed"],
    [501, "NotImplemented"],
  ])("is not found out by a server that answers %d once", async (status, code) => {
    const { server, source } = await sourceOfTest();
    const object = put(server, "k");
    server.addFault({ match: { operation: "get", nth: 1 }, fault: { status, code } });
    expect((await read(source, object)).bytes.equals(content)).toBe(true);
    server.addFault({ match: { operation: "list", nth: 1 }, fault: { status, code } });
    if (status !== 403)
      expect((await listPage(source, { signal: AbortSignal.timeout(60_000) })).objects).toHaveLength(1);
    expect(source.traits.refused).toEqual([]);
  });

  test("is not found out by a connection that fails while the service searches for the part", async () => {
    const { server, source } = await sourceOfTest();
    const object = put(server, "k");
    for (const nth of [1, 2]) {
      server.addFault({ match: { operation: "get", nth }, fault: { status: 501, code: "NotImplemented" } });
    }
    server.addFault({ match: { operation: "get", nth: 3 }, fault: { resetBefore: true } });
    expect((await read(source, object)).bytes.equals(content)).toBe(true);
    expect(source.traits.refused).toEqual([]);
  });

  test("but a refusal with another cause is not repeated", async () => {
    const { server, source } = await sourceOfTest();
    server.addFault({ match: { operation: "get" }, fault: { status: 403, code: "AccessDenied" } });
    expect((await problemOf(read(source, put(server, "k")))).code).toBe("object_denied");
    expect(server.history.length).toBe(1);
  });
});

describe("without a precondition", () => {
  test("an object is read in ranges, each with its ETag", async () => {
    const { server, source } = await sourceOfTest({ quirks: { ifMatchNeverMatches: true } });
    expect((await read(source, put(server, "k"), 1_000)).bytes.equals(content)).toBe(true);
  });

  test("an object that was overwritten is not read", async () => {
    const { server, source } = await sourceOfTest({ quirks: { ifMatchNeverMatches: true } });
    const before = put(server, "k");
    put(server, "k", {}, Buffer.from("9".repeat(content.length)));
    expect((await problemOf(read(source, before))).code).toBe("object_changed");
  });

  test("an object that was overwritten does not show that If-Match is refused, also on a server without HEAD", async () => {
    const { server, source } = await sourceOfTest({ quirks: { headStatus: 501 } });
    expect((await read(source, put(server, "known"), 1_000)).bytes.equals(content)).toBe(true);
    const before = put(server, "k");
    put(server, "k", {}, Buffer.from("9".repeat(content.length)));
    expect((await problemOf(read(source, before, 1_000))).code).toBe("object_changed");
    expect([source.traits.refusesHead, source.traits.refused]).toEqual([true, []]);
  });

  test("an object that is overwritten between two ranges is not mixed", async () => {
    const { server, source } = await sourceOfTest({ quirks: { ifMatchNeverMatches: true } });
    const object = put(server, "k");
    server.addFault({
      match: { operation: "get", nth: 4 },
      fault: { run: () => void put(server, "k", {}, Buffer.from("9".repeat(content.length))) },
    });
    expect((await problemOf(read(source, object, 1_000))).code).toBe("object_changed");
  });

  test("and without ETags, 412 counts as overwritten, and a refused If-Match as one response", async () => {
    const { server, source } = await sourceOfTest({ quirks: { ifMatchNeverMatches: true, omitsEtags: true } });
    const object = put(server, "k");
    expect((await problemOf(read(source, object))).code).toBe("object_changed");
    Object.assign(server.quirks, { ifMatchNeverMatches: false, refusedParts: ["if-match"] });
    server.clearHistory();
    expect((await read(source, object, 1_000)).bytes.equals(content)).toBe(true);
    expect(server.history.at(-1)?.headers.range).toBeUndefined();
  });

  test.each([
    '"ABCDEF0123456789ABCDEF0123456789"',
    'W/"abcdef0123456789abcdef0123456789"',
    '"abcdef0123456789abcdef0123456789-gzip"',
  ])("the ETag %s is that of the listing in another form", async (etag) => {
    const { server, source } = await sourceOfTest();
    const object = put(server, "k", { etag: "abcdef0123456789abcdef0123456789" });
    server.addFault({ match: { operation: "get" }, fault: { headers: { etag } } });
    expect((await read(source, object)).bytes.equals(content)).toBe(true);
  });
});

describe("HEAD is evidence, not a need", () => {
  test.each([500, 501, 405, 403])("an object in ranges whose HEAD is answered %i is read", async (headStatus) => {
    const { server, source } = await sourceOfTest({ quirks: { headStatus } });
    for (const key of ["a", "b"]) {
      const object = put(server, key, { checksum: "sha256", metadata: { plot: "7" } });
      const { bytes, verdict, responseMetadata } = await read(source, object, 1_000);
      expect(bytes.equals(content)).toBe(true);
      expect([verdict.verifiedBy, responseMetadata.userMetadata]).toEqual(["checksum", { plot: "7" }]);
    }
    expect(server.history.filter(({ operation }) => operation === "head").length).toBeLessThanOrEqual(2);
  });
});

describe("objects that a server unpacks", () => {
  const packed = gzipSync("a,b\n1,2\n".repeat(500));

  test("are read packed, and stored as they are", async () => {
    const { server, source } = await sourceOfTest({ quirks: { unpacksGzip: true } });
    const object = put(server, "k.csv.gz", { contentEncoding: "gzip" }, packed);
    const { bytes, verdict, responseMetadata } = await read(source, object);
    expect([bytes.equals(packed), verdict.verifiedBy]).toEqual([true, "md5"]);
    expect(responseMetadata.contentEncoding).toBe("gzip");
    expect((await readStep(server)).report.ok).toBe(true);
  });

  test("are refused if the accepted coding does not give the listed length", async () => {
    const { server, source } = await sourceOfTest();
    const object = { ...put(server, "k"), bytes: 7 };
    expect((await problemOf(read(source, object))).code).toBe("object_length_wrong");
  });
});

describe("a listing of a server that", () => {
  const listed = async (quirks: Quirks) => {
    const { server, source } = await sourceOfTest({ quirks: { ...quirks, pageLimit: 2 } });
    for (const key of ["a", "b", "c", "d"]) put(server, key);
    const keys: string[] = [];
    const pages = pagesFrom(source, { prefix: undefined }, AbortSignal.timeout(60_000));
    for await (const { objects } of pages) keys.push(...objects.map(({ key }) => key));
    return keys.join("");
  };

  test.each<[string, Quirks]>([
    ["names a next page after its end", { namesPageAfterEnd: true }],
    ["names a next page after its end, in the old API", { namesPageAfterEnd: true, listV1Only: true }],
    ["states another bucket", { statedName: "backend-bucket-17" }],
  ])("%s is complete", async (_, quirks) => expect(await listed(quirks)).toBe("abcd"));
});
