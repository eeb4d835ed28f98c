/** @module-tag extended */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
let ada: string;
let bob: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({
    ...TOKENS,
    ...account.settings(),
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: "smtp://127.0.0.1:9",
    ACCESSION_MAIL_FROM: "accession@example.org",
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

/** Runs a command that must succeed, and returns its JSON lines. */
async function run(token: string, ...args: string[]) {
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: token };
  const { code, stderr, lines } = await runCommand([...args, "--json"], service.data, { env });
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return lines;
}

// The commands of docs/how-to/authors.md, with the ids of this dataset.
test("an author publishes a dataset with a paper from the command line", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = new PublicationClient(service, dataset);
  const [{ doi }] = await run(ada, "doi", "reserve", dataset);
  expect(doi).toMatch(/^10\.5072\//);
  const [anonymous] = await run(ada, "review", "link", "create", dataset, "--label", "Journal of Roots");
  const [named] = await run(ada, "review", "link", "create", dataset, "--label", "Journal of Roots", "--names");
  expect([anonymous.anonymous, named.anonymous]).toEqual([true, false]);
  await run(ada, "review", "show", dataset);
  const [{ sha256 }] = (await service.api.get("/deposit-agreement")).json;
  const closed = ["--access", "restricted", "--reason", "Personal data"];
  const notify = ["--later", "--notify", "ada@lab.example.org"];
  await run(ada, "publish", dataset, "--accept-agreement", sha256, ...notify, ...closed);
  const asked = await one.done(cleo, "comment", { comment: "Which depth?" });
  const { id: number } = asked.history.at(-1);
  await run(ada, "review", "comment", dataset, "The depth is 20 cm.", "--answers", String(number));
  await run(ada, "review", "resolve", dataset, String(number));
  expect(await run(ada, "mail", "--language", "en", "--delivery", "action")).toMatchObject([{ language: "en" }]);
  await one.done(cleo, "request-changes", { comment: "Please state it" });
  const [again] = await run(ada, "publish", dataset, "--accept-agreement", sha256, ...notify, ...closed);
  expect(again.state).toBe("in_review");
  await one.done(cleo, "approve");
  const published = await run(ada, "publish", dataset, "--wait");
  expect(published.at(-1)).toMatchObject({ state: "published", doi });

  const [{ metadata }] = await run(ada, "dataset", "metadata", dataset);
  const article = { relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots.2026" };
  const file = join(service.data, "article.json");
  await writeFile(file, JSON.stringify({ ...metadata, relatedIdentifiers: [article] }));
  await run(ada, "dataset", "set-metadata", dataset, "--metadata", file, "--note", "The article has appeared");
  expect((await one.get(ada, "/metadata")).json.metadata.relatedIdentifiers).toEqual([article]);
  expect(await run(ada, "review", "link", "list", dataset)).toHaveLength(2);
  await run(ada, "review", "link", "revoke", dataset, anonymous.id);
  await run(bob, "access", "ask", dataset, "--reason", "Teaching");
  const [{ id }] = await run(ada, "access", "requests", dataset);
  await run(ada, "access", "answer", dataset, id, "--grant", "--days", "30");
  await run(ada, "review", "access", dataset, "--access", "open", "--reason", "The article has appeared");

  const source = { metadata: JSON.parse(await readFile(file, "utf8")), more: { dataset: { id: dataset } } };
  await archiveAs(service, s3, ada, { ...source, files: { "README.md": "# Plots", "plots/a.csv": "1;3" } });
  const [second] = await run(ada, "publish", dataset, "--accept-agreement", sha256);
  expect(second).toMatchObject({ version: 2, state: "in_review" });
  await run(ada, "review", "comment", dataset, "Please withdraw version 1.", "--dataset-version", "1");
});
