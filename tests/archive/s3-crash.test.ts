/** @module-tag extended */

import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Operation, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archiveSettings,
  downloadVisible,
  visibleDatasets,
} from "../support/archive/s3-archive.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";

const MIB = 1024 * 1024;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const KILLS = Number(process.env.KILLS ?? 4);
const writes: Operation[] = ["put", "copy", "delete", "deleteMany", "createUpload", "uploadPart", "completeUpload"];
vi.setConfig({ testTimeout: 600_000 });
let source: S3Server;
let archive: S3Server;
let data: string;
let program: Program;
const logs: string[] = [];

beforeAll(async () => {
  source = await startS3Server();
  source.addAccount(keys);
  source.createBucket("many");
  for (let i = 0; i < 60; i++) source.put("many", `plots/${i}.csv`, `measurement ${i}\n`.repeat(50));
  source.put("many", "large.bin", { seed: "large", size: 36 * MIB });
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  data = await createDataFolder();
});
afterAll(async () => {
  await program?.end("SIGKILL");
  await rm(data, { recursive: true, force: true });
  await source.close();
  await archive.close();
});

async function start(): Promise<void> {
  program = await startProgram(data, archiveSettings(archive.endpoint));
}

async function submitted(): Promise<string> {
  return (await program.api.submit({ endpoint: source.endpoint, bucket: "many", ...keys })).id;
}

const visible = () => visibleDatasets(archivePaths(archive));

/** Counts write requests to the archive. The program is killed at the request with the number `last`. */
function countWrites(last = Number.POSITIVE_INFINITY): { count: () => number; end: () => void } {
  let count = 0;
  const run = () => {
    count++;
    if (count === last) program.process.kill("SIGKILL");
  };
  const ends = writes.map((operation) => archive.addFault({ match: { operation }, fault: { run } }));
  return { count: () => count, end: () => ends.forEach((end) => void end()) };
}

async function expectWhole(known: ReadonlySet<string>, dataset?: string): Promise<void> {
  await using downloaded = await downloadVisible(archive, (object) => !known.has(object));
  expect((await checkRoot(join(downloaded.folder, "ocfl"))).findings).toEqual([]);
  if (dataset === undefined) return;
  const { files } = await findPackage(downloaded.folder, dataset);
  for (const key of source.keys("many")) {
    expect(files.get(`data/${key}`)?.sha512, key).toBe(await sha512(source.body("many", key)));
  }
}

test("kill -9 at successive writes: visible datasets are complete, and the submission finally completes", async () => {
  await start();
  const dry = countWrites();
  await program.api.until(await submitted(), ["completed"], 60_000);
  await expect.poll(() => archivePaths(archive, "staging/")).toEqual([]);
  const total = dry.count();
  dry.end();
  expect(total).toBeGreaterThan(80);
  const known = new Set(visible());
  // Spread over the run, and denser towards its end, where the dataset is published and staged files are removed.
  const moments = Array.from({ length: KILLS }, (_, i) => Math.max(1, Math.round(total * (1 - (1 - i / KILLS) ** 2))));
  // A run may need fewer writes than the one that was counted.
  const isOver = async (id: string) => {
    if (program.process.signalCode !== null) return true;
    const { status } = await program.api.submission(id).catch(() => ({ status: "gone" }));
    return status === "completed";
  };
  let kills = 0;
  for (const moment of moments) {
    const counted = countWrites(moment);
    const id = await submitted();
    await vi.waitUntil(() => isOver(id), { interval: 40 });
    counted.end();
    await expectWhole(known);
    if (program.process.signalCode === "SIGKILL") {
      kills++;
      logs.push(program.log());
      await start();
    }
    const { dataset } = await program.api.until(id, ["completed"], 90_000);
    await expectWhole(known, dataset?.id);
    for (const object of visible()) known.add(object);
    expect(archive.uploads(archiveBucket), String(moment)).toEqual([]);
    // The probe of a killed start contains nothing.
    const staged = archivePaths(archive, "staging/").filter((path) => !path.endsWith("/.probe"));
    expect(staged, String(moment)).toEqual([]);
  }
  expect(visible()).toHaveLength(KILLS + 1);
  expect(kills).toBeGreaterThanOrEqual(KILLS - 2);
});

test("the archive’s secret key is in no log, response or file", async () => {
  const [submission] = (await program.api.get("/submission")).json.submissions ?? [];
  const answers = await Promise.all(
    [
      "/submission",
      `/submission/${submission?.id}`,
      `/submission/${submission?.id}/events`,
      "/metrics",
      "/health/ready",
    ].map(async (path) => (await program.api.get(path)).text),
  );
  await program.end("SIGTERM");
  for (const text of [...logs, program.log(), ...answers]) expect(text).not.toContain(archiveKeys.secretKey);
  const secret = Buffer.from(archiveKeys.secretKey);
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    expect((await readFile(file)).includes(secret), file).toBe(false);
  }
  expect(await readdir(data)).not.toContain("archive");
});
