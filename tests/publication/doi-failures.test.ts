/** @module-tag extended */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
const ALWAYS = 100_000;
const refusal = { status: 422, body: JSON.stringify({ errors: [{ source: "creators", title: "is bad" }] }) };
let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_CONCEPT_DOI: "on",
    ...account.settings(),
  });
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});
afterEach(() => datacite.clearFaults());

async function published(): Promise<PublicationClient> {
  const one = new PublicationClient(service, (await archiveAs(service, s3, undefined)).dataset);
  await one.done(NO_TOKEN, "request", { agreement: true, access: "open" });
  await one.until(NO_TOKEN, "published");
  return one;
}

async function changeTitle({ dataset }: PublicationClient, title: string): Promise<void> {
  const { status } = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
    headers: { "content-type": "application/json", "if-match": "*" },
  });
  expect(status).toBe(200);
}

/** Waits until the publication names a problem. */
async function delayed(one: PublicationClient) {
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem !== null, { interval: 50 });
  return (await one.get(NO_TOKEN)).json;
}

/** Waits until DataCite has all changes, and no comparison fails. */
async function allCompared(): Promise<void> {
  const count = async () => (await service.api.get("/doi?different=true")).json.length;
  await vi.waitUntil(async () => (await count()) === 0, { interval: 200 });
}

describe("“doi check”", () => {
  const check = () => runCommand(["doi", "check", "--json"], service.data, { env: { ACCESSION_URL: service.url } });

  test("ends and names the cause while an update is refused, and while DataCite is not available", {
    tags: "extended",
  }, async () => {
    const one = await published();
    const other = await published();
    const { doi, conceptDoi } = (await one.get(NO_TOKEN)).json;
    const refuse = datacite.addFault({ match: { method: "PUT" }, times: ALWAYS, fault: refusal });
    await changeTitle(one, "Refused");
    await delayed(one);
    const refused = await check();
    expect(refused.code).toBe(1);
    const codes = new Map(refused.lines.map((line) => [line.doi, line.problem?.code]));
    expect([codes.get(doi), codes.get(conceptDoi)]).toEqual(["datacite_rejected", "datacite_rejected"]);
    refuse();
    await allCompared();

    datacite.addFault({ match: {}, times: ALWAYS, fault: { status: 503 } });
    const down = await check();
    expect(down.code).toBe(1);
    expect(down.lines).toHaveLength(5);
    expect(down.lines.at(-1)).toEqual({ compared: 0, different: 0, failed: 4 });
    const known = down.lines.find((line) => line.doi !== doi && line.dataset === other.dataset);
    expect(known).toMatchObject({ checkedAt: null, problem: { code: "datacite_unreachable", fault: "operator" } });
    datacite.clearFaults();
    // The service repeats what failed, without another request.
    await allCompared();
  });
});

describe("a failure after publication", () => {
  const entriesOf = async ({ dataset }: PublicationClient) => {
    const { json } = await service.api.get("/publication?queue=failing");
    return json.filter((entry: { dataset: string }) => entry.dataset === dataset);
  };

  test.each(["metadata", "withdrawal"])(
    "of a change of %s is in the queue of failures, until it succeeds",
    async (kind) => {
      const one = await published();
      await allCompared();
      datacite.addFault({ match: { method: "PUT" }, times: ALWAYS, fault: refusal });
      if (kind === "metadata") await changeTitle(one, "Refused");
      else await one.done(NO_TOKEN, "withdraw", { reason: "A mistake" });
      const waitingFor = kind === "metadata" ? "owner" : "operator";
      const view = await delayed(one);
      expect(view).toMatchObject({ waitingFor, problem: { code: "datacite_rejected" } });
      expect(view.state).toBe(kind === "metadata" ? "published" : "withdrawn");
      expect(Date.parse(view.nextAttemptAt)).toBeGreaterThan(Date.parse(view.problem.at));
      expect(await entriesOf(one)).toMatchObject([{ waitingFor, problem: { code: "datacite_rejected" } }]);
      datacite.clearFaults();
      await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem === null);
      expect((await one.get(NO_TOKEN)).json).toMatchObject({ waitingFor: null, nextAttemptAt: null });
      expect(await entriesOf(one)).toEqual([]);
    },
  );
});

test("a concept DOI is listed without a version, according to the description of the API", async () => {
  const { doi, conceptDoi } = (await (await published()).get(NO_TOKEN)).json;
  const { json } = await service.api.get("/doi");
  const versionOf = (name: string) => json.find((entry: { doi: string }) => entry.doi === name).version;
  expect([versionOf(doi), versionOf(conceptDoi)]).toEqual([1, null]);
});

test("a reservation that fails is part of the metric of delays", async () => {
  const { dataset } = await archiveAs(service, s3, undefined);
  datacite.addFault({ match: { method: "POST" }, times: ALWAYS, fault: { status: 401 } });
  const one = new PublicationClient(service, dataset);
  await one.done(NO_TOKEN, "reserve-doi");
  await delayed(one);
  const { text } = await service.api.get("/metrics");
  expect(text).toMatch(/accession_publications_delayed\{code="datacite_credentials",fault="operator"\} 1\n/);
  datacite.clearFaults();
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.doi !== null);
});
