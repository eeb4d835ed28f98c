import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChecksumAlgorithm, checksum, checksumAlgorithms } from "../../../packages/s3-test-server/src/index.ts";
import { type DigestResult, multipartEtag, partSizes, type StatedDigests, StreamingDigests } from "./digests.ts";

const MIB = 1024 * 1024;

async function verdictOf(
  content: Uint8Array,
  offers: Partial<StatedDigests>,
  chunk = 64 * 1024,
): Promise<DigestResult> {
  const digests = new StreamingDigests({ headers: {}, etag: null, bytes: content.length, ...offers });
  for (let at = 0; at < content.length; at += chunk) digests.update(content.subarray(at, at + chunk));
  return digests.finish(() => [content]);
}

const hexMd5 = (content: Uint8Array) => createHash("md5").update(content).digest("hex");

/** The ETag of a multipart upload with parts of these sizes. */
function etagOfParts(content: Uint8Array, sizes: number[]): string {
  let at = 0;
  const digests = sizes.map((size) => {
    at += size;
    return createHash("md5")
      .update(content.subarray(at - size, at))
      .digest();
  });
  return `"${hexMd5(Buffer.concat(digests))}-${sizes.length}"`;
}

function evenParts(bytes: number, size: number): number[] {
  const count = Math.max(1, Math.ceil(bytes / size));
  return Array.from({ length: count }, (_, index) => Math.min(size, bytes - index * size));
}

const length = { verifiedBy: "length", verifiedWith: "length" };

describe("a checksum", () => {
  // The check values of the CRC catalogue, and those of NIST and RFC 1321 for “123456789”.
  test.each([
    ["crc32", Buffer.from("cbf43926", "hex")],
    ["crc32c", Buffer.from("e3069283", "hex")],
    ["crc64nvme", Buffer.from("ae8b14860a799888", "hex")],
    ["sha1", Buffer.from("f7c3bc1d808e04732adf679965ccc34ca7ae3441", "hex")],
    ["sha256", Buffer.from("15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225", "hex")],
  ])("by %s matches its known value only", async (algorithm, value) => {
    const content = Buffer.from("123456789");
    const headers = (digest: Buffer) => ({ [`x-amz-checksum-${algorithm}`]: digest.toString("base64") });
    expect(await verdictOf(content, { headers: headers(value) })).toEqual({
      sha512: createHash("sha512").update(content).digest("hex"),
      verifiedBy: "checksum",
      verifiedWith: algorithm,
    });
    const wrong = Buffer.from(value);
    wrong[0] = (wrong[0] ?? 0) ^ 1;
    expect(await verdictOf(content, { headers: headers(wrong) })).toMatchObject({
      ...length,
      mismatch: { by: "checksum", algorithm },
    });
  });

  test("matches for any content in any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3_000 }),
        fc.constantFrom<ChecksumAlgorithm>(...checksumAlgorithms),
        fc.integer({ min: 1, max: 700 }),
        async (bytes, algorithm, chunk) => {
          const value = checksum(algorithm, [Buffer.from(bytes)]).toString("base64");
          const verdict = await verdictOf(bytes, { headers: { [`x-amz-checksum-${algorithm}`]: value } }, chunk);
          expect(verdict).toEqual({
            sha512: createHash("sha512").update(bytes).digest("hex"),
            verifiedBy: "checksum",
            verifiedWith: algorithm,
          });
        },
      ),
    );
  });

  test("of the parts is not compared with the bytes", async () => {
    const ofParts = checksum("sha256", [Buffer.from("parts")]).toString("base64");
    for (const headers of [
      { "x-amz-checksum-sha256": ofParts, "x-amz-checksum-type": "COMPOSITE" },
      { "x-amz-checksum-sha256": `${ofParts}-3` },
    ]) {
      const verdict = await verdictOf(Buffer.from("content"), { headers });
      expect(verdict).toMatchObject(length);
      expect(verdict.mismatch).toBeUndefined();
    }
  });

  test("is reported as the strongest that matches; a contradiction is reported", async () => {
    const content = Buffer.from("content");
    const right = (algorithm: ChecksumAlgorithm) => checksum(algorithm, [content]).toString("base64");
    const headers = { "x-amz-checksum-crc32": right("crc32"), "x-amz-checksum-sha256": right("sha256") };
    const etag = `"${hexMd5(content)}"`;
    expect(await verdictOf(content, { headers, etag })).toMatchObject({ verifiedWith: "sha256" });
    const verdict = await verdictOf(content, { headers, etag: `"${hexMd5(Buffer.from("other"))}"` });
    expect(verdict).toMatchObject({ verifiedWith: "sha256", mismatch: { by: "md5", algorithm: "md5" } });
  });
});

