import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { checksum, generate } from "../src/index.ts";
import { refusal } from "./sdk-client.ts";
import { bucket, client, get, list, server, text, useServer } from "./server-for-each-test.ts";

useServer();

describe("objects", () => {
  it("are returned unchanged, with their headers", async () => {
    const s3 = client();
    const put = new PutObjectCommand({
      Bucket: bucket,
      Key: "a b/ä+%2F.txt",
      Body: "hello",
      ContentType: "text/plain",
      ContentEncoding: "identity",
      Metadata: { plot: "7" },
    });
    const { ETag } = await s3.send(put);
    expect(ETag).toBe(`"${createHash("md5").update("hello").digest("hex")}"`);
    const got = await get(s3, "a b/ä+%2F.txt");
    expect(await got.Body?.transformToString()).toBe("hello");
    expect(got).toMatchObject({
      ETag,
      ContentType: "text/plain",
      ContentEncoding: "identity",
      Metadata: { plot: "7" },
      ContentLength: 5,
      AcceptRanges: "bytes",
    });
    expect(server.keys(bucket)).toEqual(["a b/ä+%2F.txt"]);
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: "a b/ä+%2F.txt" }));
    expect(await refusal(get(s3, "a b/ä+%2F.txt"))).toEqual(["NoSuchKey", 404]);
    expect(await refusal(s3.send(new HeadObjectCommand({ Bucket: bucket, Key: "x" })))).toEqual(["NotFound", 404]);
  });

  it("are stored completely if they are streamed with a trailing checksum", async () => {
    const bytes = Buffer.concat([...generate("streamed", 0, 300_000)]);
    const Body = Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]);
    await client().send(new PutObjectCommand({ Bucket: bucket, Key: "k", Body, ContentLength: bytes.length }));
    expect(server.history[0]?.headers["x-amz-content-sha256"]).toBe("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    expect(server.body(bucket, "k").equals(bytes)).toBe(true);
    expect(server.object(bucket, "k")?.checksum).toBe(checksum("crc32", [bytes]).toString("base64"));
  });

  it("are refused if they do not match the checksum of the request", async () => {
    const wrong = checksum("crc32", [Buffer.from("other")]).toString("base64");
    const put = new PutObjectCommand({ Bucket: bucket, Key: "k", Body: "hello", ChecksumCRC32: wrong });
    expect(await refusal(client().send(put))).toEqual(["BadDigest", 400]);
    expect(server.keys(bucket)).toEqual([]);
  });

  it("keep every key exactly", async () => {
    const keys = [
      ...["../../etc/x", "..", ".", "./c", "a/../b", "a//b", "//two", "/lead", "dir/", "a", "a/", "a/b"],
      ...["A", "é", "e\u0301", " lead", "trail ", "dot.", "\r\n", "+", "a b", "a%2Fb", "%", "?", "#", "😀"],
      "&#128512;",
      ...["__proto__", "constructor", "inventory.json", "0=ocfl_object_1.1", "'!()*~", '<&>"', "\x01"],
      ...["n".repeat(255), "p".repeat(256), "x".repeat(1024), "ü".repeat(512), "d/".repeat(512)],
    ];
    const s3 = client();
    for (const key of keys) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: key }));
      expect(await text(s3, key), JSON.stringify(key)).toBe(key);
    }
    expect(new Set(server.keys(bucket))).toEqual(new Set(keys));
    const tooLong = new PutObjectCommand({ Bucket: bucket, Key: "ü".repeat(513), Body: "x" });
    expect(await refusal(s3.send(tooLong))).toEqual(["KeyTooLongError", 400]);
  });

  it("are read in ranges, also above 2^32", async () => {
    const size = 5 * 2 ** 40;
    server.put(bucket, "huge", { seed: "huge", size });
    const s3 = client();
    const start = 3 * 2 ** 40 + 5;
    const range = await get(s3, "huge", { Range: `bytes=${start}-${start + 99}` });
    expect(range.ContentRange).toBe(`bytes ${start}-${start + 99}/${size}`);
    const whole = Buffer.concat([...generate("huge", start - 37, start + 163)]);
    expect(Buffer.from((await range.Body?.transformToByteArray()) ?? [])).toEqual(whole.subarray(37, 137));
    expect((await get(s3, "huge", { Range: "bytes=-3" })).ContentLength).toBe(3);
    expect(await refusal(get(s3, "huge", { Range: `bytes=${size}-` }))).toEqual(["InvalidRange", 416]);
    expect((await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: "huge" }))).ContentLength).toBe(size);
  });

  it("answer If-Match with the object or 412", async () => {
    const { etag } = server.put(bucket, "k", "one");
    const s3 = client();
    expect(await text(s3, "k", { IfMatch: etag })).toBe("one");
    server.put(bucket, "k", "two");
    expect(await refusal(get(s3, "k", { IfMatch: etag }))).toEqual(["PreconditionFailed", 412]);
  });

  it("state checksums only on request", async () => {
    for (const algorithm of ["sha256", "sha1", "crc32", "crc32c", "crc64nvme"] as const) {
      server.put(bucket, algorithm, "123456789", { checksum: algorithm });
    }
    const s3 = client({ responseChecksumValidation: "WHEN_REQUIRED" });
    expect((await get(s3, "crc32c")).ChecksumCRC32C).toBeUndefined();
    const asked = { ChecksumMode: "ENABLED" };
    // The check values of the algorithms' catalogues.
    const hex = (value: string | undefined) => Buffer.from(value ?? "", "base64").toString("hex");
    expect(hex((await get(s3, "crc32", asked)).ChecksumCRC32)).toBe("cbf43926");
    expect(hex((await get(s3, "crc32c", asked)).ChecksumCRC32C)).toBe("e3069283");
    expect(hex((await get(s3, "crc64nvme", asked)).ChecksumCRC64NVME)).toBe("ae8b14860a799888");
    const sha256 = createHash("sha256").update("123456789").digest("hex");
    expect(hex((await get(s3, "sha256", asked)).ChecksumSHA256)).toBe(sha256);
    expect((await get(s3, "sha256", { ...asked, Range: "bytes=0-1" })).ChecksumSHA256).toBeUndefined();
  });

  it("in archive classes, with a customer's key or of another account are refused with their code", async () => {
    server.put(bucket, "cold", "x", { storageClass: "GLACIER" });
    server.put(bucket, "locked", "x", { encryption: "customer" });
    server.addAccount({ accessKey: "AKLISTER", secretKey: "s", rights: (operation) => operation === "list" });
    expect(await refusal(get(client(), "cold"))).toEqual(["InvalidObjectState", 403]);
    expect(await refusal(get(client(), "locked"))).toEqual(["InvalidRequest", 400]);
    const lister = client({ account: { accessKey: "AKLISTER", secretKey: "s" } });
    expect((await list(lister)).KeyCount).toBe(2);
    expect(await refusal(get(lister, "cold"))).toEqual(["AccessDenied", 403]);
  });
});

