import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient, type PublicationJson } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;
let ada: string;
let bob: string;
let cleo: string;
let admin: string;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review", ...account.settings() });
  await signIn();
});
async function signIn(): Promise<void> {
  const tokens = await Tokens.open(service);
  admin = tokens.admin;
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
}
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});
afterEach(() => account.reset());

const asked = { agreement: true, access: "open" };

async function archived(): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, ada)).dataset);
}

async function approved(one: PublicationClient): Promise<void> {
  await one.done(ada, "request", asked);
  await one.done(cleo, "approve");
}

/** Waits until a registration names a problem. */
async function delayed(one: PublicationClient): Promise<PublicationJson> {
  let view: PublicationJson;
  await vi.waitUntil(async () => {
    view = (await one.get(ada)).json;
    return view.problem !== null;
  });
  return view;
}

const doisOf = ({ dataset }: PublicationClient) =>
  [...datacite.dois.values()].filter(({ attributes }) => String(attributes.url).includes(dataset));

/** DataCite stores everything, and no answer arrives. */
function losesAnswers(): void {
  datacite.addFault({ match: { method: "POST" }, times: 1_000, fault: { closeAfter: true } });
  datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
}

/** Restarts the service with a database that was recreated from the archive. Tokens are not in the archive. */
async function rebuild(): Promise<void> {
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
  });
  await signIn();
}

const FILES = [
  "/files",
  "/unpacking",
  "/files/data/README.md",
  "/export/ro-crate",
  "/export/bagit",
  "/files?version=1",
];

/** What an outsider and another submitter get of each surface with files, as status codes. */
async function filesOf(one: PublicationClient): Promise<number[]> {
  const statuses = new Set<number>();
  for (const token of [undefined, bob]) {
    for (const path of FILES) statuses.add((await one.get(token, path)).status);
  }
  return [...statuses].sort();
}

