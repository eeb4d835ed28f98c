/** @module-tag extended */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Api } from "../support/api/api.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";

const keys = { accessKey: "AKREADER", secretKey: "canaryOfTheHeap7f3a99c1d2" };
let s3: S3Server;
let data: string;
let folder: string;
let service: ChildProcess;
let lines: AsyncIterator<string>;
let api: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("field");
  for (let n = 0; n < 50; n++) s3.put("field", `plot/${n}.csv`, `measurement ${n}\n`);
  data = await createDataFolder();
  folder = await mkdtemp(join(tmpdir(), "accession-heaps-"));
  const program = join(import.meta.dirname, "../support/program/heap-service.ts");
  const settings = { ACCESSION_DATA: data, ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "silent" };
  service = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said: Interface = createInterface({ input: service.stdout as NodeJS.ReadableStream });
  lines = said[Symbol.asyncIterator]();
  api = new Api((await lines.next()).value as string);
});
afterAll(async () => {
  service.stdin?.end();
  if (service.exitCode === null) await once(service, "exit");
  await s3.close();
  await rm(data, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

/** Returns the number of heaps of the process, and the heaps that contain the secret. */
async function heapsWithSecret(): Promise<{ heaps: number; found: string[] }> {
  service.stdin?.write(`${folder}\n`);
  const heaps = Number((await lines.next()).value);
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    let tail = "";
    for await (const part of createReadStream(join(folder, name), { encoding: "latin1", highWaterMark: 1 << 20 })) {
      const text = tail + part;
      if (text.includes(keys.secretKey)) found.push(name);
      tail = text.slice(-keys.secretKey.length);
    }
    await rm(join(folder, name));
  }
  return { heaps, found };
}

test("a bucket’s secret is in a heap during its submission, and in none after the submission has ended", async () => {
  const access = { endpoint: s3.endpoint, bucket: "field", ...keys };
  const stall = s3.addFault({ match: { operation: "get", nth: 20, times: 1_000 }, fault: { stall: "forever" } });
  const { id } = await api.submit(access);
  await expect.poll(() => s3.history.filter(({ operation }) => operation === "get").length).toBeGreaterThan(20);
  const during = await heapsWithSecret();
  expect(during.found).not.toEqual([]);
  // The heaps of the main thread and of at least one reading thread.
  expect(during.heaps).toBeGreaterThan(1);
  stall();
  await api.post(`/submission/${id}/cancel`);
  await api.until(id, ["cancelled"]);
  const other = await api.submit(access);
  await api.until(other.id, ["completed"]);
  // References that wait for an event, such as the end of a connection, are released within seconds.
  await expect.poll(heapsWithSecret, { interval: 3_000 }).toMatchObject({ found: [] });
});
