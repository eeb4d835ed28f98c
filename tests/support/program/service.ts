import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../src/db/database.ts";
import { type Service, startService } from "../../../src/main/start.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { Api } from "../api/api.ts";
import { validateArchive } from "../archive/validate-archive.ts";
import { createServiceDatabase } from "../database/service-database.ts";

/** A service with a separate data folder, and a client of its API. */
export interface TestService extends AsyncDisposable {
  url: string;
  /** The data folder. */
  data: string;
  archive: string;
  api: Api;
  /** Opens its database. The service must be stopped. */
  database(): Promise<Database>;
  /** Replaces its database by an empty one. The service must be stopped. */
  recreateDatabase(): Promise<void>;
  /** Keeps a copy of its database. The service must be stopped. @returns a function that restores the copy */
  backUpDatabase(): Promise<() => Promise<void>>;
  /** Settings with which a command uses the same data. */
  settings: Record<string, string>;
  /** Resolves when no job is due or running, and all uses of datasets are counted. */
  settled(): Promise<void>;
  /** Restarts the service with the same folder. `meanwhile` runs in between; `changed` settings apply from then on. */
  restart(meanwhile?: () => Promise<void>, changed?: Record<string, string>): Promise<void>;
  /** Set by tests that make the archive invalid. Otherwise, {@link stop} fails unless the archive is valid without warnings. */
  isDamaged: boolean;
  /** Stops the service, validates its archive, and removes the folder. */
  stop(): Promise<void>;
}

/** Starts the real service in this process, on a free loopback port. */
export async function startTestService(settings: Record<string, string> = {}): Promise<TestService> {
  const { data, database } = await createServiceDatabase();
  const environment = {
    ACCESSION_DATA: data,
    ACCESSION_UPLOADS: join(data, "uploads"),
    ACCESSION_PORT: "0",
    ACCESSION_LOG_LEVEL: "silent",
    // The audit of the first dataset would start a thread in most services. Tests of audits set a short interval.
    ACCESSION_AUDIT_INTERVAL: "off",
    // Tests exceed the usual rate limits, which have separate tests.
    ACCESSION_RATE_LIMIT_CHECKS: "0",
    ...database.settings,
    ...settings,
  };
  let service: Service = await startService(readConfig(environment));
  // The test of the DataCite account at the start would use the faults that a test adds.
  if ("ACCESSION_DATACITE_URL" in environment) await service.settled();
  const running: TestService = {
    url: service.url,
    data,
    archive: join(data, "archive"),
    database: () => database.open(),
    recreateDatabase: () => database.recreateEmpty(),
    backUpDatabase: () => database.backUp(),
    settings: database.settings,
    api: new Api(service.url),
    settled: () => service.settled(),
    async restart(meanwhile, changed) {
      await service.stop();
      await meanwhile?.();
      Object.assign(environment, changed);
      service = await startService(readConfig(environment));
      if ("ACCESSION_DATACITE_URL" in environment) await service.settled();
      running.url = service.url;
      running.api = new Api(service.url);
    },
    isDamaged: false,
    async stop() {
      await service.stop();
      await database.drop();
      const violations = running.isDamaged ? [] : await validateArchive(running.archive);
      await rm(data, { recursive: true, force: true });
      if (violations.length > 0) throw new Error(violations.map(({ detail }) => detail).join("\n"));
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
    },
  };
  return running;
}
