import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { validateDataset } from "../../src/archive/validation/check-object.ts";
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
import { apiReader, observe, SourceTracker } from "../support/data-source/source-tracker.ts";
import { type Postgres, postgresAdmin, startPostgres } from "../support/database/postgres.ts";
import { checkInvariants } from "../support/invariants/invariants.ts";
import { startTcpProxy } from "../support/network/tcp-proxy.ts";
import { type Machines, openMachines } from "../support/program/machines.ts";
import type { Program } from "../support/program/program.ts";
import { startReceiver } from "../support/receivers/receiver.ts";
import { lacks, skipNote } from "../support/tools.ts";

const keys = { accessKey: "AKMANY", secretKey: "a-secret/of+many" };
const BUCKET = "many";
const MIB = 1024 * 1024;
/** How long PostgreSQL is unavailable. For a manual test with one minute, set `DATABASE_AWAY_MS=60000`. */
const DATABASE_AWAY_MS = Number(process.env.DATABASE_AWAY_MS ?? 2_000);
/** Maximum time until another worker takes over the work of a crashed one. In CI it is longer, because three test files share two cores. */
const TAKEN_OVER_MS = process.env.CI === "true" ? 30_000 : 15_000;
/** How long a worker is suspended: longer than the lease of a job whose worker does not respond. */
const FROZEN_MS = 12_000;

/** Returns whether a stream delivers a text in time. The rest of the stream is discarded. */
async function saidWithin(stream: Response, text: string, milliseconds: number): Promise<boolean> {
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const late = setTimeout(() => void reader?.cancel(), milliseconds);
  let said = "";
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    said += piece.value;
    if (said.includes(text)) break;
  }
  clearTimeout(late);
  await reader?.cancel();
  return said.includes(text);
}

