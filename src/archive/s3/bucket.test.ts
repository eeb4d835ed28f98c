import { hash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../../packages/s3-test-server/src/index.ts";
import { certificate } from "../../../tests/support/data-source/source.ts";
import { Problem } from "../../domain/problems.ts";
import { Lease, readClocks } from "../lease.ts";
import { Bucket } from "./bucket.ts";
import type { S3Location } from "./layout.ts";
import { abortUpload, abortUploads, beginUpload, completeUpload, copyObject, sendPart } from "./uploads/uploads.ts";

const keys = { accessKey: "AKARCHIVE", secretKey: "the-archives-own-secret" };
let server: S3Server;
let bucket: Bucket;

beforeEach(async () => {
  server = await startS3Server();
  server.addAccount(keys);
  server.createBucket("archive");
  bucket = await Bucket.open(placeAt(server.endpoint), 4);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  bucket.close();
  await server.close();
});

function placeAt(endpoint: string): S3Location {
  return { bucket: "archive", prefix: "p", endpoint, region: "us-east-1", credentials: keys };
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Problem);
  // The Problem contains nothing of the SDK's error, which holds the request and its signature.
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/AKARCHIVE|secret|Signature=/);
  return error as Problem;
}

const listed = async (below = "") => (await Array.fromAsync(bucket.pages(below))).flat();

describe("an object that is written", () => {
  test("is sent with both digests that every server checks, and without headers that some servers refuse", async () => {
    await bucket.put("a b+ä%", "content");
    await bucket.remove(["a b+ä%", "nothing"]);
    const [put, removal] = server.history;
    expect(put?.headers["content-md5"]).toBe(hash("md5", "content", "base64"));
    for (const request of [put, removal]) {
      const names = Object.keys(request?.headers ?? {});
      expect(names.filter((name) => /checksum|trailer|amz-sdk-checksum/.test(name))).toEqual([]);
      expect(request?.headers["content-md5"]).toMatch(/^[\w+/]{22}==$/);
      expect(request?.headers["x-amz-content-sha256"]).toMatch(/^[0-9a-f]{64}$/);
      expect(request?.headers["content-encoding"]).toBeUndefined();
    }
    expect(server.keys("archive")).toEqual([]);
  });

  test("is found by its path, with any characters", async () => {
    const paths = ["a b", "a+b", "a%2Fb", "ä/\u{1F600}", "<&>'\"", "x/=?#", " edge "];
    for (const path of paths) await bucket.put(path, path);
    expect((await listed()).map(({ path }) => path).sort()).toEqual(paths.toSorted());
    for (const path of paths) expect(await bucket.text(path)).toBe(path);
    await bucket.copy("a b", "copy of ä +");
    expect(await bucket.size("copy of ä +")).toBe(3);
    await bucket.remove(paths);
    expect((await listed()).map(({ path }) => path)).toEqual(["copy of ä +"]);
  });
});

describe("an invalid response", () => {
  test.each([
    ["a web page", { body: "<html>Welcome</html>" }],
    ["nothing", { body: "" }],
  ])("to a listing is not an empty bucket: %s", async (_, fault) => {
    server.addFault({ match: { operation: "list" }, fault: { status: 200, contentType: "text/html", ...fault } });
    expect((await problemOf(listed())).code).toBe("archive_unwritable");
    expect((await problemOf(bucket.folders(""))).code).toBe("archive_unwritable");
  });

  test("is a truncated listing without a continuation token", async () => {
    for (const name of ["a", "b", "c"]) await bucket.put(name, name);
    server.quirks.pageLimit = 2;
    server.addFault({
      match: { operation: "list" },
      fault: {
        rewrite: (reply) => {
          reply.body = Buffer.from(
            String(reply.body).replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, ""),
          );
          delete reply.headers["content-length"];
        },
      },
    });
    expect((await problemOf(listed())).message).toContain("truncated listing");
  });

  test("to a delete request is an error", async () => {
    await bucket.put("a", "a");
    const page = server.addFault({ match: { operation: "deleteMany" }, fault: { status: 200, body: "<html></html>" } });
    expect((await problemOf(bucket.remove(["a"]))).code).toBe("archive_unwritable");
    page();
    server.addAccount({ ...keys, rights: (operation) => operation !== "delete" });
    expect((await problemOf(bucket.remove(["a"]))).message).toMatch(/denies access/);
  });
});

test("a redirect is not followed", async () => {
  const other = await startS3Server();
  other.addAccount(keys);
  other.createBucket("archive");
  server.addFault({
    fault: { status: 307, code: "TemporaryRedirect", headers: { location: `${other.endpoint}/archive/x` } },
  });
  expect((await problemOf(bucket.put("x", "x"))).message).toMatch(/another region or at another endpoint/);
  expect(other.history).toEqual([]);
  await other.close();
});

// Measures elapsed time, and fails by chance on a busy machine.
test("an aborted call does not wait for the pause between tries", { tags: "extended" }, async () => {
  server.addFault({ fault: { status: 503, code: "SlowDown" } });
  const signal = AbortSignal.timeout(300);
  const began = Date.now();
  await expect(bucket.put("x", "x", signal)).rejects.toMatchObject({ name: "TimeoutError" });
  expect(Date.now() - began).toBeLessThan(1_000);
});

