import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import type { Submission } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
});
afterAll(async () => {
  const { findings } = await checkRoot(join(service.archive, "ocfl"));
  await service.stop();
  await s3.close();
  expect(findings).toEqual([]);
});

function bucketOf(name: string, objects: Record<string, string>): Record<string, unknown> {
  s3.createBucket(name);
  for (const [key, body] of Object.entries(objects)) s3.put(name, key, body);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`o/${String(i).padStart(4, "0")}`, `object ${i}`]),
  );
}

const readsOf = (bucket: string) => s3.history.filter((one) => one.bucket === bucket && one.operation === "get");

describe("three objects that cannot be read", () => {
  let submission: Submission;
  const unreadable = ["o/0003", "o/0010", "o/0020"];

  beforeAll(async () => {
    const access = bucketOf("three", numbered(30));
    for (const key of unreadable) {
      s3.addFault({ match: { bucket: "three", operation: "get", key }, fault: { status: 403, code: "AccessDenied" } });
    }
    submission = await service.api.submit(access);
  });

  test("do not stop the others; the submission waits for a decision", async () => {
    const waiting = await service.api.until(submission.id, ["waiting"]);
    expect(waiting.waiting).toMatchObject({ code: "objects_unreadable", fault: "submitter" });
    expect(waiting.waiting?.action).toMatch(/retry, or exclude/);
    expect(waiting.progress).toMatchObject({ objectsStored: 27, objectsFailed: 3 });
    const failed = await service.api.files(submission.id, "&state=failed");
    expect(failed.map(({ key, error }) => [key, error?.code])).toEqual(unreadable.map((key) => [key, "object_denied"]));
  });

  test("only these objects can be excluded, and only with a reason", async () => {
    const path = `/submission/${submission.id}/exclude`;
    const wrong = await service.api.post(path, { keys: ["o/0003", "o/0004"], reason: "x" });
    expect(wrong.status).toBe(422);
    expect(wrong.json.errors).toMatchObject([{ pointer: "/keys/1", code: "not_unreadable" }]);
    expect((await service.api.post(path, { keys: unreadable })).status).toBe(422);
    const blank = await service.api.post(path, { keys: unreadable, reason: "\u200b\u3164" });
    expect(blank.json.errors).toMatchObject([{ pointer: "/reason", code: "required" }]);
    expect((await service.api.submission(submission.id)).progress.objectsFailed).toBe(3);
  });

  test("excluding them completes it; manifest and receipt name them", async () => {
    const reason = "kept back by the storage’s owner";
    const path = `/submission/${submission.id}/exclude`;
    expect((await service.api.post(path, { keys: unreadable, reason })).status).toBe(202);
    const completed = await service.api.until(submission.id, ["completed"]);
    const receipt = await service.api.receipt(submission.id);
    expect(receipt.counts).toEqual({ listed: 30, stored: 27, excluded: 3 });
    expect(receipt.exclusions.map(({ key, reason }) => [key, reason])).toEqual(unreadable.map((key) => [key, reason]));
    expect(receipt.sourceMayBeDeleted).toBe("no");
    const { manifest, files } = await findPackage(service.archive, completed.dataset?.id ?? "");
    const excluded = manifest.filter((line) => line.excluded !== undefined);
    expect(excluded.map(({ key, excluded }) => [key, excluded])).toEqual(
      unreadable.map((key) => [key, { reason, code: "object_denied" }]),
    );
    expect([...files.keys()].filter((path) => path.startsWith("data/"))).toHaveLength(27);
  });
});

