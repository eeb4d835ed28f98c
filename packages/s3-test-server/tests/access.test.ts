import { Agent, request } from "node:http";
import type { LookupFunction } from "node:net";
import {
  CreateBucketCommand,
  GetBucketLocationCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { fillDemoBucket, startS3Server } from "../src/index.ts";
import { owner, refusal } from "./sdk-client.ts";
import { bucket, client, get, list, restart, server, text, useServer } from "./server-for-each-test.ts";

useServer();

describe("buckets", () => {
  it("are created, listed, located and reported as missing", async () => {
    const s3 = client();
    const configuration = { LocationConstraint: "eu-central-1" } as const;
    await s3.send(new CreateBucketCommand({ Bucket: "in-europe", CreateBucketConfiguration: configuration }));
    const { Buckets } = await s3.send(new ListBucketsCommand({}));
    expect(Buckets?.map((entry) => entry.Name)).toEqual(["in-europe", bucket]);
    const there = client({ region: "eu-central-1" });
    const located = await there.send(new GetBucketLocationCommand({ Bucket: "in-europe" }));
    expect(located.LocationConstraint).toBe("eu-central-1");
    expect((await s3.send(new HeadBucketCommand({ Bucket: bucket }))).BucketRegion).toBe("us-east-1");
    expect(await refusal(s3.send(new ListObjectsV2Command({ Bucket: "nowhere" })))).toEqual(["NoSuchBucket", 404]);
  });

  it("of another region are refused or redirected, with the correct region", async () => {
    await restart({ redirectRegions: true });
    server.createBucket("far", { region: "eu-west-1" });
    const far = () => client().send(new ListObjectsV2Command({ Bucket: "far" }));
    expect(await refusal(far())).toEqual(["PermanentRedirect", 301]);
    await restart({});
    server.createBucket("far", { region: "eu-west-1" });
    const error = await far().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "AuthorizationHeaderMalformed", Region: "eu-west-1" });
    const response = await fetch(`${server.endpoint}/far`);
    expect([response.status, response.headers.get("x-amz-bucket-region")]).toEqual([403, "eu-west-1"]);
  });

  it("are also found by the host name", async () => {
    // Not every system resolves names below localhost.
    const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    const virtual = () => {
      const requestHandler = { httpAgent: new Agent({ lookup }) };
      return client({ endpoint: `http://localhost:${server.port}`, forcePathStyle: false, requestHandler });
    };
    server.put(bucket, "k", "v");
    expect(await text(virtual(), "k")).toBe("v");
    await restart({ addressing: "path" });
    expect(await refusal(get(virtual(), "k"))).toEqual(["NoSuchBucket", 404]);
    await restart({ addressing: "virtual" });
    expect((await list(virtual())).KeyCount).toBe(0);
    expect(await refusal(list(client()))).toEqual(["SecondLevelDomainForbidden", 403]);
  });
});

