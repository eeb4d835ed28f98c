import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient, type PublicationJson } from "../support/api/publications.ts";
import { findPackage } from "../support/archive/package.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;
let ada: string;
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

/** Restarts the service with another database, after `accession rebuild`. @param change replaces the database */
async function rebuild(change: () => Promise<void>): Promise<void> {
  await service.settled();
  await service.restart(async () => {
    await change();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
  });
}

async function rebuildFromNothing(): Promise<void> {
  await rebuild(() => service.recreateDatabase());
  await signIn();
}

/** What a publication states about its review. */
const reviewOf = ({ history, ...view }: PublicationJson) => ({
  state: view.state,
  access: [view.access, view.embargoDate, view.accessReason],
  agreement: view.agreement,
  requestedBy: view.requestedBy,
  assignee: view.assignee,
  approvedBy: view.approvedBy,
  history,
});

const doisOf = ({ dataset }: PublicationClient) =>
  [...datacite.dois.values()].filter(({ attributes }) => String(attributes.url).includes(dataset));

test("a database that is recreated from the archive has requests, decisions, agreement and history", async () => {
  const [waiting, returned, approved, published] = [
    await archived(),
    await archived(),
    await archived(),
    await archived(),
  ];
  const embargo = { agreement: true, access: "embargoed", embargoDate: "2099-05-01", reason: "The article appears." };
  await waiting.done(ada, "request", { ...embargo, comment: "Please look at the plots." });
  await waiting.done(cleo, "assign", { curator: "cleo" });
  await returned.done(ada, "request", asked);
  await returned.done(cleo, "comment", { comment: "Which depth?", place: { field: "/description" } });
  await returned.done(ada, "comment", { comment: "20 cm", answers: 2 });
  await returned.done(ada, "resolve", { entry: 2 });
  await returned.done(cleo, "request-changes", { comment: "Please state it." });
  await approved.done(ada, "request", { ...asked, publishOnApproval: false });
  await approved.done(cleo, "approve");
  await published.done(ada, "request", asked);
  await published.done(cleo, "approve", { comment: "Thank you" });
  await published.until(ada, "published");
  const all = [waiting, returned, approved, published];
  const before = await Promise.all(all.map(async (one) => reviewOf((await one.get(ada)).json)));

  await rebuildFromNothing();
  const after = await Promise.all(all.map(async (one) => reviewOf((await one.get(ada)).json)));
  expect([after[0], after[1], after[3]]).toEqual([before[0], before[1], before[3]]);
  // The approval could have been taken back, so that it is asked for again.
  expect(after[2]).toMatchObject({ state: "in_review", approvedBy: null, requestedBy: "ada" });
  expect(after[2]?.history.slice(0, -1)).toEqual(before[2]?.history);
  expect(after[2]?.history.at(-1)).toMatchObject({ action: "restored", state: "in_review" });
  await approved.done(cleo, "approve");
  await approved.done(ada, "publish");
  await approved.until(ada, "published");
});

test("a database that is recreated while DataCite does not answer knows the DOI, and no second one is registered", async () => {
  const one = await archived();
  datacite.addFault({ match: { method: "POST" }, times: 1_000, fault: { closeAfter: true } });
  datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
  await one.done(ada, "request", asked);
  await one.done(cleo, "approve");
  await vi.waitUntil(async () => (await one.get(ada)).json.problem !== null);
  expect(doisOf(one)).toMatchObject([{ state: "findable" }]);
  account.reset();
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
  });
  await signIn();
  // The DOI leads to a notice, and is hidden at DataCite, until the dataset is approved again.
  expect((await one.get()).status).toBe(410);
  await vi.waitUntil(() => doisOf(one)[0]?.state === "registered");
  expect((await one.get(ada)).json.state).toBe("in_review");
  await one.done(cleo, "approve");
  const { doi } = await one.until(ada, "published");
  expect(doisOf(one)).toMatchObject([{ doi, state: "findable" }]);
});