test("excluding everything is refused", async () => {
  const access = bucketOf("nothing-left", { a: "a" });
  s3.addFault({
    match: { bucket: "nothing-left", operation: "get", key: "a", nth: 2 },
    fault: { status: 403, code: "AccessDenied" },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  const answer = await service.api.post(`/submission/${id}/exclude`, { keys: ["a"], reason: "x" });
  expect(answer.json.errors).toMatchObject([{ code: "nothing_left" }]);
});

test("an object that is overwritten before it is read is reported, not mixed; a retry reads its new content and keeps the others", async () => {
  const access = bucketOf("overwritten", numbered(40));
  // The check requests the first listing, the submission the second one. Later changes are not part of its frozen listing.
  s3.addFault({
    match: { bucket: "overwritten", operation: "get", key: "o/0001" },
    fault: { run: () => void s3.put("overwritten", "o/0030", "a new content, longer") },
  });
  const { id } = await service.api.submit(access);
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.waiting?.code).toBe("objects_unreadable");
  expect(await service.api.files(id, "&state=failed")).toMatchObject([
    { key: "o/0030", error: { code: "object_changed" } },
  ]);
  s3.clearFaults();
  s3.clearHistory();
  expect((await service.api.post(`/submission/${id}/retry`)).status).toBe(202);
  const completed = await service.api.until(id, ["completed"]);
  expect(completed.attempt).toBe(2);
  expect(readsOf("overwritten").map(({ key }) => key)).toEqual(["o/0030"]);
  expect((await service.api.files(id, "&prefix=data/o/0030"))[0]).toMatchObject({ state: "stored", bytes: 21 });
  expect((await service.api.receipt(id)).sourceMayBeDeleted).toBe("yes");
});

test("a change after the read is drift: the submission completes, but the source data may not be deleted", async () => {
  const access = bucketOf("drifting", numbered(10));
  let lists = 0;
  s3.addFault({
    match: { bucket: "drifting", operation: "list" },
    fault: {
      run: () => {
        lists++;
        if (lists !== 3) return;
        s3.put("drifting", "o/0002", "changed");
        s3.remove("drifting", "o/0004");
        s3.put("drifting", "o/0099", "appeared");
      },
    },
  });
  const { id } = await service.api.submit(access);
  const completed = await service.api.until(id, ["completed"]);
  expect(completed.drift.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
    { key: "o/0002", change: "changed" },
    { key: "o/0004", change: "vanished" },
    { key: "o/0099", change: "appeared" },
  ]);
  const receipt = await service.api.receipt(id);
  expect(receipt.drift).toHaveLength(3);
  expect(receipt.sourceMayBeDeleted).toBe("no");
});

test("a source that stops sending: the estimate is removed, and the stall is reported with its start and deadline", {
  tags: "extended",
}, async () => {
  const access = bucketOf("stalling", numbered(300));
  s3.put("stalling", "o/1000", Buffer.alloc(3_000_000));
  const match = { bucket: "stalling", operation: "get" } as const;
  s3.addFault({ match, fault: { delay: 20 } });
  let sendingAt = 0;
  const run = () => {
    sendingAt = Date.now();
  };
  s3.addFault({ match: { ...match, nth: 150 }, fault: { run } });
  s3.addFault({ match: { ...match, nth: 200, times: 10_000 }, fault: { stallAfter: 3 } });
  const { id } = await service.api.submit(access);
  type Stalling = { stalled: { since: string; until: string } | null; [name: string]: unknown };
  const progress = async () => (await service.api.submission(id)).progress as unknown as Stalling;
  await expect.poll(async () => (await progress()).stalled, { interval: 200 }).not.toBeNull();
  const { stalled, bytesPerSecond, secondsLeft } = await progress();
  expect([bytesPerSecond, secondsLeft]).toEqual([null, null]);
  const since = Date.parse(stalled?.since ?? "");
  expect(since).toBeGreaterThanOrEqual(sendingAt);
  expect(since).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(stalled?.until ?? "") - since).toBe(180_000);
  s3.clearFaults();
  // A stalled read is repeated after 30 s without data.
  await service.api.post(`/submission/${id}/cancel`);
  expect((await progress()).stalled).toBeNull();
});

