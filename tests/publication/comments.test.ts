import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient, type PublicationJson } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let ada: string;
let bob: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function inReview(): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = new PublicationClient(service, dataset);
  await one.done(ada, "request", { agreement: true, access: "open" });
  return one;
}

/** Numbers, actions and whether they are resolved. */
const statesOf = ({ history }: PublicationJson) =>
  history.map(({ id, action, resolved }: { id: number; action: string; resolved: boolean | null }) => [
    id,
    action,
    resolved,
  ]);

test("owner and curators resolve and reopen comments, and see how many are resolved", async () => {
  const one = await inReview();
  const before = (await one.get(cleo)).json;
  expect(before).toMatchObject({ comments: { total: 0, resolved: 0 } });
  expect(before.actions).not.toContain("resolve");
  await one.done(cleo, "comment", { comment: "Which depth?", place: { field: "/description" } });
  await one.done(cleo, "comment", { comment: "Which unit?", place: { file: "data/plots/a.csv" } });
  const answered = await one.done(ada, "comment", { comment: "20 cm", answers: 2 });
  expect(answered).toMatchObject({ comments: { total: 2, resolved: 0 } });
  expect(answered.actions).toContain("resolve");

  const resolved = await one.done(ada, "resolve", { entry: 2 });
  expect(resolved).toMatchObject({ state: "in_review", comments: { total: 2, resolved: 1 } });
  expect(statesOf(resolved)).toEqual([
    [1, "request", null],
    [2, "comment", true],
    [3, "comment", false],
    [4, "comment", null],
    [5, "resolve", true],
  ]);
  expect(resolved.history.at(-1)).toMatchObject({ actor: "ada", answers: 2, comment: "" });

  const reopened = await one.done(cleo, "resolve", { entry: 2, resolved: false });
  expect(reopened).toMatchObject({ comments: { total: 2, resolved: 0 } });
  // The same request as before is a new step, because the comment was reopened meanwhile.
  const again = await one.done(ada, "resolve", { entry: 2 });
  expect(again).toMatchObject({ comments: { total: 2, resolved: 1 } });
  // Open comments do not prevent approval, and comments can be resolved after publication.
  await one.done(cleo, "approve");
  await one.until(ada, "published");
  expect(await one.done(ada, "resolve", { entry: 3 })).toMatchObject({ comments: { total: 2, resolved: 2 } });
  expect((await one.get()).json).toMatchObject({ comments: { total: 0, resolved: 0 }, history: [] });
});

test("a repeated resolution has no further effect, also after steps of others", async () => {
  const one = await inReview();
  await one.done(cleo, "comment", { comment: "Which depth?" });
  const { etag } = { etag: (await one.seen(ada))["if-match"] };
  await one.done(ada, "resolve", { entry: 2 });
  await one.done(cleo, "comment", { comment: "Thank you" });
  const repeated = await one.act(ada, "resolve", { entry: 2 }, { "if-match": etag });
  expect(repeated.status).toBe(200);
  expect(statesOf(repeated.json)).toHaveLength(4);
  const unseen = await one.act(ada, "resolve", { entry: 4 }, { "if-match": etag });
  expect([unseen.status, unseen.json.code]).toEqual([412, "publication_conflict"]);
});

test("only comments that exist and answer no other one are resolved, by people who may see them", async () => {
  const one = await inReview();
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await one.done(ada, "comment", { comment: "20 cm", answers: 2 });
  for (const entry of [1, 3, 99]) {
    const { status, json } = await one.act(ada, "resolve", { entry });
    expect([entry, status, json.errors?.[0].pointer]).toEqual([entry, 422, "/entry"]);
  }
  for (const body of [{}, { entry: 0 }, { entry: "2" }, { entry: 2, resolved: "no" }, { entry: 2, comment: "a" }]) {
    expect([body, (await one.act(ada, "resolve", body)).status]).toEqual([body, 422]);
  }
  expect((await one.act(bob, "resolve", { entry: 2 })).status).toBe(404);
  expect((await one.act(undefined, "resolve", { entry: 2 })).status).toBe(401);
  await one.done(ada, "take-back");
  const { status, json } = await one.act(ada, "resolve", { entry: 2 });
  expect([status, json.code]).toEqual([409, "publication_state"]);
});
