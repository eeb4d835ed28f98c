import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { makeFolder } from "../archive/folder/durable-writes.ts";
import { archiveProblemOf } from "../archive/identity/archive-problem.ts";
import { describeLocation } from "../archive/location.ts";
import { type OpenArchive, openArchive } from "../archive/open-archive.ts";
import { keepJwks } from "../archive/receipts/jwks-file.ts";
import { readKeyFile, writeKeyFile } from "../archive/receipts/key-file.ts";
import type { SigningKey } from "../archive/receipts/signing.ts";
import type { ArchiveStore } from "../archive/store.ts";
import { archiveChangeOf, recordArchiveId } from "../db/archive-state.ts";
import { oneAtATime } from "../db/coordination/one-at-a-time.ts";
import { pauseSlots, takeSlot } from "../db/coordination/pace.ts";
import { type Database, openDatabase } from "../db/database.ts";
import type { Problem } from "../domain/problems.ts";
import type { Vault } from "../domain/source-access/vault.ts";
import { maintainFirstAdminToken, type SecretFile } from "../people/tokens.ts";
import type { Config } from "../platform/config/config.ts";
import { lockFolder } from "../platform/database/lock.ts";
import type { Notifications } from "../platform/database/notifications.ts";
import { type JobNotifications, Jobs } from "../platform/jobs/jobs.ts";
import { openLog } from "../platform/telemetry/log.ts";
import { Metrics } from "../platform/telemetry/metrics.ts";
import { openTracing } from "../platform/telemetry/open-tracing.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import { DataciteClient } from "../publication/datacite/client.ts";
import type { Scratch } from "../source/lists/scratch.ts";
import { Egress, type EgressOptions } from "../source/s3/transport/egress.ts";
import { TRANSFER_THREADS, TransferThreads } from "../steps/transfer/transfer-threads.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import { readBuild } from "./build.ts";
import type { Closers } from "./closers.ts";
import { egressOptionsOf } from "./egress-options.ts";
import { openScratch } from "./free-space.ts";
import { openKeys } from "./keys.ts";
import { requireMatchingArchive } from "./matching-archive.ts";
import { openUploads } from "./uploads.ts";

/** The resources of one process of the service. The contexts of HTTP, steps and notifications are made from it. */
export interface ServiceContext {
  config: Config;
  /** `version` of package.json. */
  version: string;
  /** The commit from which the program was built; null if it is not known. */
  commit: string | null;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  database: Database;
  vault: Vault;
  signingKey: SigningKey;
  /** The file with the one-time token of the first admin. */
  adminToken: SecretFile;
  archive: OpenArchive;
  scratch: Scratch;
  /** The folder of upload areas; undefined if the service accepts no uploads. */
  uploads: UploadFolder | undefined;
  /** What is wrong with the archive; undefined if nothing is. */
  archiveProblem: () => Promise<Problem | undefined>;
  /** The published keys of the receipts, earlier ones included. */
  jwks: object;
  egress: Egress;
  transfers: TransferThreads;
  /** Undefined if the service registers no DOIs. */
  datacite: DataciteClient | undefined;
  jobs: Jobs;
  /** The service's own origin, without its base path. It is final once the service listens. */
  address: { publicUrl: string };
  closers: Closers;
}

/** Parts of the context that a test replaces. */
export type Overrides = Partial<Pick<ServiceContext, "log" | "metrics" | "tracing">>;

const COMPARE_AGAIN_MS = 10_000;
const DATABASE_CONNECTIONS = { all: 10, api: 10, worker: 6 } as const;

/**
 * Opens everything that a process needs, in this order: telemetry, data folder, database, keys, archive, source, jobs.
 * What is opened is added to `closers` at once, so that the caller can close it if a later part fails.
 *
 * @throws Error that states what the operator must correct
 */
