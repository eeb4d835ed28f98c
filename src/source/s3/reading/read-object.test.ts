import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Fault, FaultMatch, PutOptions, S3Server } from "../../../../packages/s3-test-server/src/index.ts";
import {
  BUCKET,
  neverAborted,
  problemOf,
  putListed,
  sourceOfTest,
} from "../../../../tests/support/data-source/source.ts";
import { Buffers, Memory } from "../../reading/read-buffers.ts";
import type { ListedObject, ReadResult } from "../../source.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import { AdaptiveConcurrency } from "./adaptive-concurrency.ts";
import { readObject } from "./read-object.ts";
import type { Reading } from "./resumable-read.ts";

// Pauses between tries are tested in retry.test.ts. Here they only take time.
vi.mock("node:timers/promises", async (original) => {
  const real = await original<typeof import("node:timers/promises")>();
  return { ...real, setTimeout: ((ms, ...rest) => real.setTimeout((ms ?? 0) / 50, ...rest)) as typeof real.setTimeout };
});

const MIB = 1024 * 1024;
const content = Buffer.from("0123456789".repeat(20_000));

let server: S3Server;
let source: S3Bucket;

beforeEach(async () => {
  ({ server, source } = await sourceOfTest());
});

const put = (bytes: Buffer | string = content, options: PutOptions = {}, key = "k") =>
  putListed(server, key, bytes, options);

const fault = (what: Fault, match: FaultMatch = {}) =>
  server.addFault({ match: { operation: "get", ...match }, fault: what });

const reading = (object: ListedObject, signal = neverAborted): Reading => ({
  source,
  object,
  signal,
  pace: new AdaptiveConcurrency(8),
  owner: "test",
});

async function read(object: ListedObject): Promise<ReadResult & { bytes: Buffer }> {
  const memory = new Memory(new Buffers());
  const result = await readObject(reading(object), memory);
  return { ...result, bytes: memory.bytes };
}

/** The code of the Problem. More bytes than listed would exceed the memory. */
async function refused(object: ListedObject): Promise<string> {
  const { code } = await problemOf(readObject(reading(object), new Memory(new Buffers())));
  return code;
}

const gets = () => server.history.filter(({ operation }) => operation === "get");
const ranges = () => gets().map(({ headers }) => headers.range);