/** The landing page, or what a browser gets instead. */
async function pageOf({ dataset }: PublicationClient, query = ""): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${service.url}/dataset/${dataset}${query}`, { headers: { accept: "text/html" } });
  return { status: answer.status, text: await answer.text() };
}

/** Fails if any public surface shows the title or files. While a DOI may be public, it leads to a notice. */
async function expectUnknown(one: PublicationClient, mayBePublic = true): Promise<void> {
  for (const token of [undefined, bob]) {
    const status = mayBePublic ? 410 : token === undefined ? 401 : 404;
    for (const path of ["", "/publication", "/linkset", "/export/datacite-json", ...FILES]) {
      const answer = await one.get(token, path);
      expect([path, answer.status, answer.text.includes(goodMetadata.title)]).toEqual([path, status, false]);
    }
  }
  const versions = await one.get(undefined, "/versions");
  expect(versions.status === 200 ? versions.json : []).toEqual([]);
  expect((await pageOf(one)).text).not.toContain(goodMetadata.title);
  const others = ["/datasets", "/oai?verb=ListRecords&metadataPrefix=oai_dc", "/sitemap.xml", "/feed.atom"];
  for (const path of others) expect((await service.api.get(path)).text).not.toContain(one.dataset);
}

test("a registration that DataCite does not answer is not public, and its owner, a curator and an admin can end it", async () => {
  datacite.addFault({ match: {}, times: 10_000, fault: { status: 503 } });
  for (const token of [ada, cleo, admin]) {
    const one = await archived();
    await approved(one);
    expect((await delayed(one)).actions).toEqual(
      expect.arrayContaining(["take-back", "change-access", ...(token === ada ? ["withdraw"] : [])]),
    );
    expect(await filesOf(one)).not.toContain(200);
    await one.done(token, "take-back");
    await expectUnknown(one);
  }
  const closed = await archived();
  await approved(closed);
  await closed.done(ada, "change-access", { access: "restricted", reason: "A patent" });
  account.reset();
  await closed.done(ada, "publish");
  await closed.until(ada, "published");
  expect(await filesOf(closed)).toEqual([403]);
  // A version that was never sent to DataCite stays unknown.
  const early = await archived();
  await early.done(ada, "request", { ...asked, publishOnApproval: false });
  await early.done(cleo, "approve");
  await early.done(cleo, "take-back");
  await expectUnknown(early, false);
});

test("a DOI that became public before the publication was taken back is hidden, and the same one is published later", async () => {
  const one = await archived();
  losesAnswers();
  await approved(one);
  await delayed(one);
  // The DOI leads to the metadata, and the files are closed for all.
  expect((await one.get(undefined, "")).json).toMatchObject({ title: goodMetadata.title });
  const announced = await pageOf(one);
  expect(announced).toMatchObject({ status: 200, text: expect.stringContaining(goodMetadata.title) });
  expect(announced.text).not.toContain("isAccessibleForFree");
  expect((await one.get(undefined, "/versions")).json).toEqual([]);
  expect(await filesOf(one)).toEqual([403]);
  expect(doisOf(one)).toMatchObject([{ state: "findable" }]);

  await one.done(ada, "take-back");
  await expectUnknown(one);
  account.reset();
  await vi.waitUntil(() => doisOf(one)[0]?.state === "registered");
  await vi.waitUntil(async () => (await one.get()).status === 410);
  const gone = await one.get();
  expect(gone.json).toMatchObject({ code: "publication_withdrawn", withdrawn: { version: 1 } });
  expect(gone.text).not.toContain(goodMetadata.title);
  const page = await pageOf(one);
  expect([page.status, page.text.includes(goodMetadata.title)]).toEqual([410, false]);
  expect(await filesOf(one)).toEqual([410]);
  expect((await one.get(ada)).json).toMatchObject({ state: "private", doi: doisOf(one)[0]?.doi });

  // A database that is rebuilt from the archive knows the same.
  const [{ doi } = { doi: "" }] = doisOf(one);
  await rebuild();
  expect((await one.get()).status).toBe(410);
  expect((await one.get(ada)).json).toMatchObject({ state: "private", doi });

  await approved(one);
  const again = await one.until(ada, "published");
  expect(again.doi).toBe(doi);
  expect(doisOf(one)).toMatchObject([{ doi, state: "findable" }]);
  expect((await one.get(undefined, "/files")).status).toBe(200);
});

test("a version that is withdrawn during its registration stays withdrawn, also after a rebuild", {
  tags: "extended",
}, async () => {
  const unsent = await archived();
  const sent = await archived();
  const whole = await archived();
  datacite.addFault({ match: {}, times: 10_000, fault: { status: 503 } });
  await approved(unsent);
  await delayed(unsent);
  account.reset();
  losesAnswers();
  for (const one of [sent, whole]) await approved(one);
  for (const one of [sent, whole]) await delayed(one);
  for (const one of [unsent, sent]) await one.done(ada, "withdraw", { reason: "Personal data" });
  const removal = await service.api.post(`/dataset/${whole.dataset}/withdraw`, { reason: "By mistake" }, bearer(admin));
  expect(removal.status).toBe(202);
  account.reset();
  for (const one of [sent, whole]) {
    await vi.waitUntil(() => doisOf(one)[0]?.state === "registered");
    await vi.waitUntil(async () => (await one.get()).status === 410);
    expect((await one.get()).text).not.toContain(goodMetadata.title);
  }
  await expectUnknown(unsent);
  await vi.waitUntil(
    async () => (await service.api.get(`/dataset/${whole.dataset}`, bearer(admin))).json.tombstone?.removedAt,
  );
  await rebuild();
  for (const one of [sent, whole]) expect((await one.get()).status).toBe(410);
  expect((await sent.get(ada)).json).toMatchObject({ state: "withdrawn", withdrawnReason: "Personal data" });
});

test("while a later version is being registered, readers see the earlier one", async () => {
  const one = await archived();
  await approved(one);
  await one.until(ada, "published");
  await archiveAs(service, s3, ada, {
    metadata: { ...goodMetadata, title: "Another title" },
    files: { "README.md": "# Plots", "plots/b.csv": "3;4" },
    more: { dataset: { id: one.dataset } },
  });
  losesAnswers();
  const query = "?version=2";
  const path = `/dataset/${one.dataset}/publication`;
  expect((await service.api.post(`${path}/request${query}`, asked, bearer(ada))).status).toBe(200);
  const { headers } = await service.api.get(`${path}${query}`, bearer(cleo));
  const condition = { ...bearer(cleo), "if-match": headers.get("etag") ?? "" };
  expect((await service.api.post(`${path}/approve${query}`, {}, condition)).status).toBe(200);
  await vi.waitUntil(async () => (await service.api.get(`${path}${query}`, bearer(ada))).json.problem !== null);

  for (const first of [await one.get(undefined, ""), await pageOf(one)]) {
    expect([first.status, first.text.includes("Another title"), first.text.includes("version=2")]).toEqual([
      200,
      false,
      false,
    ]);
  }
  expect((await one.get(undefined, "")).json).toMatchObject({ version: 1, versions: [{ version: 1 }] });
  expect((await one.get(undefined, "/files")).text).not.toContain("plots/b.csv");
  // The DOI of the second version can already lead to it.
  expect((await one.get(undefined, query)).json).toMatchObject({ version: 2, title: "Another title" });
  const early = await pageOf(one, query);
  expect([early.status, early.text.includes("Another title"), early.text.includes("plots/b.csv")]).toEqual([
    200,
    true,
    false,
  ]);
  expect((await one.get(undefined, `/files${query}`)).status).toBe(403);
  // Neither a grant for all versions nor a list opens or names it.
  const grant = await service.api.post(
    `/dataset/${one.dataset}/access-grant?version=1`,
    { kind: "link", allVersions: true },
    bearer(ada),
  );
  for (const path of ["/files", "/files/data/README.md", "/export/bagit"]) {
    expect([path, (await one.get(grant.json.secret, `${path}${query}`)).status]).toEqual([path, 403]);
  }
  expect((await one.get(undefined, "/versions")).json).toMatchObject([{ version: 1 }]);
  expect((await one.get(undefined, "/usage")).status).toBe(200);
  expect((await one.get(undefined, `/usage${query}`)).status).toBe(404);
  account.reset();
  expect((await service.api.post(`${path}/publish${query}`, {}, bearer(ada))).status).toBe(200);
  await vi.waitUntil(async () => (await one.get(undefined, "")).json.version === 2);
  expect((await pageOf(one)).text).toContain("plots/b.csv");
});

test("the record of a publication that is not complete yet is not public", async () => {
  const one = await archived();
  await approved(one);
  await one.until(ada, "published");
  await service.settled();
  const record = async (token?: string) => (await one.get(token, "/publication-record")).status;
  expect([await record(), await record(bob)]).toEqual([200, 200]);
  // The service stopped after it had signed the record, and before it committed the publication.
  await service.restart(async () => {
    const { queries, close } = await service.database();
    const later = new Date(Date.now() + 600_000);
    const before = { state: "registering", published_at: null, next_at: later } as const;
    await queries.updateTable("publication").set(before).where("dataset_id", "=", one.dataset).execute();
    await close();
  });
  expect([await record(), await record(bob), await record(ada)]).toEqual([404, 404, 200]);
  await one.done(ada, "publish");
  await one.until(ada, "published");
  expect(await record()).toBe(200);
});

test("a comment during a registration changes nothing else, and starts no attempt", { tags: "extended" }, async () => {
  const one = await archived();
  losesAnswers();
  await approved(one);
  // The pauses grow, so that the next attempt is some seconds away.
  await vi.waitUntil(async () => (await one.get(ada)).json.attempts >= 3);
  // Those of other tests are still settling.
  const [{ doi } = { doi: "" }] = doisOf(one);
  const requestsOf = () => datacite.requests.filter(({ path }) => decodeURIComponent(path).includes(doi)).length;
  const requests = requestsOf();
  const { nextAttemptAt, attempts } = (await one.get(ada)).json;
  for (let number = 0; number < 10; number++) await one.done(ada, "comment", { comment: `Question ${number}` });
  const after = (await one.get(ada)).json;
  if (after.attempts === attempts) {
    expect(after.nextAttemptAt).toBe(nextAttemptAt);
    expect(requestsOf()).toBe(requests);
  } else expect(after.attempts).toBe(attempts + 1);
  expect((await one.get()).status).toBe(200);
  account.reset();
  await one.done(ada, "publish");
  await one.until(ada, "published");
  expect(doisOf(one)).toHaveLength(1);
});

test("a DOI that DataCite reports as taken and does not return yet is kept", async () => {
  const one = await archived();
  losesAnswers();
  await approved(one);
  await delayed(one);
  datacite.clearFaults();
  datacite.addFault({ match: { method: "GET" }, times: 2, fault: { status: 404, body: "{}" } });
  await one.done(ada, "publish");
  const { doi } = await one.until(ada, "published");
  expect(doisOf(one)).toMatchObject([{ doi, state: "findable" }]);
});

test("a change of access during a registration reaches DataCite, also if the request for it was lost", async () => {
  const one = await archived();
  losesAnswers();
  await approved(one);
  await delayed(one);
  const dates = () => JSON.stringify(doisOf(one)[0]?.attributes.dates);
  expect(dates()).toContain("Available");
  await one.done(ada, "change-access", { access: "restricted", reason: "A patent" });
  datacite.clearFaults();
  const since = datacite.requests.length;
  datacite.addFault({ match: { method: "PUT" }, times: 2, fault: { closeBefore: true } });
  await one.done(ada, "publish");
  await one.until(ada, "published");
  expect(datacite.requests.slice(since).filter(({ method }) => method === "PUT").length).toBeGreaterThanOrEqual(3);
  expect(dates()).not.toContain("Available");
});

test("a change of access during a registration cannot contradict the embargo of the metadata", async () => {
  const embargoDate = "2099-05-01";
  const metadata = { ...goodMetadata, embargoDate };
  const one = new PublicationClient(service, (await archiveAs(service, s3, ada, { metadata })).dataset);
  datacite.addFault({ match: {}, times: 10_000, fault: { status: 503 } });
  await one.done(ada, "request", { agreement: true, access: "embargoed", embargoDate, reason: "An article" });
  await one.done(cleo, "approve");
  await delayed(one);
  const { status, json } = await one.act(ada, "change-access", { access: "open", reason: "A mistake" });
  expect([status, json.code, json.detail]).toEqual([
    422,
    "publication_not_ready",
    expect.stringContaining("The metadata state an embargo until 2099-05-01"),
  ]);
  await one.done(ada, "take-back");
});

test("an owner who asks again and again does not overtake the attempt that is under way", {
  tags: "extended",
}, async () => {
  const one = await archived();
  await approved(one);
  let view = (await one.get(ada)).json;
  for (let asked = 0; asked < 500 && view.state === "registering"; asked++) {
    await one.act(ada, "publish");
    view = (await one.get(ada)).json;
  }
  await one.until(ada, "published");
  expect(view.history.filter(({ action }: { action: string }) => action === "publish")).toEqual([]);
});

test("a service that publishes nothing more publishes nothing that waits, and what is public can be closed", async () => {
  const waiting = await archived();
  const one = await archived();
  await approved(one);
  await one.until(ada, "published");
  datacite.addFault({ match: {}, times: 10_000, fault: { status: 503 } });
  await approved(waiting);
  await delayed(waiting);
  await service.restart(async () => account.reset(), { ACCESSION_PUBLICATION: "off" });
  await vi.waitUntil(async () => (await waiting.get(ada)).json.problem?.code === "publication_off");
  expect((await waiting.get(ada)).json.actions).toEqual(["take-back", "change-access", "withdraw"]);
  await waiting.done(ada, "take-back");
  await expectUnknown(waiting);
  await one.done(ada, "change-access", { access: "restricted", reason: "A patent" });
  expect(await filesOf(one)).toEqual([403]);
  await one.done(cleo, "withdraw", { reason: "A mistake" });
  expect(await filesOf(one)).toEqual([410]);
});