export async function openContext(config: Config, closers: Closers, overrides: Overrides): Promise<ServiceContext> {
  const log = overrides.log ?? openLog(config.logLevel);
  const metrics = overrides.metrics ?? new Metrics({ version: VERSION, role: config.role });
  const tracing = overrides.tracing ?? (await openTraces(config, log, closers));
  const database = await openData(config, closers);
  const { from, to, ran } = database.migrated;
  if (from !== undefined && ran.length > 0) log.info({ from, to, ran }, "the database was migrated");
  metrics.showConnections(() => database.connections());
  const { vault, signingKey } = await oneAtATime(database, "keys", () => openKeys(config, database.queries));
  const adminToken = secretFile(join(config.data, "admin-token"));
  if (config.auth === "tokens" && config.role !== "worker")
    await openFirstAdminToken(config, database, adminToken, log);
  const { archive, jwks } = await oneAtATime(database, "archive", async () => {
    const id = await requireMatchingArchive(database.queries, config.archive);
    const own = { id, reserve: config.diskReserve, scratch: join(config.data, "scratch") };
    const archive = await openArchive(config.archive, own);
    closers.add(() => archive.store.close());
    await recordArchiveId(database.queries, archive.store.id);
    return { archive, jwks: await keepJwks(archive.jwks, signingKey.publicJwk) };
  });
  const scratch = await openScratch(config, archive.store, log);
  const uploads = await openUploads(config, archive.store, log);
  const ending = new AbortController();
  closers.add(() => ending.abort());
  database.onReconnection(() => void reportIfOlder(database, archive.store, { log, signal: ending.signal }));
  await warnOfReserve(archive.store, config, log);
  const archiveProblem = archiveProblemOf(archive.store);
  metrics.showArchive(async () => (await archiveProblem()) === undefined);
  const egressOptions = await egressOptionsOf(config);
  const egress = openEgress(egressOptions, metrics, closers);
  const transfers = openTransfers(config, egressOptions, archive, metrics);
  closers.add(() => transfers.close());
  const datacite = openDatacite(config, database, closers);
  const jobs = new Jobs({
    executor: database.executor,
    embedded: database.embedded,
    log,
    trace: () => tracing.origin(),
    ...(!database.embedded && { notifications: jobNotifications(database.notifications) }),
  });
  const address = { publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}` };
  return {
    ...{ config, ...BUILD, log, metrics, tracing, database, vault, signingKey, adminToken },
    ...{ archive, scratch, uploads, archiveProblem, jwks, egress, transfers, datacite, jobs, address, closers },
  };
}

/** After a failover, the server may be a replica that lacks the last changes of the archive. Repeated until both answer. */
async function reportIfOlder(
  database: Database,
  store: ArchiveStore,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  try {
    // Read first, because a change is counted in the database before it is made.
    const archived = await store.newestChange();
    if ((await archiveChangeOf(database.queries)) < archived) await database.reportOlder();
  } catch (error) {
    if (signal.aborted) return;
    log.warn(
      { err: error },
      "the database was reconnected, and cannot be compared with the archive; the service tries again",
    );
    await sleep(COMPARE_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await reportIfOlder(database, store, { log, signal });
  }
}

/** With less free space than the reserve, every submission waits: usually the reserve is larger than the disk. */
async function warnOfReserve(store: ArchiveStore, config: Config, log: Logger): Promise<void> {
  const free = await store.freeBytes();
  if (free > 0) return;
  const reserve = await store.reserveBytes();
  const disk = {
    archive: describeLocation(config.archive),
    freeBytes: Math.max(0, free + reserve),
    reserveBytes: reserve,
  };
  log.warn(
    disk,
    "less space is free on the archive’s disk than ACCESSION_DISK_RESERVE keeps free, so every submission waits for space; lower the reserve or free space",
  );
}

/** DataCite allows 3,000 requests in 5 minutes, its test system 750. The intervals keep a margin. */
const DATACITE_INTERVAL_MS = 110;
const DATACITE_TEST_INTERVAL_MS = 440;

function openDatacite(config: Config, database: Database, closers: Closers): DataciteClient | undefined {
  const { datacite: account } = config.publication;
  if (account === undefined) return undefined;
  const isTest = new URL(account.url).hostname === "api.test.datacite.org";
  const interval = isTest ? DATACITE_TEST_INTERVAL_MS : DATACITE_INTERVAL_MS;
  const pace = {
    next: () => takeSlot(database.queries, "datacite", interval),
    pause: (milliseconds: number) => pauseSlots(database.queries, "datacite", milliseconds),
  };
  const client = new DataciteClient(account, pace, config.egressProxy);
  closers.add(() => client.close());
  return client;
}

async function openTraces(config: Config, log: Logger, closers: Closers): Promise<Tracing> {
  const tracing = await openTracing(config.traces, { version: VERSION }, (reason) =>
    log.warn({ reason }, "the collector does not accept the traces"),
  );
  closers.add(() => tracing.close());
  return tracing;
}

async function openData(config: Config, closers: Closers): Promise<Database> {
  await makeFolder(config.data, 0o700);
  // The lock protects the embedded database. With PostgreSQL, no file in the folder could be damaged by two processes.
  if (config.databaseUrl === undefined) closers.add(lockFolder(config.data));
  const database = await openDatabase(
    config.databaseUrl === undefined
      ? { folder: join(config.data, "database") }
      : { url: config.databaseUrl, connections: DATABASE_CONNECTIONS[config.role] },
  );
  closers.add(() => database.close());
  return database;
}

async function openFirstAdminToken(
  config: Config,
  database: Database,
  adminToken: SecretFile,
  log: Logger,
): Promise<void> {
  const open = () => maintainFirstAdminToken(database.queries, adminToken, !database.embedded);
  const access = await oneAtATime(database, "first admin’s token", open);
  const file = join(config.data, "admin-token");
  if (access === "in this file")
    log.warn({ file }, "no admin has a token yet; sign in with the one-time token in this file");
  if (access === "in another process’s file") {
    log.warn({}, "no admin has a token yet; the one-time token is in the data folder of another process");
  }
}

function openEgress(options: EgressOptions, metrics: Metrics, closers: Closers): Egress {
  const egress = new Egress(options, (code) => metrics.sourceFailed(code));
  closers.add(() => egress.close());
  return egress;
}

/** The threads share the connections that the process may have. */
function openTransfers(config: Config, egress: EgressOptions, archive: OpenArchive, metrics: Metrics): TransferThreads {
  const connections = Math.ceil(config.sourceConnections / TRANSFER_THREADS);
  const transfers = new TransferThreads({ sources: { ...egress, connections }, s3: archive.s3 }, (code, times) =>
    metrics.sourceFailed(code, times),
  );
  // The first submission need not wait until a thread has loaded its code.
  if (config.role !== "api") transfers.start();
  return transfers;
}

/** Notifications as the jobs use them. */
function jobNotifications(all: Notifications): JobNotifications {
  return { listen: (listener) => all.listen("work", listener), send: (queue) => all.send("work", queue) };
}

function secretFile(path: string): SecretFile {
  return {
    read: () => readKeyFile(path, true),
    write: (text) => writeKeyFile(path, text),
    remove: () => rm(path, { force: true }),
  };
}

const BUILD = await readBuild();
const VERSION = BUILD.version;