describe("signatures", () => {
  it("of a wrong key, secret or region are refused", async () => {
    const stranger = client({ account: { accessKey: "AKNOBODY", secretKey: "x" } });
    expect(await refusal(list(stranger))).toEqual(["InvalidAccessKeyId", 403]);
    const guesser = client({ account: { accessKey: owner.accessKey, secretKey: "guess" } });
    expect(await refusal(list(guesser))).toEqual(["SignatureDoesNotMatch", 403]);
    expect(await refusal(list(client({ region: "eu-west-1" })))).toEqual(["AuthorizationHeaderMalformed", 400]);
    const s3 = client();
    expect((await list(s3)).KeyCount).toBe(0);
    server.removeAccount(owner.accessKey);
    expect(await refusal(list(s3))).toEqual(["InvalidAccessKeyId", 403]);
    server.addAccount({ ...owner, suspended: true });
    expect(await refusal(list(s3))).toEqual(["UserSuspended", 403]);
  });

  it("are compared with the server's clock", async () => {
    const offset = (minutes: number) => ({ clock: () => new Date(Date.now() + minutes * 60_000) });
    await restart(offset(16));
    expect(await refusal(list(client()))).toEqual(["RequestTimeTooSkewed", 403]);
    await restart(offset(-14));
    expect((await list(client())).KeyCount).toBe(0);
  });

  it("of temporary credentials need their token, and expire", async () => {
    server.addAccount({ ...owner, sessionToken: "token" });
    expect(await refusal(list(client()))).toEqual(["InvalidToken", 400]);
    expect(await refusal(list(client({ sessionToken: "other" })))).toEqual(["InvalidToken", 400]);
    expect((await list(client({ sessionToken: "token" }))).KeyCount).toBe(0);
    server.addAccount({ ...owner, sessionToken: "token", expiresAt: new Date(Date.now() - 1000) });
    expect(await refusal(list(client({ sessionToken: "token" })))).toEqual(["ExpiredToken", 400]);
  });

  it("of Amazon's own example are verified, chunk by chunk", async () => {
    // "Signature Calculations for the Authorization Header: Transferring Payload in Multiple Chunks"
    await restart({ clock: () => new Date("2013-05-24T00:00:00Z"), addressing: "path" });
    const account = { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
    server.addAccount(account);
    server.createBucket("examplebucket");
    const body = (firstByte: string) =>
      `10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n` +
      `${firstByte}${"a".repeat(65_535)}\r\n` +
      `400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n` +
      `${"a".repeat(1024)}\r\n` +
      `0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n`;
    expect(await putExample(body("b"))).toBe(403);
    expect(server.keys("examplebucket")).toEqual([]);
    expect(await putExample(body("a"))).toBe(200);
    expect(server.body("examplebucket", "chunkObject.txt").toString()).toBe("a".repeat(66_560));
  });

  it("cover the body: a body that was changed in transit is refused", async () => {
    const s3 = client({ requestChecksumCalculation: "WHEN_REQUIRED" });
    s3.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body: "tampered" });
        return next(args);
      },
      // After the signature is created.
      { step: "finalizeRequest", priority: "low" },
    );
    const put = s3.send(new PutObjectCommand({ Bucket: bucket, Key: "k", Body: "original" }));
    expect(await refusal(put)).toEqual(["XAmzContentSHA256Mismatch", 400]);
    expect(server.keys(bucket)).toEqual([]);
  });
});

async function putExample(body: string): Promise<number | undefined> {
  const headers = {
    host: "s3.amazonaws.com",
    "content-encoding": "aws-chunked",
    "content-length": "66824",
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "x-amz-date": "20130524T000000Z",
    "x-amz-decoded-content-length": "66560",
    "x-amz-storage-class": "REDUCED_REDUNDANCY",
  };
  const names = Object.keys(headers).sort().join(";");
  const authorization =
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},` +
    "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: server.port, path: "/examplebucket/chunkObject.txt", method: "PUT" };
    const sent = request({ ...options, headers: { ...headers, authorization }, agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject).end(body);
  });
}

it("offers a read-only demo bucket that is always the same", async () => {
  const demo = fillDemoBucket(server, "demo-bucket");
  expect(demo.objects).toBeGreaterThan(50);
  expect(demo.bytes).toBeGreaterThan(20 << 20);
  await using other = await startS3Server();
  fillDemoBucket(other, "demo-bucket");
  for (const key of server.keys("demo-bucket")) {
    expect(other.object("demo-bucket", key)?.etag).toBe(server.object("demo-bucket", key)?.etag);
  }
  const visitor = client({ account: demo });
  const { Contents } = await visitor.send(new ListObjectsV2Command({ Bucket: "demo-bucket" }));
  expect(Contents?.map((object) => object.Key)).toEqual(server.keys("demo-bucket"));
  const put = visitor.send(new PutObjectCommand({ Bucket: "demo-bucket", Key: "k", Body: "x" }));
  expect(await refusal(put)).toEqual(["AccessDenied", 403]);
  expect(server.history.map((record) => record.operation)).toEqual(["list", "put"]);
  expect(JSON.stringify(server.history)).not.toContain("Signature");
});
