import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";

const MIB = 1024 * 1024;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const KEY = "runs/camera.raw";
const BYTES = 192 * MIB + 12_345;

let s3: S3Server;
let data: string;
let running: Program | undefined;

beforeAll(async () => {
  // Objects larger than this get an ETag that is not derived from their content.
  s3 = await startS3Server({ digestLimit: BYTES });
  s3.addAccount(keys);
  s3.createBucket("large");
});
afterAll(() => s3.close());
beforeEach(async () => {
  data = await createDataFolder();
  s3.put("large", KEY, { seed: "camera", size: BYTES });
  s3.clearHistory();
  s3.clearFaults();
});
afterEach(async () => {
  await running?.end("SIGKILL");
  await rm(data, { recursive: true, force: true });
});

const access = () => ({ endpoint: s3.endpoint, bucket: "large", ...keys });
/** Returns the first byte of every requested range, except that of the connection test. */
const starts = () =>
  s3.history
    .filter(({ operation, headers }) => operation === "get" && /^bytes=\d+-/.test(headers.range ?? ""))
    // The range of the connection test.
    .filter(({ headers }) => headers.range !== "bytes=0-1023")
    .map(({ headers }) => Number(/\d+/.exec(headers.range ?? "")?.[0]));

async function start(): Promise<Program> {
  running = await startProgram(data);
  return running;
}

async function expectWhole(datasetId: string): Promise<void> {
  const { files } = await findPackage(join(data, "archive"), datasetId);
  const expected = await sha512(s3.body("large", KEY));
  expect(files.get(`data/${KEY}`)?.sha512).toBe(expected);
  expect(await sha512(files.get(`data/${KEY}`)?.file ?? "")).toBe(expected);
}

/** Returns the number of synced bytes, after which a later try continues. */
async function noted(id: string): Promise<number> {
  const folder = join(data, "archive", "staging", id, "incoming", "1");
  const names = await readdir(folder).catch(() => []);
  const note = names.find((name) => name.endsWith(".kept"));
  if (note === undefined) return 0;
  return (JSON.parse(await readFile(join(folder, note), "utf8")) as { bytes: number }).bytes;
}

describe("an object of many ranges", () => {
  test("is read in ranges and verified like any other", { tags: "extended" }, async () => {
    const program = await start();
    const { id } = await program.api.submit(access());
    const { dataset } = await program.api.until(id, ["completed"]);
    expect(starts().sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => i * 16 * MIB));
    const [file] = await program.api.files(id);
    expect(file).toMatchObject({ verifiedBy: "md5", bytes: BYTES });
    await expectWhole(dataset?.id ?? "");
  });

  test("continues at the last synced byte after kill -9", { tags: "extended" }, async () => {
    let program = await start();
    // The last ranges are never delivered.
    const release = s3.addFault({ match: { operation: "get", nth: 10, times: 1_000 }, fault: { stall: "forever" } });
    const { id } = await program.api.submit(access());
    await expect.poll(() => noted(id)).toBeGreaterThan(0);
    const kept = await noted(id);
    await program.end("SIGKILL");
    release();
    s3.clearHistory();
    program = await start();
    const { dataset } = await program.api.until(id, ["completed"]);
    expect(kept).toBeGreaterThanOrEqual(64 * MIB);
    expect(Math.min(...starts())).toBe(kept);
    await expectWhole(dataset?.id ?? "");
    expect(await readdir(join(data, "archive", "staging"))).toEqual([]);
  });

  test("does not continue after SIGTERM if it was replaced in the bucket, and a retry reads it from the start", {
    tags: "extended",
  }, async () => {
    let program = await start();
    const release = s3.addFault({ match: { operation: "get", nth: 6, times: 1_000 }, fault: { stall: "forever" } });
    const { id } = await program.api.submit(access());
    await expect.poll(() => starts().length).toBeGreaterThan(6);
    await program.end("SIGTERM");
    const kept = await noted(id);
    expect(kept).toBeGreaterThan(0);
    release();
    s3.put("large", KEY, { seed: "another", size: BYTES });
    s3.clearHistory();
    program = await start();
    const waiting = await program.api.until(id, ["waiting"]);
    expect(waiting.waiting?.code).toBe("objects_unreadable");
    const [file] = await program.api.files(id);
    expect(file?.error?.code).toBe("object_changed");
    await program.api.post(`/submission/${id}/retry`, {});
    const { dataset } = await program.api.until(id, ["completed"]);
    expect(Math.min(...starts())).toBe(0);
    await expectWhole(dataset?.id ?? "");
  });
});
