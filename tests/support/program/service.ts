import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import type { Database } from "../../../src/db/database.ts";
import { type Service, startService } from "../../../src/main/start.ts";
import { Api } from "../api/api.ts";
import { validateArchive } from "../archive/validate-archive.ts";
import { createDataFolder } from "../database/embedded-template.ts";
import { createServiceDatabase } from "../database/service-database.ts";

/** A service on a folder of its own, with the API as a caller sees it. */
export interface TestService extends AsyncDisposable {
  url: string;
  /** The data folder. */
  data: string;
  archive: string;
  api: Api;
  /** Opens its database; the service must not run meanwhile. */
  database(): Promise<Database>;
  /** Loses its database; the same is wanted of the service. */
  recreateDatabase(): Promise<void>;
  /** What a command is told so that it works on the same data. */
  settings: Record<string, string>;
  /** Stops the service and starts it again on the same folder; `meanwhile` is done between, `changed` set from then on. */
  restart(meanwhile?: () => Promise<void>, changed?: Record<string, string>): Promise<void>;
  /** Something was done to the archive that makes it invalid; otherwise {@link stop} finds it valid, without a warning. */
  isDamaged: boolean;
  /** Stops the service, has the validator look at what it published, and removes the folder. */
  stop(): Promise<void>;
}

/** Starts the real service, embedded database and all, on loopback and a free port. */
export async function startTestService(settings: Record<string, string> = {}): Promise<TestService> {
  const data = await createDataFolder();
  const database = await createServiceDatabase(data);
  const environment = {
    ACCESSION_DATA: data,
    ACCESSION_PORT: "0",
    ACCESSION_LOG_LEVEL: "silent",
    // A test asks more in a minute than a person; what the limits do has tests of its own.
    ACCESSION_RATE_LIMIT_CHECKS: "0",
    ...database.settings,
    ...settings,
  };
  let service: Service = await startService(readConfig(environment));
  const running: TestService = {
    url: service.url,
    data,
    archive: join(data, "archive"),
    database: () => database.open(),
    recreateDatabase: () => database.recreateEmpty(),
    settings: database.settings,
    api: new Api(service.url),
    async restart(meanwhile, changed) {
      await service.stop();
      await meanwhile?.();
      Object.assign(environment, changed);
      service = await startService(readConfig(environment));
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