describe("multipart uploads", () => {
  it("join their parts under an ETag of ETags", async () => {
    const s3 = client();
    const parts = [Buffer.concat([...generate("one", 0, 5 << 20)]), Buffer.from("the rest")];
    const target = { Bucket: bucket, Key: "large" };
    const create = new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: "SHA256" });
    const { UploadId } = await s3.send(create);
    expect(server.uploads(bucket)).toEqual(["large"]);
    const uploaded = [];
    for (const [index, Body] of parts.entries()) {
      const part = { ...target, UploadId, PartNumber: index + 1, Body, ChecksumAlgorithm: "SHA256" as const };
      uploaded.push({ PartNumber: index + 1, ETag: (await s3.send(new UploadPartCommand(part))).ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: uploaded } });
    const md5s = parts.map((part) => createHash("md5").update(part).digest());
    const expected = `"${createHash("md5").update(Buffer.concat(md5s)).digest("hex")}-2"`;
    expect((await s3.send(complete)).ETag).toBe(expected);
    expect(server.body(bucket, "large").equals(Buffer.concat(parts))).toBe(true);
    const head = await s3.send(new HeadObjectCommand({ ...target, PartNumber: 1, ChecksumMode: "ENABLED" }));
    expect(head).toMatchObject({ ContentLength: 5 << 20, PartsCount: 2 });
    const whole = await s3.send(new HeadObjectCommand({ ...target, ChecksumMode: "ENABLED" }));
    const digests = parts.map((part) => checksum("sha256", [part]));
    expect(whole.ChecksumSHA256).toBe(`${checksum("sha256", digests).toString("base64")}-2`);
    // The direct way to create the same object.
    const again = server.put(bucket, "again", Buffer.concat(parts), { partSize: 5 << 20, checksum: "sha256" });
    expect([again.etag, again.checksum]).toEqual([expected, whole.ChecksumSHA256]);
  });

  it("leave nothing after an abort", async () => {
    const s3 = client();
    const target = { Bucket: bucket, Key: "x" };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target));
    await s3.send(new AbortMultipartUploadCommand({ ...target, UploadId }));
    expect([server.uploads(bucket), server.keys(bucket)]).toEqual([[], []]);
  });
});