describe("an object is read", () => {
  test.each(["k", "a b+c%2F~!*'()", "../../etc/x", "//two", "a/../b", "dir/", ".", "🌱", "x\0y", "cr\r\nlf"])(
    "%j, byte for byte, with its exact key in the request",
    async (key) => {
      const { bytes, verdict } = await read(put(content, {}, key));
      expect(bytes.equals(content)).toBe(true);
      expect(verdict).toEqual({
        sha512: createHash("sha512").update(content).digest("hex"),
        verifiedBy: "md5",
        verifiedWith: "md5",
      });
      expect(server.history.map((record) => [record.method, record.key])).toEqual([["GET", key]]);
    },
  );

  test("on the condition that it is the listed object, with a request for its checksums", async () => {
    const object = put();
    await read(object);
    expect(gets()[0]?.headers).toMatchObject({
      "if-match": object.etag,
      "x-amz-checksum-mode": "ENABLED",
      "accept-encoding": "identity",
    });
    expect(gets()[0]?.headers.range).toBeUndefined();
  });

  test("with ETags that are listed without quotes, or that no header can contain", async () => {
    const object = put();
    await read({ ...object, etag: object.etag?.replaceAll('"', "") ?? null });
    expect(gets()[0]?.headers["if-match"]).toBe(object.etag);
    for (const etag of [null, "", 'W/"weak"', '"ä"', '"line\nfeed"', '"a"b"']) {
      fault({ headers: { etag: "" } });
      expect((await read({ ...object, etag })).bytes.equals(content)).toBe(true);
      expect(gets().at(-1)?.headers["if-match"]).toBeUndefined();
    }
  });

  test("if it is empty", async () => {
    const { bytes, verdict } = await read(put(""));
    expect([bytes.length, verdict.verifiedBy]).toEqual([0, "md5"]);
    const parts = await read(put("", { partSize: 5 * MIB }));
    expect(parts.verdict.verifiedBy).toBe("md5-parts");
  });

  test("as it is stored, without decoding", async () => {
    const packed = gzipSync(content);
    const { bytes, responseMetadata } = await read(put(packed, { contentEncoding: "gzip", contentType: "text/csv" }));
    expect(bytes.equals(packed)).toBe(true);
    expect(responseMetadata).toMatchObject({ contentEncoding: "gzip", contentType: "text/csv" });
  });

  test.each(["utf-8", "rfc2047", "latin1"] as const)(
    "with user metadata that the server sends as %s",
    async (encoding) => {
      if (encoding !== "utf-8") server.quirks.metadataEncoding = encoding;
      try {
        const { responseMetadata } = await read(put(content, { metadata: { by: "Jürgen", plot: "7" } }));
        expect(responseMetadata.userMetadata).toEqual({ by: "Jürgen", plot: "7" });
        expect(Object.keys(responseMetadata.userMetadataBytes ?? {})).toEqual(encoding === "utf-8" ? [] : ["by"]);
      } finally {
        delete server.quirks.metadataEncoding;
      }
    },
  );

  test("with the metadata that the source sends", async () => {
    const metadata = { plot: "7", __proto__2: "x" };
    const { responseMetadata, verdict } = await read(
      put(content, { metadata, checksum: "sha256", contentType: "text/plain" }),
    );
    expect(responseMetadata).toEqual({
      contentType: "text/plain",
      userMetadata: metadata,
      checksums: { sha256: createHash("sha256").update(content).digest("base64") },
    });
    expect(verdict).toMatchObject({ verifiedBy: "checksum", verifiedWith: "sha256" });
    fault({ headers: { "x-amz-version-id": "v7" } });
    expect((await read(put())).responseMetadata.versionId).toBe("v7");
  });
});

describe("a multipart upload", () => {
  const big = Buffer.alloc(11 * MIB, "parts");

  test("is verified with the part size that the server reports", async () => {
    const { verdict } = await read(put(big, { partSize: 6_000_000 }));
    expect(verdict.verifiedBy).toBe("md5-parts");
    expect(server.history.map(({ method, query }) => [method, query.partNumber])).toEqual([
      ["HEAD", "1"],
      ["GET", undefined],
    ]);
  });

  test.each<[string, Fault]>([
    ["does not know partNumber", { status: 400, code: "InvalidArgument" }],
    ["has not implemented it", { status: 501, code: "NotImplemented" }],
    ["refuses HEAD", { status: 405, code: "MethodNotAllowed" }],
    ["ignores it", { headers: { "content-length": String(big.length) } }],
  ])("is verified with usual part sizes if the server %s", async (_, change) => {
    fault(change, { operation: "head" });
    // 6, 8 and 10 MiB result in two parts as well; 9 MiB is found by reading the stored file.
    for (const mib of [8, 9]) {
      const { verdict } = await read(put(big, { partSize: mib * MIB }));
      expect(verdict.verifiedBy, `${mib} MiB`).toBe("md5-parts");
    }
  });

  test("of parts of different sizes is verified by its length only", async () => {
    const { verdict } = await read(put(big, { partSizes: [5 * MIB, 5 * MIB + 1, MIB - 1] }));
    expect(verdict.verifiedBy).toBe("length");
    // The server reports the size of the first part only: reason to read again, but no proof of corruption.
    expect(verdict.mismatch).toEqual({ by: "md5-parts", algorithm: "md5" });
  });
});

