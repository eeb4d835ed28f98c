import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const END = "2099-05-01";
const embargoed = { ...goodMetadata, embargoDate: END };
const asked = { agreement: true, publishOnApproval: true };
const embargo = { access: "embargoed", embargoDate: END, reason: "The article appears in May." };
let s3: S3Server;
let service: TestService;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function archived(metadata: object = embargoed): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, ada, { metadata })).dataset);
}

async function changeMetadata({ dataset }: PublicationClient, tag: string, metadata: object): Promise<void> {
  const { status, text } = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata }),
    headers: { "content-type": "application/json", "if-match": tag, ...bearer(ada) },
  });
  expect([status, text]).toEqual([200, expect.any(String)]);
}

/** Expects that an action is refused because of the embargo of the metadata. */
async function refused(one: PublicationClient, token: string, action: string, body: object = {}): Promise<void> {
  const { status, json } = await one.act(token, action, body, action === "approve" ? await one.seen(token) : {});
  expect([status, json.code, json.checks?.[0]]).toEqual([
    422,
    "publication_not_ready",
    expect.objectContaining({ code: "embargo_differs", severity: "error", place: { field: "/embargoDate" } }),
  ]);
}

test("a request whose access contradicts the embargo of the metadata is refused", async () => {
  const one = await archived();
  await refused(one, ada, "request", { ...asked, access: "open" });
  await refused(one, ada, "request", { ...asked, access: "restricted" });
  await refused(one, ada, "request", { ...asked, ...embargo, embargoDate: "2098-05-01" });
  expect((await one.get(ada)).json.state).toBe("private");
  await one.done(ada, "request", { ...asked, ...embargo });
  const view = (await one.get(cleo)).json;
  expect(view).toMatchObject({ state: "in_review", access: "embargoed", embargoDate: END });
  expect(view.checks.map(({ code }: { code: string }) => code)).not.toContain("embargo_differs");
});

test("the embargo of the metadata is the proposed access, also by the command", async () => {
  const one = await archived();
  const view = (await one.get(ada)).json;
  expect(view).toMatchObject({ state: "private", access: "embargoed", embargoDate: END });
  expect(view.checks.map(({ code }: { code: string }) => code)).not.toContain("embargo_differs");
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: ada };
  const [{ sha256 }] = (await service.api.get("/deposit-agreement")).json;
  const publish = ["publish", one.dataset, "--accept-agreement", sha256];
  const open = await runProgram([...publish, "--access", "open", "--no-json"], { env });
  expect(open.code).toBe(1);
  expect(open.stderr.replace(/\s+/g, " ")).toContain("The metadata state an embargo until 2099-05-01");
  const { code, lines } = await runCommand(publish, service.data, { env });
  expect([code, lines[0]]).toMatchObject([0, { state: "in_review", access: "embargoed", embargoDate: END }]);
  // A repeated request has no further effect.
  const again = await runCommand(publish, service.data, { env });
  expect([again.code, again.lines[0].history.length]).toEqual([0, lines[0].history.length]);
});

test("an embargo in the metadata that contradicts the request prevents the approval", async () => {
  const one = await archived(goodMetadata);
  await one.done(ada, "request", { ...asked, access: "open" });
  await changeMetadata(one, '"1.1"', embargoed);
  await refused(one, cleo, "approve");
  expect((await one.get(cleo)).json).toMatchObject({ state: "in_review", access: "open" });
  await changeMetadata(one, '"1.2"', goodMetadata);
  await one.done(cleo, "approve");
});

test("the checks of a request use the access that it requests, not that of an earlier request", async () => {
  const one = await archived(goodMetadata);
  await one.done(ada, "request", { ...asked, access: "open" });
  await one.done(cleo, "request-changes", { comment: "Please state the embargo in the metadata." });
  await changeMetadata(one, '"1.1"', embargoed);
  expect((await one.get(ada)).json).toMatchObject({ access: "embargoed", embargoDate: END });
  await refused(one, ada, "request", { ...asked, access: "open" });
  await one.done(ada, "request", { ...asked, ...embargo });
});

test("an embargo date in the metadata of a published version has a warning, because it does not change the access", async () => {
  const one = await archived(goodMetadata);
  await one.done(ada, "request", { ...asked, access: "open" });
  const change = { metadata: embargoed };
  const send = (tag: string, body: object) =>
    service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "if-match": tag, ...bearer(ada) },
    });
  const before = await send('"1.1"', change);
  const codes = ({ json }: typeof before) => json.warnings.map(({ code }: { code: string }) => code);
  expect([before.status, codes(before)]).toEqual([200, expect.not.arrayContaining(["embargo_date_unused"])]);
  await changeMetadata(one, '"1.2"', goodMetadata);
  await one.done(cleo, "approve");
  await one.until(ada, "published");
  const after = await send('"1.3"', change);
  expect([after.status, codes(after)]).toEqual([200, expect.arrayContaining(["embargo_date_unused"])]);
  expect((await one.get(ada)).json).toMatchObject({ access: "open", filesOpen: true });
  await one.done(ada, "change-access", embargo);
  const same = await send('"1.4"', { metadata: { ...embargoed, title: "Barley roots again" } });
  expect(codes(same)).not.toContain("embargo_date_unused");
});

test("without review, a contradiction prevents the publication", { tags: "extended" }, async () => {
  await using direct = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const { dataset } = await archiveAs(direct, s3, undefined, { metadata: embargoed });
  const one = new PublicationClient(direct, dataset);
  await refused(one, "none", "request", { ...asked, access: "open" });
  await one.done("none", "request", { ...asked, ...embargo });
  expect(await one.until("none", "published")).toMatchObject({ filesOpen: false, embargoDate: END });
});