test("a flipped bit is never stored as a success", async () => {
  const access = bucketOf("flipped", numbered(12));
  s3.addFault({ match: { bucket: "flipped", operation: "get", key: "o/0005" }, fault: { flipByte: 3 } });
  const { id } = await service.api.submit(access);
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.waiting?.code).toBe("objects_unreadable");
  expect(await service.api.files(id, "&state=failed")).toMatchObject([
    { key: "o/0005", error: { code: "source_corrupt" } },
  ]);
  expect(readsOf("flipped").filter(({ key }) => key === "o/0005").length).toBeGreaterThanOrEqual(2);
});

test("a body without its last chunk is read again, and never counts as complete", async () => {
  const access = bucketOf("unfinished", numbered(3));
  const match = { bucket: "unfinished", operation: "get", key: "o/0001" } as const;
  s3.addFault({ match: { ...match, nth: 1 }, fault: { withoutLastChunk: true } });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["completed"]);
  const ranges = readsOf("unfinished").flatMap(({ key, headers }) => (key === "o/0001" ? [headers.range] : []));
  expect(ranges).toEqual([undefined, "bytes=7-"]);
  const other = bucketOf("unfinished-ever", numbered(1));
  s3.addFault({ match: { bucket: "unfinished-ever", operation: "get" }, fault: { withoutLastChunk: true } });
  const refused = await service.api.post("/submission/upload/s3check/report", other);
  expect(refused.text).toContain("connection_reset");
});

test("a bit flipped once in transit is read again and corrected", async () => {
  const access = bucketOf("flipped-once", numbered(12));
  s3.addFault({ match: { bucket: "flipped-once", operation: "get", key: "o/0005", nth: 1 }, fault: { flipByte: 3 } });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["completed"]);
  expect((await service.api.receipt(id)).verified).toMatchObject({ md5: 12 });
});

test("bytes that differ between reads are never stored, even if no ETag of the bucket proved to be an MD5", async () => {
  const access = bucketOf("restless", { only: "0123456789" });
  let reads = 0;
  const flip = () => ({ flipByte: reads++ % 10 });
  const end = s3.addFault({
    match: { bucket: "restless", operation: "get", nth: 2, times: 99 },
    fault: { responseFaultFor: flip },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  expect(await service.api.files(id)).toMatchObject([{ state: "failed", error: { code: "source_corrupt" } }]);
  end();
  // Changed differently in the first two reads, and unchanged afterwards.
  s3.addFault({ match: { bucket: "restless", operation: "get", nth: 1, times: 2 }, fault: { responseFaultFor: flip } });
  await service.api.post(`/submission/${id}/retry`);
  await service.api.until(id, ["completed"]);
  expect((await service.api.receipt(id)).verified).toMatchObject({ md5: 1 });
});

test("a bit flipped once in an upload of one part is read again and corrected", async () => {
  const access = bucketOf("one-part", {});
  s3.put("one-part", "k", "0123456789", { partSize: 5 * 2 ** 20 });
  s3.addFault({ match: { bucket: "one-part", operation: "get", nth: 2 }, fault: { flipByte: 3 } });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["completed"]);
  expect((await service.api.receipt(id)).verified).toMatchObject({ "md5-parts": 1 });
});

test("ETags that only look like MD5 do not count as corruption if none proved to be one", async () => {
  s3.createBucket("lookalike");
  for (let i = 0; i < 5; i++) s3.put("lookalike", `${i}`, `body ${i}`, { etag: `${i}`.repeat(32) });
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket: "lookalike", ...keys });
  await service.api.until(id, ["completed"]);
  expect((await service.api.receipt(id)).verified).toMatchObject({ length: 5, md5: 0 });
});

test("an ETag that differs from the content counts as corruption if other ETags proved to be MD5", {
  tags: "extended",
}, async () => {
  const access = bucketOf("half-corrupt", numbered(6));
  s3.put("half-corrupt", "a-first", "body", { etag: "0".repeat(32) });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  expect(await service.api.files(id, "&state=failed")).toMatchObject([
    { key: "a-first", error: { code: "source_corrupt" } },
  ]);
  await service.api.post(`/submission/${id}/exclude`, { keys: ["a-first"], reason: "damaged" });
  await service.api.until(id, ["completed"]);
  expect((await service.api.receipt(id)).counts).toEqual({ listed: 7, stored: 6, excluded: 1 });
});