describe("an interrupted body", () => {
  test("resumes at the missing byte if the object is unchanged", async () => {
    const object = put();
    fault({ cutAfter: 70_000 }, { nth: 1 });
    fault({ cutAfter: 50_000 }, { nth: 2 });
    const { bytes, verdict } = await read(object);
    expect(bytes.equals(content)).toBe(true);
    expect(verdict.verifiedBy).toBe("md5");
    expect(ranges()).toEqual([undefined, "bytes=70000-", "bytes=120000-"]);
    expect(gets().every(({ headers }) => headers["if-match"] === object.etag)).toBe(true);
  });

  test("resumes even if the server does not support ranges", async () => {
    const object = put();
    fault({ cutAfter: 70_000 }, { nth: 1 });
    const ignored: Fault = { status: 200, body: content, contentType: "text/plain" };
    fault({ ...ignored, cutAfter: 150_000 }, { nth: 2 });
    fault(ignored, { nth: 3 });
    const { bytes, verdict } = await read(object);
    expect(bytes.equals(content)).toBe(true);
    expect(verdict.verifiedBy).toBe("md5");
    expect(ranges()).toEqual([undefined, "bytes=70000-", "bytes=150000-"]);
  });

  test("does not resume if the object has changed", async () => {
    const object = put();
    fault({ cutAfter: 70_000 }, { nth: 1 });
    fault({ run: () => void put(Buffer.alloc(content.length, "x")) }, { nth: 2 });
    expect(await refused(object)).toBe("object_changed");
  });

  test("does not resume at a different position than requested", async () => {
    const object = put();
    fault({ cutAfter: 70_000 }, { nth: 1 });
    fault({ headers: { "content-range": `bytes 0-199999/200000` } }, { nth: 2 });
    expect(await refused(object)).toBe("object_unreadable");
  });

  test("fails after repeated interruptions without a new byte", async () => {
    fault({ cutAfter: 70_000 }, { nth: 1 });
    fault({ cutAfter: 0 }, { nth: 2, times: 100 });
    expect(await refused(put())).toBe("connection_reset");
    expect(gets().length).toBeLessThan(10);
  });

  test("without a length resumes where it ended, and fails if no more bytes arrive", async () => {
    const object = put();
    fault({ cutAfter: 70_000, withoutLength: true }, { nth: 1, times: 2 });
    expect((await read(object)).bytes.equals(content)).toBe(true);
    expect(ranges()).toEqual([undefined, "bytes=70000-", "bytes=140000-"]);
    fault({ cutAfter: 0, withoutLength: true });
    expect(await refused(object)).toBe("object_length_wrong");
  });

  test("without a length is accepted if it is complete", async () => {
    fault({ withoutLength: true });
    expect((await read(put())).bytes.equals(content)).toBe(true);
  });
});

