import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSecretKey } from "../../src/archive/receipts/key-file.ts";
import { loadSigningKey } from "../../src/archive/receipts/signing.ts";
import { openDatabase, type Queries } from "../../src/db/database.ts";
import {
  INSTALL_POSTGRES,
  postgresAdmin,
  postgresPrograms,
  startPostgres,
} from "../../tests/support/database/postgres.ts";
import { startProgram } from "../../tests/support/program/program.ts";
import { RequirementError } from "./program.ts";

const module = join(import.meta.dirname, "../../dist/src/cli/accession.js");

/** What is done with one database. */
interface Filled<T> {
  settings: Record<string, string>;
  /** Writes the rows before the service starts, and to the folder of the archive what the service requires of it. */
  fill: (db: Queries, archive: string) => Promise<void>;
  measure: (url: string) => Promise<T>;
}

type Measured<T> = T & { fillSeconds: number };

/**
 * Measures a service whose database was filled with SQL: with the embedded database, and with PostgreSQL.
 * @param only leaves out the other one
 * @throws RequirementError if PostgreSQL is not installed
 */
export async function onBothDatabases<T>(
  only: string | undefined,
  filled: Filled<T>,
): Promise<Record<string, Measured<T>>> {
  if (postgresPrograms() === undefined) throw new RequirementError(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const found: Record<string, Measured<T>> = {};
  if (only !== "postgres") found.embedded = await inFolder((data) => onEmbedded(data, filled));
  if (only !== "embedded") found.PostgreSQL = await inFolder((data) => onPostgres(data, filled));
  return found;
}

async function inFolder<T>(use: (data: string) => Promise<T>): Promise<T> {
  const data = await mkdtemp(join(tmpdir(), "accession-bench-"));
  try {
    return await use(data);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

function onEmbedded<T>(data: string, filled: Filled<T>): Promise<Measured<T>> {
  return measured(data, { folder: join(data, "database") }, {}, filled);
}

async function onPostgres<T>(data: string, filled: Filled<T>): Promise<Measured<T>> {
  const postgres = await startPostgres({ durable: true });
  try {
    const url = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    const keys = {
      ACCESSION_SECRET_KEY_FILE: join(data, "secret.key"),
      ACCESSION_SIGNING_KEY_FILE: join(data, "signing.key"),
    };
    await loadSecretKey(keys.ACCESSION_SECRET_KEY_FILE, { make: true });
    await loadSigningKey(keys.ACCESSION_SIGNING_KEY_FILE, { make: true });
    return await measured(data, { url, connections: 5 }, { ACCESSION_DATABASE_URL: url, ...keys }, filled);
  } finally {
    await postgres.stop();
  }
}

async function measured<T>(
  data: string,
  where: Parameters<typeof openDatabase>[0],
  own: Record<string, string>,
  { settings, fill, measure }: Filled<T>,
): Promise<Measured<T>> {
  const began = performance.now();
  const database = await openDatabase(where);
  try {
    await fill(database.queries, join(data, "archive"));
  } finally {
    await database.close();
  }
  const fillSeconds = (performance.now() - began) / 1000;
  const environment = { ...own, ACCESSION_RATE_LIMIT: "0", ACCESSION_LOG_LEVEL: "info", ...settings };
  const { url, end } = await startProgram(data, environment, { module });
  try {
    return { ...(await measure(url)), fillSeconds };
  } finally {
    await end("SIGTERM");
  }
}