test("a period of 503 answers needs no intervention", { tags: "extended" }, async () => {
  const access = bucketOf("slow-down", numbered(20));
  s3.addFault({
    match: { bucket: "slow-down", operation: "get", times: 30 },
    fault: { status: 503, code: "SlowDown", headers: { "retry-after": "1" } },
  });
  const accepted = await service.api.submit(access).catch((error: Error) => error);
  // The connection test fails too. It reports the error and stores nothing.
  expect(String(accepted)).toMatch(/fewer requests/);
  s3.clearFaults();
  s3.addFault({
    match: { bucket: "slow-down", operation: "get", key: /[1-9]$/, times: 25 },
    fault: { status: 503, code: "SlowDown", headers: { "retry-after": "1" } },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["completed"]);
  expect(readsOf("slow-down").filter(({ status }) => status === 503).length).toBeGreaterThan(25);
});

test("a key that is revoked during the transfer: the submission waits for credentials, and completes with new ones without reading objects twice", async () => {
  const revoked = { accessKey: "AKSOONGONE", secretKey: "soon gone" };
  s3.addAccount(revoked);
  const access = { ...bucketOf("revoked", numbered(200)), ...revoked };
  let reads = 0;
  s3.addFault({
    match: { bucket: "revoked", operation: "get" },
    fault: {
      delay: 5,
      run: () => {
        reads++;
        if (reads === 60) s3.removeAccount(revoked.accessKey);
      },
    },
  });
  const { id } = await service.api.submit(access);
  const waiting = await service.api.until(id, ["waiting"], 30_000);
  expect(waiting.waiting).toMatchObject({ code: "credentials_rejected", fault: "submitter" });
  const stored = waiting.progress.objectsStored ?? 0;
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(200);
  s3.clearFaults();
  s3.clearHistory();
  const path = `/submission/${id}/credentials`;
  const wrong = await service.api.post(path, { s3Access: { ...keys, secretKey: "wrong" } });
  expect([wrong.status, wrong.json.code]).toEqual([422, "source_check_failed"]);
  const foreign = await service.api.post(path, { s3Access: { ...keys, bucket: "three" } });
  expect(foreign.json.errors).toMatchObject([{ pointer: "/s3Access/bucket", code: "wrong_value" }]);
  expect((await service.api.post(path, { s3Access: keys })).status).toBe(202);
  await service.api.until(id, ["completed"]);
  // The check reads one object, in addition to the missing ones.
  expect(readsOf("revoked").filter(({ headers }) => headers.range === undefined)).toHaveLength(200 - stored);
});

test("a cancelled submission allows no further action, and its staged files are removed", async () => {
  const access = bucketOf("cancelled", numbered(300));
  s3.addFault({ match: { bucket: "cancelled", operation: "get", nth: 20, times: 1_000 }, fault: { stall: "forever" } });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["transferring"]);
  const cancelled = await service.api.post(`/submission/${id}/cancel`);
  expect([cancelled.status, cancelled.json.status]).toEqual([202, "cancelled"]);
  expect((await service.api.post(`/submission/${id}/cancel`)).json.code).toBe("wrong_state");
  expect((await service.api.post(`/submission/${id}/retry`, { s3Access: keys })).json.code).toBe("wrong_state");
  expect((await service.api.post(`/submission/${id}/credentials`, { s3Access: keys })).json.code).toBe("wrong_state");
  await expect.poll(() => readdir(join(service.archive, "staging"))).not.toContain(id);
  expect((await service.api.get(`/submission/${id}/receipt`)).json.code).toBe("wrong_state");
  s3.clearFaults();
});

