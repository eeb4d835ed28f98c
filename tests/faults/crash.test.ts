import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const OBJECTS = 3_000;

let s3: S3Server;
let data: string;
let running: Program | undefined;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("many");
  for (let i = 0; i < OBJECTS; i++)
    s3.put("many", `plots/${i % 10}/measurement-${i}.csv`, `measurement ${i}\n`.repeat(50));
});
afterAll(() => s3.close());
beforeEach(async () => {
  data = await createDataFolder();
  s3.clearHistory();
});
afterEach(async () => {
  await running?.end("SIGKILL");
  await rm(data, { recursive: true, force: true });
});

const access = () => ({ endpoint: s3.endpoint, bucket: "many", ...keys });
const whole = () => s3.history.filter(({ operation, headers }) => operation === "get" && headers.range === undefined);

async function start(): Promise<Program> {
  running = await startProgram(data);
  return running;
}

async function expectWhole(datasetId: string): Promise<void> {
  const { files } = await findPackage(join(data, "archive"), datasetId);
  for (const key of s3.keys("many")) {
    expect(files.get(`data/${key}`)?.sha512, key).toBe(await sha512(s3.body("many", key)));
  }
  const { findings } = await checkRoot(join(data, "archive", "ocfl"));
  expect(findings).toEqual([]);
}

test("kill -9 during the transfer: it completes automatically, and stored objects are not read again", async () => {
  let program = await start();
  // Half of the objects are stored when the process is killed.
  const removeFault = s3.addFault({
    match: { operation: "get", nth: OBJECTS / 2, times: Number.POSITIVE_INFINITY },
    fault: { stall: "forever" },
  });
  const { id } = await program.api.submit(access());
  await expect
    .poll(async () => (await program.api.submission(id)).progress.objectsStored ?? 0, { interval: 50 })
    .toBeGreaterThan(1_000);
  await program.end("SIGKILL");
  removeFault();
  s3.clearHistory();
  program = await start();
  const stored = (await program.api.submission(id)).progress.objectsStored ?? 0;
  const completed = await program.api.until(id, ["completed"]);
  const after = whole().map(({ key }) => key);
  expect(stored).toBeGreaterThan(1_000);
  expect(stored).toBeLessThan(OBJECTS);
  expect(after).toHaveLength(OBJECTS - stored);
  await expectWhole(completed.dataset?.id ?? "");
  expect(await readdir(join(data, "archive", "staging"))).toEqual([]);
});

test("kill -9 right after the 202: the submission exists and completes", { tags: "extended" }, async () => {
  let program = await start();
  const { id } = await program.api.submit(access());
  await program.end("SIGKILL");
  program = await start();
  const completed = await program.api.until(id, ["completed"]);
  await expectWhole(completed.dataset?.id ?? "");
});

test("kill -9 at many moments, also during recovery: it completes in the end", {
  tags: "extended",
}, async () => {
  let program = await start();
  const { id } = await program.api.submit(access());
  for (const milliseconds of [50, 400, 900, 150, 1300]) {
    await sleep(milliseconds);
    await program.end("SIGKILL");
    program = await start();
  }
  const completed = await program.api.until(id, ["completed"]);
  await expectWhole(completed.dataset?.id ?? "");
  const statuses = (await program.api.events(id)).map(({ type }) => type);
  expect(statuses.filter((type) => type === "completed")).toHaveLength(1);
  expect(statuses.filter((type) => type === "publishing")).toHaveLength(1);
});

test("SIGTERM ends the process within its grace period, and the next start continues", {
  tags: "extended",
}, async () => {
  let program = await start();
  const { id } = await program.api.submit(access());
  await expect
    .poll(async () => (await program.api.submission(id)).progress.objectsStored ?? 0, { interval: 10 })
    .toBeGreaterThan(100);
  const began = Date.now();
  expect(await program.end("SIGTERM")).toBe(0);
  expect(Date.now() - began).toBeLessThan(15_000);
  program = await start();
  await program.api.until(id, ["completed"]);
});

test("a second process on the same folder is refused with a message", { tags: "extended" }, async () => {
  await start();
  await expect(startProgram(data)).rejects.toThrow(/in use by another process/);
});

test("the secret is in no log, no file of the data folder, no command line", { tags: "extended" }, async () => {
  const program = await start();
  const { id } = await program.api.submit(access());
  await program.api.until(id, ["completed"]);
  await program.end("SIGTERM");
  expect(program.log()).not.toContain(keys.secretKey);
  const secret = Buffer.from(keys.secretKey);
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    expect((await readFile(file)).includes(secret), file).toBe(false);
  }
});