describe("an ETag", () => {
  const content = Buffer.from("some content");

  test.each([`"${hexMd5(content)}"`, hexMd5(content), `"${hexMd5(content).toUpperCase()}"`])(
    "%s is a matching MD5",
    async (etag) => {
      const verdict = await verdictOf(content, { etag });
      expect(verdict).toMatchObject({ verifiedBy: "md5", verifiedWith: "md5" });
      expect(verdict.mismatch).toBeUndefined();
    },
  );

  test("that looks like an MD5 and differs from that of the bytes is a mismatch", async () => {
    const verdict = await verdictOf(Buffer.from("other content"), { etag: `"${hexMd5(content)}"` });
    expect(verdict).toMatchObject({ ...length, mismatch: { by: "md5", algorithm: "md5" } });
  });

  test.each([null, '"opaque"', 'W/"0123456789abcdef0123456789abcdef"', '"0123456789abcdef0123456789abcdef-0"', '""'])(
    "%s says nothing",
    async (etag) => {
      const verdict = await verdictOf(content, { etag });
      expect(verdict).toMatchObject(length);
      expect(verdict.mismatch).toBeUndefined();
    },
  );

  test.each([
    { "x-amz-server-side-encryption": "aws:kms" },
    { "x-amz-server-side-encryption": "aws:kms:dsse" },
    { "x-amz-server-side-encryption-customer-algorithm": "AES256" },
  ])("is not compared if the object is encrypted: %o", async (headers) => {
    for (const etag of [`"${hexMd5(Buffer.from("cipher text"))}"`, `"${hexMd5(content)}-2"`]) {
      const verdict = await verdictOf(content, { etag, headers });
      expect(verdict).toMatchObject(length);
      expect(verdict.mismatch).toBeUndefined();
    }
  });

  test("of an object encrypted with the server's keys is its MD5", async () => {
    const headers = { "x-amz-server-side-encryption": "AES256" };
    expect(await verdictOf(content, { etag: hexMd5(content), headers })).toMatchObject({ verifiedBy: "md5" });
  });
});

describe("the ETag of a multipart upload", () => {
  const proven = { verifiedBy: "md5-parts", verifiedWith: "md5" };

  test("matches with any part size that the server reports", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 700 }),
        async (bytes, partBytes, chunk) => {
          const etag = etagOfParts(bytes, evenParts(bytes.length, partBytes));
          expect(await verdictOf(bytes, { etag, partBytes }, chunk)).toMatchObject(proven);
        },
      ),
    );
  });

  test("of one part, or of no parts, needs no part size", async () => {
    const one = Buffer.from("one part");
    expect(await verdictOf(one, { etag: etagOfParts(one, [one.length]) })).toMatchObject(proven);
    const empty = Buffer.alloc(0);
    expect(await verdictOf(empty, { etag: etagOfParts(empty, [0]) })).toMatchObject(proven);
  });

  test("is compared using the usual part sizes of clients", async () => {
    const content = Buffer.alloc(17 * MIB, "guess");
    for (const mib of [5, 8, 15, 16]) {
      const etag = etagOfParts(content, evenParts(content.length, mib * MIB));
      expect(await verdictOf(content, { etag }, MIB)).toMatchObject(proven);
    }
  });

  test("of an unusual part size is found by reading the stored file", async () => {
    const content = Buffer.alloc(12 * MIB, "later");
    // Two parts: 8, 10 and 6 MiB are tried while reading; 7 MiB is not a usual size.
    const etag = etagOfParts(content, evenParts(content.length, 7 * MIB));
    const digests = new StreamingDigests({ headers: {}, etag, bytes: content.length });
    digests.update(content);
    let readAgain = 0;
    const readBack = () => {
      readAgain++;
      return [content];
    };
    expect(await digests.finish(readBack)).toMatchObject(proven);
    expect(readAgain).toBeGreaterThan(0);
  });

  test("that matches no part size is not a mismatch, because parts may differ in size", async () => {
    const content = Buffer.alloc(3 * MIB, "uneven");
    const verdict = await verdictOf(content, { etag: etagOfParts(content, [MIB / 2, 2.5 * MIB]) });
    expect(verdict).toMatchObject(length);
    expect(verdict.mismatch).toBeUndefined();
  });

  test("is recognised", () => {
    const hex = hexMd5(Buffer.from("x"));
    expect(multipartEtag(`"${hex}-12"`)).toEqual({ hex, parts: 12 });
    for (const etag of [null, `"${hex}"`, `"${hex}-0"`, `"${hex}-123456"`, `"${hex}-x"`, `W/"${hex}-2"`]) {
      expect(multipartEtag(etag)).toBeUndefined();
    }
  });

  test("has candidate part sizes that all fit, usual ones first, up to a limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 43 }), fc.integer({ min: 2, max: 10_000 }), (bytes, parts) => {
        const sizes = partSizes(bytes, parts);
        expect(sizes.length).toBeLessThanOrEqual(40);
        expect(new Set(sizes).size).toBe(sizes.length);
        for (const size of sizes) expect(Math.ceil(bytes / size)).toBe(parts);
      }),
    );
    expect(partSizes(20 * MIB, 3)[0]).toBe(8 * MIB);
  });
});

test("empty content has a digest too", async () => {
  const empty = Buffer.alloc(0);
  expect(await verdictOf(empty, { etag: '"d41d8cd98f00b204e9800998ecf8427e"' })).toEqual({
    sha512: createHash("sha512").digest("hex"),
    verifiedBy: "md5",
    verifiedWith: "md5",
  });
  for (const algorithm of checksumAlgorithms) {
    const headers = { [`x-amz-checksum-${algorithm}`]: checksum(algorithm, []).toString("base64") };
    expect(await verdictOf(empty, { headers })).toMatchObject({ verifiedWith: algorithm });
  }
});