test("submissions that are cancelled while their listing begins leave nothing in the staging area", async () => {
  const access = bucketOf("cancelled-at-once", numbered(3));
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { id } = await service.api.submit(access);
      await service.api.until(id, ["listing", "transferring", "verifying", "packaging", "completed"]);
      await service.api.post(`/submission/${id}/cancel`);
      return id;
    }),
  );
  await service.settled();
  const staged = await readdir(join(service.archive, "staging"));
  expect(ids.filter((id) => staged.includes(id))).toEqual([]);
});

test("a completed submission cannot be cancelled, retried or given credentials", async () => {
  const { id } = await service.api.submit(bucketOf("done", { a: "a" }));
  await service.api.until(id, ["completed"]);
  for (const verb of ["cancel", "retry", "credentials"]) {
    const body = verb === "cancel" ? undefined : { s3Access: keys };
    const answer = await service.api.post(`/submission/${id}/${verb}`, body);
    expect([verb, answer.status]).toEqual([verb, 409]);
  }
});

/** Creates a submission that fails because the listing of its bucket never ends, and then repairs the bucket. */
async function failedOf(bucket: string): Promise<string> {
  const access = bucketOf(bucket, numbered(5));
  s3.quirks.repeatsFirstPage = true;
  s3.quirks.pageLimit = 2;
  try {
    const { id } = await service.api.submit(access);
    const failed = await service.api.until(id, ["failed"]);
    expect(failed.failure).toMatchObject({ code: "listing_loop", fault: "source" });
    return id;
  } finally {
    s3.quirks.repeatsFirstPage = false;
    delete s3.quirks.pageLimit;
  }
}

test("a listing that never ends fails, and the error names the cause", () => failedOf("endless"));

test("a failed submission can be retried only with credentials", async () => {
  const id = await failedOf("failed-first");
  expect((await service.api.post(`/submission/${id}/retry`)).json.code).toBe("credentials_required");
  expect((await service.api.post(`/submission/${id}/retry`, { s3Access: keys })).status).toBe(202);
  expect((await service.api.until(id, ["completed"])).attempt).toBe(2);
});

test("a failed submission can be cancelled, and its staged files are removed", async () => {
  const id = await failedOf("given-up");
  const staged = () => readdir(join(service.archive, "staging"));
  expect(await staged()).toContain(id);
  const cancelled = await service.api.post(`/submission/${id}/cancel`);
  expect([cancelled.status, cancelled.json.status, cancelled.json.failure]).toEqual([202, "cancelled", null]);
  await expect.poll(staged).not.toContain(id);
  expect((await service.api.post(`/submission/${id}/retry`, { s3Access: keys })).json.code).toBe("wrong_state");
});

test("too little disk space: the submission waits for the operator before the disk is full", async () => {
  const small = await startTestService({ ACCESSION_DISK_RESERVE: "900TiB" });
  try {
    const { id } = await small.api.submit(bucketOf("too-large", { a: "a" }));
    const waiting = await small.api.until(id, ["waiting"]);
    expect(waiting.waiting).toMatchObject({ code: "no_space", fault: "operator" });
    expect(
      (await small.api.post("/submission/upload/s3preview", { endpoint: s3.endpoint, bucket: "too-large", ...keys }))
        .json.fits,
    ).toBe(false);
  } finally {
    await small.stop();
  }
});

test("an unreachable source: the submission waits and states who must act", { tags: "extended" }, async () => {
  const gone = await startS3Server();
  gone.addAccount(keys);
  gone.createBucket("gone");
  for (let i = 0; i < 100; i++) gone.put("gone", `${i}`, `${i}`);
  gone.addFault({ match: { operation: "get", nth: 20, times: 1_000 }, fault: { stall: "forever" } });
  const { id } = await service.api.submit({ endpoint: gone.endpoint, bucket: "gone", ...keys });
  await service.api.until(id, ["transferring"]);
  await gone.close();
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.waiting).toMatchObject({ code: "source_unreachable", fault: "source" });
  expect(Date.parse(waiting.waiting?.until ?? "")).toBeGreaterThan(Date.now() + 13 * 86_400_000);
  await service.api.post(`/submission/${id}/cancel`);
});
