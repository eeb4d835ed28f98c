import { once } from "node:events";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
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
  await service.stop();
  await s3.close();
});

function bucketOf(name: string, objects: Record<string, string>): Record<string, unknown> {
  s3.createBucket(name);
  for (const [key, body] of Object.entries(objects)) s3.put(name, key, body);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`o/${String(i).padStart(4, "0")}`, `object ${i}`]));

test("a late read of an earlier attempt never overwrites content that a later attempt stored", async () => {
  const old = "A".repeat(200_000);
  const access = bucketOf("zombie", { k: old, z: "z" });
  const stopStalling = s3.addFault({
    match: { bucket: "zombie", operation: "get", key: "k", nth: 2 },
    fault: { stallAfter: 1_000 },
  });
  const deny = s3.addFault({
    match: { bucket: "zombie", operation: "get", key: "z", nth: 1 },
    fault: { status: 403, code: "InvalidAccessKeyId" },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  deny();
  stopStalling();
  s3.put("zombie", "k", "B");
  expect((await service.api.post(`/submission/${id}/retry`)).status).toBe(202);
  const completed = await service.api.until(id, ["completed"]);
  const { files } = await findPackage(service.archive, completed.dataset?.id ?? "");
  const file = files.get("data/k")?.file ?? "";
  expect(await readFile(file, "utf8")).toBe("B");
  expect(await sha512(file)).toBe(files.get("data/k")?.sha512);
});

test("a waiting or cancelled submission closes its connections", { tags: "extended" }, async () => {
  const open = new Set<Socket>();
  const between = createServer((socket) => {
    open.add(socket.once("close", () => open.delete(socket)).on("error", () => undefined));
    const onward = connect(s3.port, "127.0.0.1").on("error", () => socket.destroy());
    socket
      .pipe(onward)
      .pipe(socket)
      .once("close", () => onward.destroy());
  }).listen(0, "127.0.0.1");
  await once(between, "listening");
  const endpoint = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  const access = { ...bucketOf("slow", { large: "x".repeat(500_000) }), endpoint };
  s3.addFault({ match: { bucket: "slow", operation: "get", nth: 2 }, fault: { stallAfter: 10 } });
  const { id } = await service.api.submit(access);
  await expect.poll(() => s3.history.filter((one) => one.bucket === "slow" && one.operation === "get").length).toBe(2);
  await service.api.post(`/submission/${id}/cancel`);
  // Idle connections are kept for some seconds. The connection with the endless body must be closed immediately.
  await expect.poll(() => open.size).toBe(0);
  expect((await service.api.submission(id)).status).toBe("cancelled");
  between.close();
});

for (const [damage, spoil] of [
  ["missing", (file: string) => rm(file)],
  ["cut short", (file: string) => truncate(file, 2)],
] as const) {
  test(`a staged file that is ${damage} is detected before publication, and a retry reads all objects again`, async () => {
    const bucket = `damaged-${damage.replace(" ", "-")}`;
    const access = bucketOf(bucket, numbered(6));
    let id = "";
    let lists = 0;
    // The third listing looks for changes. At that time all objects are stored, and none are packaged.
    s3.addFault({
      match: { bucket, operation: "list" },
      fault: {
        run: async () => {
          lists++;
          if (lists === 3) await spoil(join(service.archive, "staging", id, "package/v1/content/data/o/0002"));
        },
      },
    });
    ({ id } = await service.api.submit(access));
    const failed = await service.api.until(id, ["failed"]);
    expect(failed.failure).toMatchObject({ code: "verification_failed", fault: "service" });
    s3.clearFaults();
    s3.clearHistory();
    await service.api.post(`/submission/${id}/retry`, { s3Access: keys });
    await service.api.until(id, ["completed"]);
    const reads = s3.history.filter(({ operation, headers }) => operation === "get" && headers.range === undefined);
    expect(reads).toHaveLength(6);
  });
}

test("staged files without an object are not published, and files of unusual keys are", async () => {
  const access = bucketOf("left-over", { ...numbered(3), a: "1", "a/b": "2", "b//c": "3" });
  let id = "";
  let lists = 0;
  s3.addFault({
    match: { bucket: "left-over", operation: "list" },
    fault: {
      run: async () => {
        lists++;
        if (lists !== 3) return;
        const content = join(service.archive, "staging", id, "package/v1/content");
        for (const path of ["data/left-over", "data/o/0009", "data/%keys/x%", "by-key/00/left-over"]) {
          await mkdir(join(content, path, ".."), { recursive: true });
          await writeFile(join(content, path), "whose?");
        }
      },
    },
  });
  ({ id } = await service.api.submit(access));
  const completed = await service.api.until(id, ["completed"]);
  const { folder, manifest } = await findPackage(service.archive, completed.dataset?.id ?? "");
  expect(manifest).toHaveLength(6);
  const { findings } = await checkRoot(join(service.archive, "ocfl"));
  expect(findings).toEqual([]);
  await expect(readFile(join(folder, "v1/content/data/left-over"))).rejects.toThrow("ENOENT");
});

test("a second listing that never ends fails, and the error names the cause", async () => {
  const access = bucketOf("cyclic-relisting", numbered(7));
  let lists = 0;
  s3.addFault({
    match: { bucket: "cyclic-relisting", operation: "list" },
    fault: {
      run: () => {
        lists++;
        if (lists < 3) return;
        s3.quirks.repeatsFirstPage = true;
        s3.quirks.pageLimit = 2;
      },
    },
  });
  try {
    const { id } = await service.api.submit(access);
    const failed = await service.api.until(id, ["failed"]);
    expect(failed.failure?.code).toBe("listing_loop");
  } finally {
    s3.clearFaults();
    s3.quirks.repeatsFirstPage = false;
    delete s3.quirks.pageLimit;
  }
});

test("A, then B, then A again: every attempt stores the objects of its own listing", async () => {
  const access = bucketOf("back-and-forth", { k: "content A", bad: "bad" });
  s3.addFault({
    match: { bucket: "back-and-forth", operation: "get", key: "bad" },
    fault: { status: 403, code: "AccessDenied" },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  s3.put("back-and-forth", "k", "content B, longer");
  await service.api.post(`/submission/${id}/retry`);
  await service.api.until(id, ["waiting"]);
  s3.put("back-and-forth", "k", "content A");
  s3.clearFaults();
  await service.api.post(`/submission/${id}/retry`);
  const completed = await service.api.until(id, ["completed"]);
  expect(completed.attempt).toBe(3);
  const { files } = await findPackage(service.archive, completed.dataset?.id ?? "");
  expect(await readFile(files.get("data/k")?.file ?? "", "utf8")).toBe("content A");
});

test("a requester-pays bucket is read on the account of the submitter, and of other keys only if that is stated again", async () => {
  s3.createBucket("paid", { requesterPays: true });
  s3.put("paid", "large", "x".repeat(200_000));
  s3.put("paid", "small", "1,2");
  const access = { endpoint: s3.endpoint, bucket: "paid", ...keys, requesterPays: true };
  const checked = await service.api.post("/submission/upload/s3check/report", { ...access, requesterPays: false });
  expect(checked.json).toMatchObject({ ok: false, message: expect.stringContaining("If requesters pay") });
  const preview = await service.api.post("/submission/upload/s3preview", access);
  expect([preview.status, preview.json.objects]).toEqual([200, 2]);
  s3.clearHistory();
  const deny = s3.addFault({
    match: { bucket: "paid", operation: "get", key: "small", nth: 1 },
    fault: { status: 403, code: "InvalidAccessKeyId" },
  });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  deny();
  s3.addAccount({ accessKey: "AKSECOND", secretKey: "secret-key-number-two" });
  const second = { accessKey: "AKSECOND", secretKey: "secret-key-number-two" };
  const replace = (s3Access: object) => service.api.post(`/submission/${id}/credentials`, { s3Access });
  expect((await replace(second)).json.detail).toContain("requesters pay");
  s3.clearHistory();
  // With the same access key it need not be stated again.
  expect((await replace(keys)).status).toBe(202);
  expect((await replace({ ...second, requesterPays: true })).status).toBe(202);
  await service.api.until(id, ["completed"]);
  const asked = s3.history.filter(({ bucket }) => bucket === "paid");
  expect(asked.length).toBeGreaterThan(5);
  for (const { headers } of asked) expect(headers["x-amz-request-payer"]).toBe("requester");
});
