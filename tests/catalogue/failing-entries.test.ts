import { rm } from "node:fs/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs, untilCatalogued } from "../support/api/published.ts";
import { createServiceDatabase } from "../support/database/service-database.ts";
import { startProgram } from "../support/program/program.ts";

test("an entry that cannot be described is logged and repeated, and the catalogue has the others", async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.close());
  const { data, database } = await createServiceDatabase();
  const start = () => startProgram(data, { ...database.settings, ACCESSION_PUBLICATION: "direct" });
  let program = await start();
  onTestFinished(async () => {
    await program.end("SIGKILL");
    await database.drop();
    await rm(data, { recursive: true, force: true });
  });
  /** Changes the database between two runs of the program. */
  const restart = async (...changes: ReturnType<typeof sql>[]) => {
    await program.end("SIGTERM");
    const { queries, close } = await database.open();
    for (const change of changes) await change.execute(queries);
    await close();
    program = await start();
  };
  const titled = (title: string) => ({ metadata: { ...goodMetadata, title } });
  const broken = (await publishAs(program, s3, titled("Broken"))).dataset;
  await restart(
    sql`delete from catalogue_entry where dataset_id = ${broken}::uuid`,
    sql`update publication set catalogued = false where dataset_id = ${broken}::uuid`,
    sql`alter table catalogue_entry add constraint broken check (dataset_id <> ${sql.lit(broken)}::uuid)`,
  );
  const whole = (await publishAs(program, s3, titled("Whole"))).dataset;
  const found = async () => (await program.api.get("/datasets")).json.datasets.map(({ id }: { id: string }) => id);
  expect(await found()).toEqual([whole]);
  const logged = program
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "a version cannot be catalogued");
  expect(logged[0]).toMatchObject({
    level: 50,
    dataset: broken,
    version: 1,
    err: { message: expect.stringContaining("broken") },
  });
  expect(logged.some(({ dataset }) => dataset === whole)).toBe(false);
  expect((await program.api.get(`/dataset/${broken}`)).status).toBe(200);
  await restart(sql`alter table catalogue_entry drop constraint broken`);
  await untilCatalogued(program, broken);
  expect((await found()).sort()).toEqual([broken, whole].sort());
});
