import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
let folder: string;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  folder = await mkdtemp(join(tmpdir(), "accession-checks-"));
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review", ...account.settings() });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
  await rm(folder, { recursive: true });
});

const asked = { agreement: true, access: "open", publishOnApproval: false };

interface Finding {
  code: string;
  severity: string;
  message: string;
  nextStep: string;
  place?: object;
  points?: { code: string; metric: string | null; nextStep: string }[];
}

async function archived(options: Parameters<typeof archiveAs>[3] = {}): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada, options);
  return new PublicationClient(service, dataset);
}

async function finding(one: PublicationClient, code: string, token = cleo): Promise<Finding | undefined> {
  const { checks } = (await one.get(token)).json;
  const found = checks.filter((check: Finding) => check.code === code);
  expect(found.length).toBeLessThan(2);
  return found[0];
}

/** Replaces the language in the stored metadata by a text that the service would not accept. */
async function damageLanguage({ dataset }: PublicationClient): Promise<void> {
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await sql`update submission set metadata = jsonb_set(metadata::jsonb, '{language}', '"no language!"')
      where dataset_id = ${dataset}`.execute(queries);
    await close();
  });
}

const correct = (dataset: string) =>
  service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, language: "de" } }),
    headers: { "content-type": "application/json", "if-match": '"1.1"', ...bearer(ada) },
  });

/** What `accession review show` prints for people. */
function shown(token: string, dataset: string): Promise<string> {
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: token };
  return textOfCommand(["review", "show", dataset], service.data, env);
}

test("a record that does not conform to DataCite’s schema prevents a request until the named field is corrected", async () => {
  const one = await archived();
  expect(await finding(one, "datacite_schema")).toBeUndefined();
  await damageLanguage(one);
  const found = await finding(one, "datacite_schema", ada);
  expect(found).toMatchObject({ severity: "error", place: { field: "/language" } });
  expect(found?.message).toContain("language: Element 'language': 'no language!' is not a valid value");
  const refused = await one.act(ada, "request", asked);
  expect([refused.status, refused.json.code]).toEqual([422, "publication_not_ready"]);
  expect(refused.json.checks[0]).toEqual(found);
  expect((await correct(one.dataset)).status).toBe(200);
  expect(await finding(one, "datacite_schema", ada)).toBeUndefined();
  await one.done(ada, "request", asked);
});

test("a record is validated again before it is sent, and the owner can correct it", { tags: "extended" }, async () => {
  const one = await archived();
  await one.done(ada, "request", asked);
  await one.done(cleo, "approve");
  await damageLanguage(one);
  const since = account.server.requests.length;
  await one.done(ada, "publish");
  const delayed = await vi.waitUntil(
    async () => {
      const { json } = await one.get(ada);
      return json.problem !== null && json;
    },
    { interval: 50 },
  );
  expect(delayed).toMatchObject({
    state: "registering",
    waitingFor: "owner",
    problem: { code: "datacite_schema", fault: "submitter", message: expect.stringContaining("language: Element") },
  });
  expect(delayed.problem.action).toContain("Correct the metadata");
  expect(JSON.stringify(delayed)).not.toMatch(/\.ts:\d|at Object|wasm/);
  expect(account.server.requests.slice(since).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(delayed.history.at(-1)).toMatchObject({ action: "delayed", actor: null });

  expect(delayed.actions).toContain("take-back");
  await one.done(ada, "take-back");
  expect((await correct(one.dataset)).status).toBe(200);
  await one.done(ada, "request", asked);
  await one.done(cleo, "approve");
  await one.done(ada, "publish");
  expect(await one.until(ada, "published")).toMatchObject({ doiState: "registered", problem: null });
});

test("recommendations for FAIR data are one finding, which never prevents publication", {
  tags: "extended",
}, async () => {
  const { orcid: _, ...author } = goodMetadata.authors[0] ?? {};
  const metadata = { ...goodMetadata, subjects: [], authors: [author] };
  const one = await archived({ metadata, files: { "README.md": "# Plots", "plots.xls": "1" } });
  const found = await finding(one, "fair_incomplete");
  expect(found).toMatchObject({
    severity: "hint",
    message: "FAIR self-assessment: 6 recommendations to make the dataset easier to find and reuse.",
  });
  expect(found?.points?.map(({ code, metric }) => [code, metric])).toEqual([
    ["keywords_missing", "FsF-F2-01M"],
    ["related_missing", "FsF-I3-01M"],
    ["formats_unknown", "FsF-R1.3-02D"],
    ["orcid_missing", null],
    ["ror_missing", null],
    ["funding_missing", null],
  ]);
  expect(found?.points?.every(({ nextStep }) => nextStep.length > 10)).toBe(true);
  await one.done(ada, "request", asked);
  const text = await shown(cleo, one.dataset);
  expect(text).toContain("· FAIR self-assessment: 6 recommendations to make");
  expect(text.replace(/\s+/g, " ")).toContain(
    "- The dataset has no keywords. (/subjects) Add the words that readers will search for. [FsF-F2-01M]",
  );
});

test("a dataset that fulfils all recommendations has no such finding", async () => {
  const metadata = {
    ...goodMetadata,
    authors: goodMetadata.authors.map((author) => ({
      ...author,
      affiliations: [{ rorid: "https://ror.org/02skbsp27" }],
    })),
    relatedIdentifiers: [{ relationType: "IsDescribedBy", relatedIdentifier: "10.5072/article" }],
    fundingReferences: [{ funderName: "Deutsche Forschungsgemeinschaft" }],
  };
  expect((await (await archived({ metadata })).get(ada)).json.checks).toEqual([]);
});

test("curators see who accepted the agreement and when, and that its text has changed since", {
  tags: "extended",
}, async () => {
  const one = await archived();
  const { agreement } = await one.done(ada, "request", asked);
  expect(agreement).toMatchObject({ by: "ada", language: "en" });
  expect(await finding(one, "agreement_changed")).toBeUndefined();
  expect(await shown(cleo, one.dataset)).toMatch(
    /agreement +accepted by ada, \d{4}-\d\d-\d\d .*\(en, SHA-256 [0-9a-f]{12}…\)\n/,
  );

  const text = join(folder, "agreement.en.md");
  await writeFile(text, "# Another agreement\n");
  await service.restart(undefined, { ACCESSION_DEPOSIT_AGREEMENT: text });
  const day = agreement.at.slice(0, 10);
  expect(await finding(one, "agreement_changed")).toMatchObject({
    severity: "hint",
    message: `The text of the deposit agreement has changed since ada accepted it on ${day}.`,
  });
  expect(await shown(cleo, one.dataset)).toContain("· The text of the deposit agreement has changed since ada");

  // The owner accepts the present text with the next request, so that there is nothing to tell until then.
  await one.done(cleo, "request-changes", { comment: "Please accept the new agreement." });
  expect(await finding(one, "agreement_changed")).toBeUndefined();
  await one.done(ada, "request", asked);
  expect(await finding(one, "agreement_changed")).toBeUndefined();
  await one.done(cleo, "approve");
});