describe("listings", () => {
  it("are returned in pages, in the order of UTF-8 bytes", async () => {
    const keys = ["A", "a", "a/", "a/b", "a//b", "z\ufffd", "z😀", "ä", "e\u0301", "é"];
    for (const key of keys) server.put(bucket, key, key);
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const s3 = client();
    const listed: (string | undefined)[] = [];
    let token: string | undefined;
    do {
      const page = await list(s3, { MaxKeys: 3, ContinuationToken: token });
      expect(page.KeyCount).toBe(page.Contents?.length);
      listed.push(...(page.Contents ?? []).map((object) => object.Key));
      expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
      token = page.NextContinuationToken;
    } while (token !== undefined);
    expect(listed).toEqual(sorted);
    const after = await list(s3, { StartAfter: "a/", Prefix: "a" });
    expect(after.Contents?.map((object) => object.Key)).toEqual(["a//b", "a/b"]);
    expect(await refusal(list(s3, { ContinuationToken: "nonsense" }))).toEqual(["InvalidArgument", 400]);
  });

  it("return each common prefix once, also across pages", async () => {
    for (const key of ["a/1", "a/2", "b", "c/1", "c/2"]) server.put(bucket, key, key);
    const s3 = client();
    const first = await list(s3, { Delimiter: "/", MaxKeys: 1 });
    expect(first.CommonPrefixes).toEqual([{ Prefix: "a/" }]);
    const rest = await list(s3, { Delimiter: "/", ContinuationToken: first.NextContinuationToken });
    expect(rest.Contents?.map((object) => object.Key)).toEqual(["b"]);
    expect(rest.CommonPrefixes).toEqual([{ Prefix: "c/" }]);
    const old = await s3.send(new ListObjectsCommand({ Bucket: bucket, Delimiter: "/", MaxKeys: 1 }));
    expect(old.NextMarker).toBe("a/");
    const undelimited = await s3.send(new ListObjectsCommand({ Bucket: bucket, MaxKeys: 2 }));
    expect([undelimited.IsTruncated, undelimited.NextMarker]).toEqual([true, undefined]);
  });

  it("encode keys on request and state it", async () => {
    server.put(bucket, "a b+c/ü\r\n&.txt", "");
    const s3 = client();
    const encoded = await list(s3, { EncodingType: "url" });
    expect(encoded.EncodingType).toBe("url");
    expect(encoded.Contents?.[0]?.Key).toBe("a+b%2Bc/%C3%BC%0D%0A%26.txt");
    const bare = await list(s3);
    expect([bare.EncodingType, bare.Contents?.[0]?.Key]).toEqual([undefined, "a b+c/ü\r\n&.txt"]);
    server.quirks.spaceAsPercent20 = true;
    expect((await list(s3, { EncodingType: "url" })).Contents?.[0]?.Key).toMatch(/^a%20b%2Bc/);
    server.quirks.ignoresEncodingType = true;
    expect((await list(s3, { EncodingType: "url" })).EncodingType).toBeUndefined();
  });
});