describe("a request that fails", () => {
  test.each<[string, Fault]>([
    ["a reset", { resetBefore: true }],
    ["503 with Retry-After", { status: 503, code: "SlowDown", headers: { "retry-after": "1" } }],
    ["500", { status: 500, code: "InternalError" }],
    ["429 without a word", { status: 429 }],
  ])("by %s is repeated", async (_, change) => {
    fault(change, { nth: 1, times: 2 });
    expect((await read(put())).bytes.equals(content)).toBe(true);
    expect(gets()).toHaveLength(3);
  });

  test("always ends the read with its problem", async () => {
    fault({ status: 503, code: "SlowDown" });
    expect(await refused(put())).toBe("slow_down");
    expect(gets()).toHaveLength(5);
  });

  test.each<[string, Fault]>([
    ["object_denied", { status: 403, code: "AccessDenied" }],
    ["object_gone", { status: 404, code: "NoSuchKey" }],
    ["object_archived", { status: 403, code: "InvalidObjectState" }],
    ["object_encrypted", { status: 400, code: "InvalidRequest", message: "… a form of Server Side Encryption …" }],
    ["access_key_unknown", { status: 403, code: "InvalidAccessKeyId" }],
    ["credentials_expired", { status: 400, code: "ExpiredToken" }],
    ["bucket_missing", { status: 404, code: "NoSuchBucket" }],
  ])("because of %s is not repeated", async (code, change) => {
    fault(change);
    expect(await refused(put())).toBe(code);
    expect(gets()).toHaveLength(1);
  });

  // The server may refuse only an optional header: If-Match, or, if it refuses the same request again, one of those that are left
  // out one after the other.
  test.each<[string, number, Fault]>([
    ["object_changed", 2, { status: 412, code: "PreconditionFailed" }],
    ["object_unreadable", 5, { status: 400, code: "InvalidArgument" }],
    ["secret_key_wrong", 5, { status: 403, code: "SignatureDoesNotMatch" }],
  ])("because of %s is sent %d times at most", async (code, requests, change) => {
    fault(change);
    expect(await refused(put())).toBe(code);
    expect(gets()).toHaveLength(requests);
  });

  test("is named according to the server's response", async () => {
    const gone = put();
    server.remove(BUCKET, "k");
    expect(await refused(gone)).toBe("object_gone");
    const changed = put();
    put("other");
    expect(await refused(changed)).toBe("object_changed");
    expect(await refused(put(content, { storageClass: "GLACIER" }))).toBe("object_archived");
    expect(await refused(put(content, { encryption: "customer" }))).toBe("object_encrypted");
    server.addAccount({
      accessKey: "AKREADER",
      secretKey: "secret/of+reader",
      rights: (operation) => operation === "list",
    });
    expect(await refused(put())).toBe("object_denied");
  });

  test("ends with the reason of the abort, also during the pause before a retry", async () => {
    fault({ status: 503, code: "SlowDown", headers: { "retry-after": "60" } });
    const reason = new Error("enough");
    const stop = new AbortController();
    const work = readObject(reading(put(), stop.signal), new Memory(new Buffers())).catch((error: unknown) => error);
    fault({ run: () => void setImmediate(() => stop.abort(reason)) });
    expect(await work).toBe(reason);
  });

  test("of the destination is thrown unchanged", async () => {
    const full = new Error("the disk is full");
    const object = put();
    const memory = Object.assign(new Memory(new Buffers()), {
      write: () => {
        throw full;
      },
    });
    await expect(readObject(reading(object), memory)).rejects.toBe(full);
    expect(gets()).toHaveLength(1);
  });
});

describe("bytes that differ from the listed object", () => {
  test.each<[string, Fault]>([
    ["more of them", { wrongLength: 5 }],
    ["fewer of them", { wrongLength: -5 }],
    ["more of them, without a length", { wrongLength: 5, withoutLength: true }],
    ["an error with status 200", { body: "<Error><Code>InternalError</Code></Error>", status: 200 }],
    ["none", { body: "", status: 200 }],
  ])("(%s) are refused", async (_, change) => {
    fault(change);
    expect(await refused(put())).toBe("object_length_wrong");
  });

  test("are recognised by another ETag if the server ignores If-Match", async () => {
    fault({ headers: { etag: '"another"' } });
    expect(await refused(put())).toBe("object_changed");
  });

  test.each<[string, PutOptions, object]>([
    ["md5", {}, { by: "md5", algorithm: "md5" }],
    ["crc64nvme", { checksum: "crc64nvme", etag: "opaque" }, { by: "checksum", algorithm: "crc64nvme" }],
  ])("(one bit flipped) do not match the %s", async (_, options, mismatch) => {
    fault({ flipByte: 123_456 });
    const { verdict } = await read(put(content, options));
    expect(verdict).toMatchObject({ verifiedBy: "length", mismatch });
  });

  test("in another object of the same length do not match either", async () => {
    fault({ body: Buffer.alloc(content.length, "<Error>"), status: 200 });
    expect((await read(put())).verdict.mismatch).toEqual({ by: "md5", algorithm: "md5" });
  });
});
