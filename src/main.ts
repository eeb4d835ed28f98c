import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { makeFolder } from "./archive/folder/durable.ts";
import { nameOf, openArchive } from "./archive/open.ts";
import { keepJwks } from "./archive/receipts/jwks-file.ts";
import { readKeyFile, writeKeyFile } from "./archive/receipts/key-file.ts";
import { keepFirstAdminDoor, type SecretFile } from "./auth/tokens.ts";
import type { Config } from "./config/config.ts";
import { lockFolder } from "./db/coordination/lock.ts";
import { oneAtATime } from "./db/coordination/one-at-a-time.ts";
import { OwnTurns, SharedTurns } from "./db/coordination/periodic-lock.ts";
import type { Bell } from "./db/notifications/notifications.ts";
import { openDatabase } from "./db/open.ts";
import { reclaimRoom } from "./db/reclaim.ts";
import { answerApi, answerProbes } from "./doors.ts";
import { Jobs, type Bell as JobsBell } from "./jobs/jobs.ts";
import { openKeys } from "./keys.ts";
import { openLog } from "./log.ts";
import { requireMatchingArchive } from "./matching-archive.ts";
import type { NotifyContext } from "./notify/context.ts";
import { Mailer } from "./notify/mail/mailer.ts";
import { defineNotices, queueNotices } from "./notify/notices.ts";
import { Egress, type EgressOptions } from "./source/transport/egress.ts";
import type { StepContext } from "./steps/context.ts";
import { defineSteps } from "./steps/index.ts";
import { Reconciler } from "./steps/reconcile.ts";
import { TRANSFER_THREADS, TransferThreads } from "./steps/transfer/threads.ts";
import { Metrics } from "./telemetry/metrics.ts";
import { openTracing } from "./telemetry/tracing.ts";

/** What was started. */
export interface Running {
  /** Ends everything, within a few seconds; what was under way goes on at the next start. */
  stop(): Promise<void>;
}

export interface Service extends Running {
  /** Where it listens. */
  url: string;
}

const DATABASE_CONNECTIONS = { all: 10, api: 10, worker: 6 } as const;
const STOP_GRACE_MS = 8_000;

/**
 * Percent by which a heap may outgrow what lives in it before it is collected. V8's own choice, several times as much,
 * takes 350 MB more for a large submission and makes it no faster.
 */
const HEAP_GROWTH_PERCENT = 50;

/** What is closed when all ends, the last first. */
export type Opened = (() => void | Promise<void>)[];

/** Wires everything and starts the service. Whatever fails on the way, what was opened before is closed again. */
export async function startService(config: Config): Promise<Service> {
  return start(async (opened) => ({ url: await answerApi(config, await layOut(config, opened), opened) }));
}

/** Starts what works without being asked: any number of such processes share the work of a database. */
export async function startWorker(config: Config): Promise<Running> {
  return start(async (opened) => {
    const house = await layOut(config, opened);
    const probes = config.metricsPort === undefined ? {} : { probes: await answerProbes(config, house, opened) };
    house.log.info({ archive: nameOf(config.archive), ...probes }, "the worker is up");
    return {};
  });
}

