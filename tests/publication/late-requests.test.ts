import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { loadSigningKey } from "../../src/archive/receipts/signing.ts";
import { findPublication } from "../../src/db/publication/publications.ts";
import { DataciteClient } from "../../src/publication/datacite/client.ts";
import { registerDoi } from "../../src/publication/doi/register-doi.ts";
import { Superseded } from "../../src/publication/service/attempts.ts";
import type { StepContext } from "../../src/steps/context.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, dataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { type DataciteProxy, startDataciteProxy } from "../support/api/datacite-proxy.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
const asked = { agreement: true, access: "open" };
let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let proxy: DataciteProxy;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  proxy = await startDataciteProxy(datacite.url);
  service = await startTestService({ ACCESSION_PUBLICATION: "direct", ...account.settings(proxy.url) });
});
afterAll(async () => {
  await service.stop();
  proxy.close();
  await account.close();
  await s3.close();
});
afterEach(() => {
  proxy.interfere = async () => "pass";
  account.reset();
});

async function archived(): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, undefined)).dataset);
}

async function changeTitle({ dataset }: PublicationClient, title: string): Promise<void> {
  const { status } = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
    headers: { "content-type": "application/json", "if-match": "*" },
  });
  expect(status).toBe(200);
}

const titleOf = (doi: string) =>
  (datacite.dois.get(doi)?.attributes.titles as { title: string }[] | undefined)?.[0]?.title;

/** The comparison of a DOI with DataCite, as the service lists it. */
async function comparisonOf(doi: string) {
  return (await service.api.get("/doi")).json.find((one: { doi: string }) => one.doi === doi);
}

test("a change whose answer was lost and that DataCite processes after a later one is corrected automatically", async () => {
  const one = await archived();
  await one.done(NO_TOKEN, "request", asked);
  const { doi } = await one.until(NO_TOKEN, "published");
  await service.settled();
  let deliver: (() => void) | undefined;
  const late = new Promise<void>((delivered) => (deliver = delivered));
  let isFirst = true;
  proxy.interfere = async (method, body) => {
    if (method !== "PUT" || !isFirst || !body.includes("The first title")) return "pass";
    isFirst = false;
    return { deliverAfter: late };
  };
  await changeTitle(one, "The first title");
  await vi.waitUntil(() => !isFirst);
  await changeTitle(one, "The second title");
  await vi.waitUntil(() => titleOf(doi) === "The second title");
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.nextAttemptAt === null);
  deliver?.();
  await vi.waitUntil(() => titleOf(doi) === "The first title");

  await service.settled();
  await service.restart(async () => {
    const { queries, close } = await service.database();
    const { rows } = await sql<{ minutes: number; seconds: number }>`
      select extract(epoch from next_at - now())::float / 60 as minutes from doi where doi = ${doi}`.execute(queries);
    expect(rows[0]?.minutes).toBeGreaterThan(3);
    expect(rows[0]?.minutes).toBeLessThan(6);
    await sql`update doi set next_at = now() where doi = ${doi}`.execute(queries);
    await close();
  });
  await vi.waitUntil(() => titleOf(doi) === "The second title");
  await vi.waitUntil(async () => (await comparisonOf(doi))?.differences.length === 0);
});

test("a difference that the service has not caused is reported, also after a lost answer", {
  tags: "extended",
}, async () => {
  const one = await archived();
  await one.done(NO_TOKEN, "request", asked);
  const { doi } = await one.until(NO_TOKEN, "published");
  await service.settled();
  let changes = 0;
  proxy.interfere = async (method) => (method === "PUT" && ++changes === 1 ? "lose the answer" : "pass");
  await changeTitle(one, "The first title");
  await vi.waitUntil(() => changes === 2 && datacite.requests.at(-1)?.status === 200);
  const record = datacite.dois.get(doi);
  if (record === undefined) throw new Error("DataCite has no DOI");
  const subjects = [{ subject: "Added by another program" }];
  datacite.put({ ...record, attributes: { ...record.attributes, titles: [{ title: "Another" }], subjects } });
  await service.api.post("/doi/check", {});
  await vi.waitUntil(async () => (await comparisonOf(doi))?.differences.length > 0);
  expect((await comparisonOf(doi)).differences).toEqual(expect.arrayContaining(["titles", "subjects"]));
  expect(titleOf(doi)).toBe("Another");
});

/** A client whose first creation of a DOI waits, like that of a process that is suspended. */
class SuspendedClient extends DataciteClient {
  resume: () => void = () => undefined;
  readonly #resumed = new Promise<void>((resumed) => {
    this.resume = resumed;
  });
  isSuspended = false;

  override async create(...of: Parameters<DataciteClient["create"]>): ReturnType<DataciteClient["create"]> {
    if (!this.isSuspended) {
      this.isSuspended = true;
      await this.#resumed;
    }
    return super.create(...of);
  }
}

test("a process that lost its job does not replace a DOI that another one has sent, while DataCite does not return it", async () => {
  const one = await archived();
  datacite.addFault({ match: {}, times: 10_000, fault: { status: 503 } });
  await one.done(NO_TOKEN, "request", asked);
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem !== null);
  await service.restart(async () => {
    account.reset();
    const { queries: db, close } = await service.database();
    await sql`delete from doi`.execute(db);
    await sql`update publication set announced_at = null, attempts = 0`.execute(db);
    const settings = { ...dataciteAccount, url: datacite.url, prefix: "10.5072" };
    const pace = { next: async () => 0, pause: async () => undefined };
    const suspended = new SuspendedClient(settings, pace);
    const other = new DataciteClient(settings, pace);
    const { folder } = await findPackage(join(service.data, "archive"), one.dataset);
    const store = {
      newestChange: async () => 0,
      recordChange: async () => true,
      addRecord: (_: string, kind: string, name: string, jws: string) =>
        writeFile(join(folder, "logs", kind, name), jws),
    };
    const signingKey = await loadSigningKey(join(service.data, "signing.key"));
    const context = {
      ...{ db, publisher: { name: "Example" }, publicBaseUrl: undefined, log: { warn: () => undefined } },
      ...{ store, signingKey, publicUrl: () => service.url },
      publication: { mode: "direct", baseUrl: () => service.url },
    } as unknown as StepContext;
    const row = await findPublication(db, one.dataset, 1);
    if (row === undefined) throw new Error("The publication is missing");
    const register = (client: DataciteClient) => registerDoi(context, client, { row }, AbortSignal.timeout(30_000));
    const overtaken = register(suspended).catch((error: unknown) => error);
    await vi.waitUntil(() => suspended.isSuspended);
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { closeAfter: true } });
    await expect(register(other)).rejects.toMatchObject({ code: "datacite_unreachable" });
    const lag = datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 404, body: "{}" } });
    suspended.resume();
    expect(await overtaken).toBeInstanceOf(Superseded);
    lag();
    await Promise.all([suspended.close(), other.close(), close()]);
  });
  const { doi } = await one.until(NO_TOKEN, "published");
  const own = [...datacite.dois.values()].filter(({ attributes }) => String(attributes.url).includes(one.dataset));
  expect(own.map((record) => [record.doi, record.state])).toEqual([[doi, "findable"]]);
});
