import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../../src/db/database.ts";
import { INSTALL_POSTGRES, postgresAdmin, postgresPrograms, startPostgres } from "./postgres.ts";
import { createQueueTables } from "./queue-tables.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server with a template database; undefined if PostgreSQL is not installed. */
    postgres: { url: string; template: string } | undefined;
    /** Whether the services of tests use it. */
    onPostgres: boolean;
  }
}

/** Starts one PostgreSQL server per run. Every test's service gets a copy of its template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (postgresPrograms() === undefined) {
    if (process.env.CI) throw new Error(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
    project.provide("postgres", undefined);
    return async () => undefined;
  }
  const server = await startPostgres();
  const template = await postgresAdmin.create(server.url);
  const database = await openDatabase({ url: postgresAdmin.urlOf(server.url, template), connections: 2 });
  await createQueueTables(database);
  await database.close();
  project.provide("postgres", { url: server.url, template });
  return () => server.stop();
}

/** The server of this run. @throws Error if PostgreSQL is not installed */
export function postgresOfRun(): { url: string; template: string } {
  const known = inject("postgres");
  if (known === undefined) throw new Error(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  return known;
}