async function start<Started extends object>(wire: (opened: Opened) => Promise<Started>): Promise<Started & Running> {
  const opened: Opened = [];
  // Whatever cannot be closed, the rest is closed all the same.
  const stop = async () => {
    const failures: unknown[] = [];
    for (const close of opened.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await wire(opened)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type House = Awaited<ReturnType<typeof layOut>>;

/** Everything but the door: database, archive, steps and, unless this process only answers requests, the work. */
async function layOut(config: Config, opened: Opened) {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const log = openLog(config.logLevel);
  const metrics = new Metrics({ version: VERSION, role: config.role });
  const tracing = await openTracing(config.traces, { version: VERSION }, (reason) =>
    log.warn({ reason }, "the collector does not take the traces"),
  );
  opened.push(() => tracing.close());
  await makeFolder(config.data, 0o700);
  // With a database elsewhere nothing lies there that two processes could spoil.
  if (config.databaseUrl === undefined) opened.push(lockFolder(config.data));

  const database = await openDatabase(
    config.databaseUrl === undefined
      ? { folder: join(config.data, "database") }
      : { url: config.databaseUrl, connections: DATABASE_CONNECTIONS[config.role] },
  );
  opened.push(() => database.close());
  metrics.showConnections(() => database.connections());
  const db = database.queries;
  const { vault, signingKey } = await oneAtATime(database, "keys", () => openKeys(config, db));

  const adminToken = secretFile(join(config.data, "admin-token"));
  if (config.auth === "tokens" && config.role !== "worker") {
    const open = () => keepFirstAdminDoor(db, adminToken, !database.embedded);
    const door = await oneAtATime(database, "first admin’s door", open);
    const file = join(config.data, "admin-token");
    if (door === "open") log.warn({ file }, "no admin has a token yet: the one in this file lets one in");
    if (door === "open elsewhere") {
      log.warn({}, "no admin has a token yet: the one that lets one in lies in another process’s data folder");
    }
  }

  const { archive, jwks } = await oneAtATime(database, "archive", async () => {
    await requireMatchingArchive(db, config.archive);
    const own = { reserve: config.diskReserve, scratch: join(config.data, "scratch") };
    const archive = await openArchive(config.archive, own);
    opened.push(() => archive.store.close());
    return { archive, jwks: await keepJwks(archive.jwks, signingKey.publicJwk) };
  });
  const { store } = archive;

  const wayOut: EgressOptions = {
    policy: { allowPrivate: config.privateEndpoints, networks: config.allowNetworks },
    connections: config.sourceConnections,
    ...(config.sourceCaFile && { ca: [...rootCertificates, await readFile(config.sourceCaFile, "utf8")] }),
    ...(config.egressProxy && { proxy: config.egressProxy }),
  };
  const egress = new Egress(wayOut, (code) => metrics.sourceFailed(code));
  opened.push(() => egress.close());
  const transfers = new TransferThreads(
    {
      egress: { ...wayOut, connections: Math.ceil(config.sourceConnections / TRANSFER_THREADS) },
      s3: archive.s3,
    },
    (code, times) => metrics.sourceFailed(code, times),
  );
  opened.push(() => transfers.close());
  if (config.role === "worker") transfers.start();

  const { bell, embedded } = database;
  const jobs = new Jobs({
    executor: database.executor,
    embedded,
    log,
    trace: () => tracing.origin(),
    ...(!embedded && { bell: workBell(bell) }),
  });
  const address = { publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}` };
  const home = () => `${address.publicUrl}${config.basePath}`;
  const steps: StepContext = {
    db,
    jobs,
    store,
    egress,
    transfers,
    vault,
    signingKey,
    publisher: config.publisher,
    quota: config.quota,
    publicUrl: () => address.publicUrl,
    publicHome: config.publicUrl === undefined ? undefined : home(),
    log,
    metrics,
    tracing,
  };
  defineSteps(steps, config.audit);
  const turns = embedded ? new OwnTurns() : new SharedTurns(db);
  const mailer = config.mail === undefined ? undefined : new Mailer(config.mail);
  const notices: NotifyContext = {
    db,
    jobs,
    egress,
    vault,
    mailer,
    turns,
    home,
    version: VERSION,
    log,
    metrics,
    tracing,
  };
  defineNotices(notices);
  // Two that make pg-boss’s tables at the same time can stumble over each other in spite of its own lock.
  await oneAtATime(database, "jobs", () => jobs.open());
  opened.push(() => jobs.stop(STOP_GRACE_MS));

  // Only one process has the data folder: jobs that an earlier one left running will not come back by themselves.
  if (embedded) await jobs.forget();
  if (config.role !== "api") {
    const reconciler = new Reconciler(steps, {
      retentionMs: config.failedRetentionMs,
      audits: config.audit,
      turns,
      queueNotices: () => queueNotices(notices),
      ...(embedded && { reclaim: () => reclaimRoom(db) }),
    });
    await reconciler.start();
    opened.push(() => reconciler.stop());
    jobs.work();
    store
      .removeLeftovers()
      .catch((error: unknown) =>
        log.warn({ err: error }, "what was thrown away could not be removed; the next start tries again"),
      );
  }
  return {
    database,
    bell,
    jobs,
    store,
    egress,
    vault,
    adminToken,
    jwks,
    address,
    log,
    metrics,
    tracing,
    version: VERSION,
  };
}

/** The bell as the jobs know it. */
function workBell(bell: Bell): JobsBell {
  return { on: (listener) => bell.on("work", listener), ring: (queue) => bell.ring("work", queue) };
}

function secretFile(path: string): SecretFile {
  return {
    read: () => readKeyFile(path, true),
    write: (text) => writeKeyFile(path, text),
    remove: () => rm(path, { force: true }),
  };
}

const VERSION = (JSON.parse(await readFile(new URL(import.meta.resolve("#package")), "utf8")) as { version: string })
  .version;
