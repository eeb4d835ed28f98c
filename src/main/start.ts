import { setFlagsFromString } from "node:v8";
import { describeLocation } from "../archive/location.ts";
import { duePublications } from "../db/publication/publications.ts";
import { dueReviews } from "../db/publication/records.ts";
import type { StopReason } from "../db/schema-use.ts";
import type { Config } from "../platform/config/config.ts";
import { Closers } from "./closers.ts";
import { type Overrides, openContext, type ServiceContext } from "./context.ts";
import { serveApi, serveProbes } from "./http.ts";
import { startWork } from "./work.ts";

export type { StopReason };

/** A started process. */
export interface Running {
  /** Stops within a few seconds. Unfinished work continues at the next start. */
  stop(): Promise<void>;
  /** Resolves when this process must stop using the database. */
  mustStop: Promise<StopReason>;
}

export interface Service extends Running {
  /** Address on which it listens. */
  url: string;
  /** Resolves when no job or publication is due or running, and all uses of datasets are counted. For tests. */
  settled(): Promise<void>;
}

/**
 * Percentage by which a heap may exceed its live objects before garbage collection. V8's default is several times as much,
 * needs 350 MB more for a large submission and is not faster.
 */
const HEAP_GROWTH_PERCENT = 50;

/**
 * Starts the service: the API and, unless `config.role` is `api`, the work on submissions. If it fails, everything that
 * was opened before is closed again.
 *
 * @param overrides parts that a test replaces; the service neither opens nor closes these
 * @throws Error that states what the operator must correct
 */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  return start(config, overrides, async (context) => {
    const { url, usage } = await serveApi(context);
    const settled = async () => {
      // A publication that was changed while its job was running has no job until the next round of the reconciler.
      const { queries } = context.database;
      const isPublicationDue = async () => {
        const now = new Date();
        return (await duePublications(queries, now, 1)).length + (await dueReviews(queries, now, 1)).length > 0;
      };
      await context.jobs.settled(isPublicationDue);
      await usage?.settled();
    };
    return { url, settled };
  });
}

/** Starts a worker: any number of such processes share the work of a database. Otherwise as {@link startService}. */
export async function startWorker(config: Config, overrides: Overrides = {}): Promise<Running> {
  return start(config, overrides, async (context) => {
    const probes = config.metricsPort === undefined ? {} : { probes: await serveProbes(context) };
    const archive = describeLocation(config.archive);
    const { version, commit } = context;
    context.log.info({ archive, version, ...(commit !== null && { commit }), ...probes }, "the worker is up");
    return {};
  });
}

async function start<Started extends object>(
  config: Config,
  overrides: Overrides,
  serve: (context: ServiceContext) => Promise<Started>,
): Promise<Started & Running> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const closers = new Closers();
  try {
    const context = await openContext(config, closers, overrides);
    await startWork(context);
    const { mustStop } = context.database;
    return { ...(await serve(context)), mustStop, stop: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
