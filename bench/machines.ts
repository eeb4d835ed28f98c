/** `npm run bench:machines`: measures the gain of more workers, with a source whose responses are delayed by 50 ms; see README.md. */
import { once } from "node:events";
import { join } from "node:path";
import {
  INSTALL_POSTGRES,
  postgresAdmin,
  postgresPrograms,
  startPostgres,
} from "../tests/support/database/postgres.ts";
import { openMachines } from "../tests/support/program/machines.ts";
import { equalObjects, KIB } from "./support/cases.ts";
import { start, stop } from "./support/children.ts";
import { writeResults } from "./support/machine.ts";
import { memoryOf } from "./support/measure.ts";
import {
  flushWrites,
  RequirementError,
  readArguments,
  readCount,
  requirePrograms,
  run,
  workFolder,
} from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { type Bucket, KEYS, openSource, warm } from "./support/source.ts";

const program = join(import.meta.dirname, "support/delay-proxy.ts");
const module = join(import.meta.dirname, "../dist/src/cli/accession.js");
const DELAY_MS = 50;
/** Connections per worker (default of the service: 64). Few enough that eight workers do not saturate a small machine. */
const CONNECTIONS = 4;
/** Objects that a worker reads before the measurement, because a process is several times slower right after its start. */
const WARMING = 500;
const WORKERS = [1, 2, 4, 8];
const ROUNDS = 1;
const MOST_MS = 1_800_000;
const LEAST = new Map([
  [4, 3.4],
  [8, 6],
]);

interface Shared {
  workers: number;
  /** From the POST request to `completed`. */
  seconds: number;
  /** In the statuses `listing` and `transferring`, while objects are transferred. */
  movingSeconds: number;
  /** Maximum resident memory of a worker. */
  peakMib: number;
}

await run(async () => {
  const { texts, flags } = readArguments(["runs", "objects", "work"], ["smoke"]);
  const rounds = readCount("runs", texts.runs, ROUNDS);
  const objects = readCount("objects", texts.objects, flags.smoke ? 100 : 16_000);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  if (postgresPrograms() === undefined) throw new RequirementError(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const name = `machines-${objects}`;
  const counts = flags.smoke ? WORKERS.slice(0, 2) : WORKERS;
  const warming = flags.smoke ? 10 : WARMING;
  const { server, buckets } = await openSource(work, [
    equalObjects(name, `${objects} × 4 KiB`, objects, 4 * KIB),
    ...counts.map((count) => equalObjects("warming", `${count * warming} × 4 KiB`, count * warming, 4 * KIB)),
  ]);
  const [bucket, ...warmers] = buckets;
  if (bucket === undefined) throw new Error("No bucket was made");
  warm(work, bucket);
  const runs: Shared[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, workers] of counts.entries()) {
      flushWrites(work);
      runs.push(await ingest(bucket, warmers[index] ?? bucket, workers));
    }
  }
  await server.stop();
  console.log(table(rows(objects, runs)));
  console.log(`\n${writeResults("machines", { rounds, objects, delayMs: DELAY_MS, connections: CONNECTIONS, runs })}`);
});

/** Starts a database, an archive, an API process and this many workers. All are ready and warmed up before the POST request. */
async function ingest(bucket: Bucket, warming: Bucket, workers: number): Promise<Shared> {
  const { port } = new URL(bucket.endpoint);
  const proxy = start(process.execPath, [program, port, String(DELAY_MS)], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = proxy.stdout === null ? [""] : await once(proxy.stdout, "data");
  const endpoint = `http://127.0.0.1:${String(said).trim()}`;
  const postgres = await startPostgres({ durable: true });
  try {
    const database = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    await using machines = await openMachines(database, { module });
    const settings = { ACCESSION_LOG_LEVEL: "info", ACCESSION_SOURCE_CONNECTIONS: String(CONNECTIONS) };
    const { api } = await machines.api();
    const started = await Promise.all(Array.from({ length: workers }, () => machines.worker(settings)));
    const first = await api.submit({ endpoint, bucket: warming.bucket, ...KEYS });
    await api.until(first.id, ["completed"], MOST_MS);
    const since = performance.now();
    const { id } = await api.submit({ endpoint, bucket: bucket.bucket, ...KEYS });
    const { progress } = await api.until(id, ["completed"], MOST_MS);
    const seconds = (performance.now() - since) / 1000;
    if (progress.objectsStored !== bucket.objects) throw new Error(`${progress.objectsStored} objects were stored`);
    const { json } = await api.get(`/submission/${id}/events`);
    const at = (type: string) =>
      Date.parse((json as { type: string; at: string }[]).find((e) => e.type === type)?.at ?? "");
    const movingSeconds = (at("transferred") - at("listing")) / 1000;
    process.stderr.write(
      `${workers} workers: ${seconds.toFixed(2)} s, of these ${movingSeconds.toFixed(2)} s moving\n`,
    );
    const peakMib = Math.max(...started.map((worker) => memoryOf(worker.process.pid ?? 0).peakMib));
    return { workers, seconds, movingSeconds, peakMib };
  } finally {
    await postgres.stop();
    await stop(proxy);
  }
}

function rows(objects: number, runs: readonly Shared[]): Record<string, string>[] {
  const of = (workers: number, figure: "seconds" | "movingSeconds" | "peakMib") =>
    median(runs.filter((one) => one.workers === workers).map((one) => one[figure]));
  return [...new Set(runs.map(({ workers }) => workers))].map((workers) => {
    const gain = of(1, "movingSeconds") / of(workers, "movingSeconds");
    const least = LEAST.get(workers);
    return {
      workers: String(workers),
      seconds: of(workers, "seconds").toFixed(2),
      "moving s": of(workers, "movingSeconds").toFixed(2),
      "objects/s": (objects / of(workers, "movingSeconds")).toFixed(0),
      "× one worker": gain.toFixed(2),
      "× one, POST to completed": (of(1, "seconds") / of(workers, "seconds")).toFixed(2),
      efficiency: (gain / workers).toFixed(2),
      "peak MiB of a worker": of(workers, "peakMib").toFixed(0),
      target: least === undefined ? "" : `≥ ${least}`,
      "": least === undefined ? "" : gain >= least ? "met" : "NOT MET",
    };
  });
}