describe.skipIf(lacks("PostgreSQL"))(`several machines on one PostgreSQL ${skipNote("PostgreSQL")}`, () => {
  let postgres: Postgres;
  let database: string;
  let machines: Machines;
  let s3: S3Server;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    s3 = await startS3Server();
    s3.addAccount(keys);
    s3.createBucket(BUCKET);
    database = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    machines = await openMachines(database);
  });
  afterEach(async () => {
    await machines[Symbol.asyncDispose]();
    await s3.close();
  });

  const access = (bucket = BUCKET) => ({ endpoint: s3.endpoint, bucket, ...keys });
  const stored = async (api: Program, id: string) =>
    (await api.api.submission(id).catch(() => undefined))?.progress.objectsStored ?? 0;
  const reached = (api: Program, id: string, objects: number, timeout = 180_000) =>
    expect.poll(() => stored(api, id), { timeout, interval: 50 }).toBeGreaterThanOrEqual(objects);

  test("a worker that crashes: another one takes over its work within 15 s", { tags: "extended" }, async () => {
    // Enough objects to last until the second worker has started on a busy machine.
    for (let i = 0; i < 800; i++) s3.put(BUCKET, `k${i}`, { seed: `${i}`, size: 100 });
    s3.addFault({ match: { operation: "get" }, fault: { delay: 1_000 } });
    const api = await machines.api();
    const first = await machines.worker();
    const { id } = await api.api.submit(access());
    const live = fetch(`${api.url}/submission/${id}/events`, { headers: { accept: "text/event-stream" } });
    await reached(api, id, 10);
    const second = await machines.worker();
    await first.end("SIGKILL");
    const diedAt = Date.now();
    const before = await stored(api, id);
    // The requests of the crashed worker have arrived by then.
    await sleep(1_000);
    const asked = s3.history.length;
    await expect.poll(() => s3.history.length, { timeout: TAKEN_OVER_MS + 5_000, interval: 20 }).toBeGreaterThan(asked);
    expect(Date.now() - diedAt).toBeLessThan(TAKEN_OVER_MS);
    await reached(api, id, before + 1);
    s3.clearFaults();
    await api.api.until(id, ["completed"]);
    // The event was pushed by another process, not found by polling every five seconds.
    expect(await saidWithin(await live, "event: completed", 1_000)).toBe(true);
    expect(await second.end("SIGTERM")).toBe(0);
  });

  test("a worker that is stopped returns its work to another one immediately", { tags: "extended" }, async () => {
    for (let i = 0; i < 4_000; i++) s3.put(BUCKET, `k${i}`, { seed: `${i}`, size: 100 });
    s3.addFault({ match: { operation: "get" }, fault: { delay: 300 } });
    const api = await machines.api();
    const first = await machines.worker();
    const { id } = await api.api.submit(access());
    await reached(api, id, 10);
    await machines.worker();
    expect(await first.end("SIGTERM")).toBe(0);
    const asked = s3.history.length;
    await expect.poll(() => s3.history.length, { interval: 20 }).toBeGreaterThan(asked);
    s3.clearFaults();
    await api.api.until(id, ["completed"]);
  });

  test("three workers, 20,000 objects: one crashes, one is suspended and resumes, PostgreSQL restarts", {
    tags: "extended",
  }, async () => {
    for (let i = 0; i < 20_000; i++) s3.put(BUCKET, `plots/${i % 50}/k${i}`, { seed: `${i}`, size: (i * 37) % 900 });
    s3.addFault({ match: { operation: "get" }, fault: { delay: 20 } });
    const truth = new SourceTracker(s3, BUCKET);
    // All processes start at once, with an empty database and without an archive. One creates the archive, the others wait.
    const workers = [machines.worker(), machines.worker(), machines.worker()] as const;
    const [api, first, second] = await Promise.all([machines.api(), ...workers]);
    const { id } = await api.api.submit(access());
    const observed = [await observe(api.api, id)];
    await reached(api, id, 2_000);
    await first.end("SIGKILL");
    await reached(api, id, 4_000);
    second.process.kill("SIGSTOP");
    const frozenAt = Date.now();
    await reached(api, id, 6_000);
    await postgres.restart(async () => {
      const { status, json } = await api.api.get(`/submission/${id}`);
      expect([status, (json as { code: string }).code]).toEqual([503, "unavailable"]);
      await sleep(DATABASE_AWAY_MS);
    });
    await reached(api, id, 12_000);
    observed.push(await observe(api.api, id));
    await sleep(Math.max(0, frozenAt + TAKEN_OVER_MS - Date.now()));
    second.process.kill("SIGCONT");
    await api.api.until(id, ["completed"]);
    observed.push(await observe(api.api, id));
    const found = await checkInvariants({
      source: truth.expectedObjects(),
      data: `${machines.folder}/api`,
      archive: machines.archive,
      get: apiReader(api.api),
      accepted: [id],
      observed,
      history: s3.history,
      secrets: [keys.secretKey],
      logs: machines.logs(),
    });
    expect(found).toEqual([]);
    await expectOnce(api, id);
    expect(await checkRoot(join(machines.archive, "ocfl"))).toMatchObject({ findings: [], objects: 1 });
  });

  test("an archive in S3: a worker crashes, one is suspended with a large object, one until all work has ended", {
    tags: "extended",
  }, async () => {
    await using archive = await openArchive();
    const small = Array.from({ length: 3_000 }, (_, i) => `plots/${i % 50}/k${i}`);
    for (const [i, key] of small.entries()) s3.put(BUCKET, key, { seed: key, size: (i * 37) % 900 });
    // The large objects are in different chunks.
    const large = [0, 25, 49].map((plot) => `plots/${plot}/large`);
    for (const key of large) s3.put(BUCKET, key, { seed: key, size: 40 * MIB });
    s3.addFault({ match: { operation: "get" }, fault: { delay: 20 } });
    archive.addFault({ match: { operation: "uploadPart" }, fault: { delay: 500 } });
    // Each worker uses a separate proxy to the archive, which identifies its requests.
    await using first = await startTcpProxy(archive.port, () => undefined);
    await using second = await startTcpProxy(archive.port, () => undefined);
    await using third = await startTcpProxy(archive.port, () => undefined);
    const starting = [first, second, third].map(async ({ port }) => {
      const host = `127.0.0.1:${port}`;
      return [host, await machines.worker(archiveSettings(`http://${host}`))] as const;
    });
    const [api, ...started] = await Promise.all([machines.api(archiveSettings(archive.endpoint)), ...starting]);
    const workers = new Map(started);
    /** Waits until a worker sends content with this operation, and removes it from `workers`. */
    const takeSender = async (operation: string) => {
      const hostOfSender = () =>
        archive.history
          .filter((one) => one.operation === operation && one.key.includes("/v1/content/"))
          .map(({ headers }) => headers.host ?? "")
          .findLast((host) => workers.has(host));
      const host = await vi.waitUntil(hostOfSender, { interval: 5 });
      const worker = workers.get(host);
      workers.delete(host);
      return worker?.process;
    };
    const { id } = await api.api.submit(access());
    const frozen = await takeSender("uploadPart");
    frozen?.kill("SIGSTOP");
    const wake = sleep(FROZEN_MS).then(() => frozen?.kill("SIGCONT"));
    const lost = await takeSender("put");
    lost?.kill("SIGSTOP");
    const [dying] = workers.values();
    await machines.worker(archiveSettings(archive.endpoint));
    await dying?.end("SIGKILL");
    await wake;
    const { dataset } = await api.api.until(id, ["completed"], 90_000);
    // The requests that were in progress when it was suspended arrive now, after publication.
    lost?.kill("SIGCONT");
    await sleep(3_000);
    await expectOnce(api, id);
    expect(archive.uploads(archiveBucket)).toEqual([]);
    expect(visibleDatasets(archivePaths(archive))).toHaveLength(1);
    await using downloaded = await downloadVisible(archive);
    const { folder, files } = await findPackage(downloaded.folder, dataset?.id ?? "");
    expect((await validateDataset(folder)).findings).toEqual([]);
    const data = [...files].filter(([path]) => path.startsWith("data/"));
    expect(data.map(([path]) => path.slice("data/".length)).sort()).toEqual([...small, ...large].sort());
    for (const [path, file] of data) {
      expect(await sha512(file.file), path).toBe(await sha512(s3.body(BUCKET, path.slice("data/".length))));
    }
    const listed = await api.api.files(id);
    expect(listed.map(({ key }) => key).sort()).toEqual([...small, ...large].sort());
  });

  /** Expects that the submission was published once, and that its log states this once. */
  async function expectOnce(api: Program, id: string): Promise<void> {
    const events = (await api.api.get(`/submission/${id}/events?limit=10000`)).json as { type: string }[];
    const last = events.map(({ type }) => type).filter((type) => type === "publishing" || type === "completed");
    expect(last).toEqual(["publishing", "completed"]);
  }

  test("if a worker crashes during a webhook delivery, another one delivers it with the same id and in order", {
    tags: "extended",
  }, async () => {
    await using receiver = await startReceiver();
    s3.put(BUCKET, "a.csv", "a");
    const api = await machines.api();
    const worker = await machines.worker();
    const unanswered = () => receiver.received.find(({ json }) => json.type === "submission.verifying");
    receiver.answer(({ json }) => (json.type === "submission.verifying" ? new Promise<number>(() => undefined) : 204));
    expect((await api.api.post("/webhook", { url: receiver.url })).status).toBe(201);
    await api.api.submit({ endpoint: s3.endpoint, bucket: BUCKET, ...keys });
    await vi.waitUntil(() => unanswered() !== undefined);
    await worker.end("SIGKILL");
    receiver.answer(() => 204);
    await machines.worker();
    await receiver.until("completed");
    const accepted = receiver.accepted();
    const types = accepted.map(({ json }) => json.type.replace("submission.", ""));
    expect(types).toEqual(["accepted", "listing", "transferring", "verifying", "packaging", "completed"]);
    expect(accepted[3]?.headers["webhook-id"]).toBe(unanswered()?.headers["webhook-id"]);
  });
});

async function openArchive(): Promise<S3Server & AsyncDisposable> {
  const archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  return Object.assign(archive, { [Symbol.asyncDispose]: () => archive.close() });
}
