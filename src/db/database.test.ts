import { expect, test } from "vitest";
import { postgresAdmin } from "../../tests/support/database/postgres.ts";
import { postgresOfRun } from "../../tests/support/database/postgres-template.ts";
import { lacks, skipNote } from "../../tests/support/tools.ts";
import { openDatabase } from "./database.ts";

test.skipIf(lacks("PostgreSQL"))(
  `closing a database closes its connections, also if only the job queue has used it ${skipNote("PostgreSQL")}`,
  async () => {
    const { url: server, template } = postgresOfRun();
    const name = await postgresAdmin.create(server, template);
    const database = await openDatabase({ url: postgresAdmin.urlOf(server, name), connections: 2 });
    await database.executor.executeSql("select 1");
    expect(database.connections()).toMatchObject({ busy: 0, idle: 1 });
    await database.close();
    expect(database.connections()).toMatchObject({ busy: 0, idle: 0 });
    await postgresAdmin.drop(server, name);
  },
);
