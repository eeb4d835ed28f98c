import { expect, inject, test } from "vitest";
import { openTestDatabase } from "../../tests/support/database/test-database.ts";

// The embedded database has a single connection, which ends with its thread.
test.runIf(inject("onPostgres"))(
  "closing it closes its connections, also if only the job queue has used it",
  async () => {
    const { database, close } = await openTestDatabase();
    await database.executor.executeSql("select 1");
    expect(database.connections()).toMatchObject({ busy: 0, idle: 1 });
    await close();
    expect(database.connections()).toMatchObject({ busy: 0, idle: 0 });
  },
);
