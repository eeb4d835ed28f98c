import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { untilCatalogued } from "../support/api/published.ts";
import { runCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let tokens: { ada: string; cleo: string; admin: string };

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const issued = await Tokens.open(service);
  tokens = {
    ada: (await issued.create("ada", "submitter")).token,
    cleo: (await issued.create("cleo", "curator")).token,
    admin: issued.admin,
  };
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const run = (token: string, ...args: string[]) =>
  runCommand([...args, "--json"], service.data, { env: { ACCESSION_URL: service.url, ACCESSION_TOKEN: token } });

// The commands of docs/how-to/collections.md, with the id of this dataset.
test("collections are managed from the command line", async () => {
  const { ada, cleo, admin } = tokens;
  const set = ["collection", "set", "barley"];
  const details = [
    "--description",
    "Field trials with barley.",
    "--curators",
    "cleo",
    "--licences",
    "CC-BY-4.0",
    "CC0-1.0",
  ];
  const created = await run(admin, ...set, "--name", "Barley", "--name-de", "Gerste", ...details);
  expect([created.code, created.stderr]).toEqual([0, ""]);
  expect(created.lines).toMatchObject([
    { id: "barley", name: { en: "Barley", de: "Gerste" }, curators: ["cleo"], licences: ["CC-BY-4.0", "CC0-1.0"] },
  ]);
  const changed = await run(admin, ...set, "--name", "Barley trials", "--licences", "all");
  expect(changed.lines).toMatchObject([
    {
      ...{ name: { en: "Barley trials", de: "Gerste" }, description: { en: "Field trials with barley." } },
      ...{ curators: ["cleo"], licences: [] },
    },
  ]);
  expect((await run(cleo, ...set, "--name", "Mine")).code).toBe(1);

  const { dataset } = await archiveAs(service, s3, ada);
  const [{ sha256 }] = (await service.api.get("/deposit-agreement")).json;
  const asked = await run(ada, "publish", dataset, "--accept-agreement", sha256, "--collections", "barley");
  expect([asked.code, asked.lines[0]?.collections]).toEqual([0, ["barley"]]);
  expect((await run(cleo, "review", "list", "--collection", "barley")).lines).toMatchObject([{ dataset }]);
  expect((await run(cleo, "review", "list", "--collection", "none")).lines).toEqual([]);
  const one = new PublicationClient(service, dataset);
  await one.done(cleo, "approve");
  await one.until(ada, "published");
  await untilCatalogued(service, dataset);
  expect((await run(cleo, "collection", "list")).lines).toMatchObject([{ id: "barley", datasets: 1 }]);
  expect((await run(cleo, "review", "list", "--collection", "barley", "none")).lines).toMatchObject([{ dataset }]);

  const removed = await run(cleo, "collection", "remove", "barley", dataset);
  expect([removed.code, removed.lines]).toEqual([0, [{ collection: "barley", dataset, member: false }]]);
  expect((await run(ada, "collection", "add", "barley", dataset)).code).toBe(1);
  expect((await run(cleo, "collection", "add", "barley", dataset)).code).toBe(0);
  const shown = await textOfCommand(["collection", "show", "barley"], service.data, {
    ACCESSION_URL: service.url,
    ACCESSION_TOKEN: cleo,
  });
  expect(shown).toMatch(/Barley trials[\s\S]*datasets +1[\s\S]*curators +cleo[\s\S]*licences +all/);
  const deleted = await run(admin, "collection", "delete", "barley");
  expect([deleted.code, deleted.lines]).toEqual([0, [{ id: "barley", deleted: true }]]);
  expect((await run(cleo, "collection", "show", "barley")).code).toBe(1);
});
