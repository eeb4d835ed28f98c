import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { rebuildDatabase } from "../../src/main/database-commands.ts";
import { type Service, startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { Api } from "../support/api/api.ts";
import {
  createServiceDatabase,
  disconnect,
  openTables,
  type ServiceDatabase,
} from "../support/database/service-database.ts";

/** A database that is replaced by an older one while processes are running, such as at a failover to a replica that lags behind. */
describe.runIf(inject("onPostgres"))("a database that has become older than the archive", () => {
  const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
  let s3: S3Server;
  let database: ServiceDatabase;
  let services: Service[];
  let settings: NodeJS.ProcessEnv;
  let api: Api;

  const start = () => startService(readConfig(settings));

  beforeEach(async () => {
    s3 = await startS3Server();
    s3.addAccount(keys);
    s3.createBucket("plots");
    s3.put("plots", "a.csv", "1;2");
    const created = await createServiceDatabase();
    database = created.database;
    settings = {
      ACCESSION_DATA: created.data,
      ACCESSION_PORT: "0",
      ACCESSION_LOG_LEVEL: "silent",
      ...database.settings,
    };
    services = [await start(), await start()];
    api = new Api(services[0]?.url ?? "");
    await api.until((await submit()).id, ["completed"]);
  });
  afterEach(async () => {
    for (const service of services) await service.stop();
    await database.drop();
    await s3.close();
  });

  const submit = () => api.submit({ endpoint: s3.endpoint, bucket: "plots", ...keys });

  /** Sets the number of changes to that of an earlier backup; optionally loses the connections that hold the lock, too. */
  async function goBack({ disconnected = false } = {}): Promise<void> {
    const db = openTables(database);
    await sql`update fingerprint set value = (value::bigint - 1)::text where name = 'archive-change'`.execute(db);
    if (disconnected) await disconnect(db);
    await db.destroy();
  }

  /** All processes stop, and none starts again before a rebuild. */
  async function expectStopped(): Promise<void> {
    for (const { mustStop } of services) expect(await mustStop).toBe("older than the archive");
    for (const service of services.splice(0)) await service.stop();
    const older = "The database is older than the archive";
    await expect(start()).rejects.toThrow(older);
    await expect(start()).rejects.toThrow(older);
    const listener = { outcome: () => undefined, looking: () => undefined, writing: () => undefined };
    await rebuildDatabase(readConfig(settings), listener, AbortSignal.timeout(600_000));
    services.push(await start());
    api = new Api(services[0]?.url ?? "");
  }

  test("stops all processes at the next change of the archive, however often it is tried", async () => {
    await goBack();
    const { id } = await submit();
    await expectStopped();
    expect(await api.submission(id)).toMatchObject({
      waiting: { code: "archive_unwritable" },
      sourceMayBeDeleted: null,
    });
    await api.until((await submit()).id, ["completed"]);
  });

  test("stops all processes as soon as they are connected to it", async () => {
    await goBack({ disconnected: true });
    await expectStopped();
    await api.until((await submit()).id, ["completed"]);
  });
});
