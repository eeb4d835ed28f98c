import type { Database } from "../../../src/db/database.ts";
import { Jobs } from "../../../src/platform/jobs/jobs.ts";

/** Creates the tables of the job queues in a template database, so that not every test's service does it at its start. */
export async function createQueueTables({ executor, embedded }: Database): Promise<void> {
  const log = { error: console.error, warn: console.warn };
  const jobs = new Jobs({ executor, embedded, log });
  await jobs.open();
  await jobs.stop(1_000);
}