test("uploads are aborted page by page, those of one path without those of similar paths", async () => {
  for (const path of ["u", "u/a", "u/b c", "u/ü", "v"]) await beginUpload(bucket, path);
  server.quirks.pageLimit = 2;
  await abortUploads(bucket, "u", "exactly");
  expect(server.uploads("archive").sort()).toEqual(["p/u/a", "p/u/b c", "p/u/ü", "p/v"]);
  await abortUploads(bucket, "u/", "below");
  expect(server.uploads("archive")).toEqual(["p/v"]);
});

test("an object larger than one request copies is copied in parts", async () => {
  const content = randomBytes(11 * 2 ** 20);
  await bucket.put("large ä", content);
  await copyObject(bucket, { from: "large ä", to: "copy", bytes: content.length }, 5 * 2 ** 20);
  expect(server.body("archive", "p/copy").equals(content)).toBe(true);
  expect(server.uploads("archive")).toEqual([]);
});

describe("a writer with a lease", () => {
  const past = (ms: number) => ({ steady: readClocks().steady - ms, wall: Date.now() - ms });
  const never = new AbortController().signal;
  const asked = () => server.history.map(({ operation }) => operation);

  test("sends nothing after the lease has expired, until it is confirmed", async () => {
    const id = await beginUpload(bucket, "large");
    const lease = new Lease(past(6_000));
    const under = bucket.under(lease);
    const before = server.history.length;
    const work = Promise.all([
      under.put("x", "x", never),
      beginUpload(under, "y", never),
      sendPart(under, { path: "large", id, number: 1 }, Buffer.from("part"), never),
    ]);
    await sleep(200);
    // A check that began before the process was suspended, and was reported later, confirms nothing.
    lease.confirm(past(5_500));
    await sleep(200);
    expect(server.history.length).toBe(before);
    lease.confirm(readClocks());
    const [, , part] = await work;
    expect(server.keys("archive")).toEqual(["p/x"]);
    const late = new Lease(past(6_000));
    const stopped = new AbortController();
    const completion = completeUpload(bucket.under(late), { path: "large", id, bytes: 4 }, [part], stopped.signal);
    setTimeout(() => stopped.abort(new Error("over")), 200);
    await expect(completion).rejects.toThrow("over");
    expect(server.keys("archive")).toEqual(["p/x"]);
    await abortUpload(bucket.under(late), "large", id);
    expect(server.uploads("archive")).toEqual(["p/y"]);
  });

  // The first try must begin within 100 ms.
  test("waits before a repeated try of the SDK, too", { tags: "extended" }, async () => {
    const lease = new Lease(past(4_900));
    server.addFault({ match: { operation: "put", times: 1 }, fault: { status: 503, code: "SlowDown", delay: 300 } });
    const work = bucket.under(lease).put("x", "x", never);
    await sleep(2_500);
    expect(asked()).toEqual(["put"]);
    lease.confirm(readClocks());
    await work;
    expect(asked()).toEqual(["put", "put"]);
  });

  test("counts the time during which the machine was suspended", async () => {
    const { steady } = readClocks();
    const under = bucket.under(new Lease({ steady, wall: Date.now() - 3_600_000 }));
    await expect(under.put("x", "x", AbortSignal.timeout(200))).rejects.toMatchObject({ name: "TimeoutError" });
    expect(server.keys("archive")).toEqual([]);
  });
});

describe("an upload that another worker has aborted", () => {
  /** The job tries again after an error that is not a Problem; no submission is suspended. */
  async function expectOrdinary(work: Promise<unknown>): Promise<void> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(Problem);
  }

  test("does not count as completed because an object of its size exists", async () => {
    await bucket.put("u", "four");
    const id = await beginUpload(bucket, "u");
    const part = await sendPart(bucket, { path: "u", id, number: 1 }, Buffer.from("4444"));
    await abortUpload(bucket, "u", id);
    await expectOrdinary(sendPart(bucket, { path: "u", id, number: 2 }, Buffer.from("more")));
    await expectOrdinary(completeUpload(bucket, { path: "u", id, bytes: 4 }, [part]));
    await expectOrdinary(bucket.copy("nowhere", "there"));
  });

  test("counts as completed if the response to an earlier try of the same completion was lost", async () => {
    const id = await beginUpload(bucket, "u");
    const part = await sendPart(bucket, { path: "u", id, number: 1 }, Buffer.from("4444"));
    server.addFault({ match: { operation: "completeUpload", times: 1 }, fault: { cutAfter: 0 } });
    await completeUpload(bucket, { path: "u", id, bytes: 4 }, [part]);
    expect(await bucket.text("u")).toBe("4444");
  });
});

test("AWS settings in the environment are ignored", async () => {
  vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKSOMEBODY");
  vi.stubEnv("AWS_REGION", "eu-nowhere-1");
  const other = await Bucket.open(placeAt(server.endpoint), 1);
  await other.put("x", "x");
  expect(server.keys("archive")).toEqual(["p/x"]);
  other.close();
});

test("TLS requires a trusted certificate; the configured file is trusted too", async () => {
  const tls = await certificate("IP:127.0.0.1");
  const secure = await startS3Server({ tls });
  secure.addAccount(keys);
  secure.createBucket("archive");
  const trusting = await Bucket.open({ ...placeAt(secure.endpoint), ca: [tls.cert] }, 1);
  await trusting.put("x", "x");
  const doubting = await Bucket.open(placeAt(secure.endpoint), 1);
  expect((await problemOf(doubting.put("y", "y"))).message).toMatch(/cannot be reached \(\w*SELF_SIGNED\w*\)/);
  expect(secure.keys("archive")).toEqual(["p/x"]);
  trusting.close();
  doubting.close();
  await secure.close();
});
