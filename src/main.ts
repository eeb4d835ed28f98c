import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { setFlagsFromString } from "node:v8";
import pino from "pino";
import { makeFolder } from "./archive/durable.ts";
import { keepJwks } from "./archive/jwks-file.ts";
import { readKeyFile, writeKeyFile } from "./archive/key-file.ts";
import { nameOf, openArchive } from "./archive/open.ts";
import { loadSigningKey } from "./archive/receipt.ts";
import { loadSecretKey } from "./archive/secret-key.ts";
import { authenticator } from "./auth/authenticate.ts";
import { keepFirstAdminDoor, type SecretFile } from "./auth/first-admin.ts";
import type { Config } from "./config/config.ts";
import { checkFingerprints } from "./db/fingerprints.ts";
import { lockFolder } from "./db/lock.ts";
import { openDatabase } from "./db/open.ts";
import { SharedReads } from "./db/shared-reads.ts";
import { serviceMetrics } from "./http/metrics.ts";
import { buildServer } from "./http/server.ts";
import { Jobs } from "./jobs/jobs.ts";
import { Egress, type EgressOptions } from "./source/egress.ts";
import type { StepContext } from "./steps/context.ts";
import { defineSteps } from "./steps/index.ts";
import { Reconciler } from "./steps/reconcile.ts";
import { TransferThreads } from "./steps/transfer/threads.ts";
import { Vault } from "./submission/credentials.ts";

export interface Service {
  /** Where it listens. */
  url: string;
  /** Ends everything, within a few seconds; what was under way goes on at the next start. */
  stop(): Promise<void>;
}

const DATABASE_CONNECTIONS = 10;
const SOURCE_CONNECTIONS = 64;
const TRANSFER_THREADS = 2;
const STOP_GRACE_MS = 8_000;

/**
 * Percent by which a heap may outgrow what lives in it before it is collected. V8's own choice, several times as much,
 * takes 350 MB more for a large submission and makes it no faster.
 */
const HEAP_GROWTH_PERCENT = 50;

/** Wires everything and starts the service. Whatever fails on the way, what was opened before is closed again. */
export async function startService(config: Config): Promise<Service> {
  const opened: (() => void | Promise<void>)[] = [];
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
    return { url: await wire(config, opened), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function wire(config: Config, opened: (() => void | Promise<void>)[]): Promise<string> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const log = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  );
  await makeFolder(config.data, 0o700);
  opened.push(lockFolder(config.data));

  const secretKey = await loadSecretKey(config.secretKeyFile, { make: config.makeKeys });
  const signingKey = await loadSigningKey(config.signingKeyFile, { make: config.makeKeys });
  const vault = new Vault(secretKey);
  const database = await openDatabase(
    config.databaseUrl === undefined
      ? { folder: join(config.data, "database") }
      : { url: config.databaseUrl, connections: DATABASE_CONNECTIONS },
  );
  opened.push(() => database.close());
  const db = database.queries;
  await checkFingerprints(db, { secret: vault.fingerprint("secret key", ""), signing: signingKey.kid });

  const adminToken = secretFile(join(config.data, "admin-token"));
  if (config.auth === "tokens" && (await keepFirstAdminDoor(db, adminToken))) {
    log.warn({ file: join(config.data, "admin-token") }, "no admin has a token yet: the one in this file lets one in");
  }

  const archive = await openArchive(config.archive, {
    reserve: config.diskReserve,
    scratch: join(config.data, "scratch"),
  });
  const { store } = archive;
  opened.push(() => store.close());
  const jwks = await keepJwks(archive.jwks, signingKey.publicJwk);

  const wayOut: EgressOptions = {
    policy: { allowPrivate: config.loopback, networks: config.allowNetworks },
    connections: SOURCE_CONNECTIONS,
    ...(config.sourceCaFile && { ca: [...rootCertificates, await readFile(config.sourceCaFile, "utf8")] }),
    ...(config.egressProxy && { proxy: config.egressProxy }),
  };
  const egress = new Egress(wayOut);
  opened.push(() => egress.close());
  const transfers = new TransferThreads(TRANSFER_THREADS, {
    egress: { ...wayOut, connections: SOURCE_CONNECTIONS / TRANSFER_THREADS },
    s3: archive.s3,
  });
  opened.push(() => transfers.close());

  const jobs = new Jobs({ executor: database.executor, embedded: database.embedded, log });
  let publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
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
    publicUrl: () => publicUrl,
    log,
  };
  defineSteps(steps, config.audit);
  await jobs.open();
  opened.push(() => jobs.stop(STOP_GRACE_MS));

  const stopping = new AbortController();
  const server = await buildServer(
    {
      db: database.urgent,
      submissions: new SharedReads(database.urgent),
      intake: { db: database.urgent, jobs, store, egress, vault, quota: config.quota },
      authenticate: authenticator(config, database.urgent),
      tokens: config.auth === "tokens" ? { closeFirstAdminDoor: () => adminToken.remove() } : undefined,
      basePath: config.basePath,
      jwks,
      version: VERSION,
      metrics: serviceMetrics(db),
      stopping: stopping.signal,
    },
    {
      origin: {
        corsOrigins: config.corsOrigins,
        publicUrl: () => publicUrl,
        loopback: config.loopback,
        pages: [`${config.basePath}/`, `${config.basePath}/docs`],
      },
      trustedProxies: config.trustedProxies,
      rateLimits: config.rateLimits,
      logger: log,
    },
  );

  // Only one process has the data folder: jobs that an earlier one left running will not come back by themselves.
  if (database.embedded) await jobs.forget();
  const reconciler = new Reconciler(steps, { retentionMs: config.failedRetentionMs, audits: config.audit });
  await reconciler.start();
  opened.push(() => reconciler.stop());
  await jobs.work();

  const address = await server.listen({ host: config.host, port: config.port });
  opened.push(async () => {
    stopping.abort();
    await server.close();
  });
  if (config.publicUrl === undefined) publicUrl = new URL(address).origin;
  if (!config.loopback && publicUrl.startsWith("http:")) {
    log.warn({ publicUrl }, "ACCESSION_PUBLIC_URL is plain HTTP: tokens and keys of buckets can be read on the way");
  }
  const url = `${publicUrl}${config.basePath}`;
  store
    .removeLeftovers()
    .catch((error: unknown) =>
      log.warn({ err: error }, "what was thrown away could not be removed; the next start tries again"),
    );
  log.info({ url, archive: nameOf(config.archive) }, "the service is up");
  return url;
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