test("an older database receives the decisions that were made after the backup, and keeps its own comments", {
  tags: "extended",
}, async () => {
  const [returned, withdrawn, taken] = [await archived(), await archived(), await archived()];
  for (const one of [returned, withdrawn, taken]) await one.done(ada, "request", asked);
  await service.settled();
  let restore = async () => {};
  await service.restart(async () => {
    restore = await service.backUpDatabase();
  });
  await returned.done(ada, "comment", { comment: "I forgot the depth." });
  await returned.done(cleo, "request-changes", { comment: "Please state it." });
  await withdrawn.done(cleo, "approve");
  await withdrawn.until(ada, "published");
  await withdrawn.done(cleo, "withdraw", { reason: "A mistake" });
  await taken.done(ada, "take-back");
  const all = [returned, withdrawn, taken];
  const before = await Promise.all(all.map(async (one) => reviewOf((await one.get(ada)).json)));
  await rebuild(restore);
  const after = await Promise.all(all.map(async (one) => reviewOf((await one.get(ada)).json)));
  expect(after.map(({ state }) => state)).toEqual(["changes_requested", "withdrawn", "private"]);
  for (const [index, { history }] of after.entries()) {
    const actions = history.filter(({ action }: { action: string }) => action !== "restored");
    expect(actions).toEqual(before[index]?.history);
  }
});

test("review records are signed, checked with the archive, and removed with a withdrawn dataset", async () => {
  const one = await archived();
  await one.done(ada, "request", { ...asked, comment: "Please look at the plots." });
  await service.settled();
  const folder = join((await findPackage(join(service.data, "archive"), one.dataset)).folder, "logs/review");
  expect(await readdir(folder)).toEqual(["v1-0001.jws"]);
  const [, payload = ""] = (await readFile(join(folder, "v1-0001.jws"), "utf8")).split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    number: 1,
    dataset: { id: one.dataset, version: 1 },
    publication: { state: "in_review", requestedBy: "ada" },
    entries: [{ no: 1, action: "request", actor: "ada", comment: "Please look at the plots." }],
    through: 1,
  });
  // Comments follow with the next decision.
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await service.settled();
  expect(await readdir(folder)).toEqual(["v1-0001.jws"]);
  await one.done(cleo, "decline", { comment: "Out of scope" });
  await service.settled();
  expect(await readdir(folder)).toEqual(["v1-0001.jws", "v1-0002.jws"]);
  const archive = join(service.data, "archive");
  const verify = async () => {
    const { code, lines } = await runCommand(["verify", archive, "--json"], service.data);
    const findings = (lines as { code?: string; path?: string }[]).filter((line) => line.code !== undefined);
    return [code, ...findings.map((line) => `${line.code} ${line.path?.slice(line.path.indexOf("logs/"))}`)];
  };
  expect(await verify()).toEqual([0]);
  const first = join(folder, "v1-0001.jws");
  const genuine = await readFile(first);
  await rm(first);
  expect(await verify()).toEqual([1, "EL02 logs/review/v1-0001.jws"]);
  await writeFile(first, String(genuine).replace(".", ".e"));
  expect(await verify()).toEqual([1, "EL05 logs/review/v1-0001.jws"]);
  await writeFile(first, genuine);
  const second = join(folder, "v1-0002.jws");
  const held = await runCommand(["receipt", "verify", second, "--archive", archive, "--json"], service.data);
  expect([held.code, held.lines]).toMatchObject([0, [{ ok: true, record: { number: 2, through: 3 } }]]);
  const removal = { reason: "Personal data" };
  await service.api.post(`/dataset/${one.dataset}/withdraw`, removal, bearer(admin));
  await vi.waitUntil(
    async () => (await service.api.get(`/dataset/${one.dataset}`, bearer(admin))).json.tombstone?.removedAt,
  );
  const tomb = join(service.data, "archive/withdrawn", one.dataset);
  expect([existsSync(join(tomb, "logs/v1/receipt.jws")), existsSync(join(tomb, "logs/review"))]).toEqual([true, false]);
});
