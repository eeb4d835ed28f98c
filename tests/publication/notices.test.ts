import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const ADA = "ada@lab.example.org";
const CURATORS = "curators@archive.example.org";
let s3: S3Server;
let mailbox: Mailbox;
let service: TestService;
let ada: string;
let curator: string;

beforeAll(async () => {
  s3 = await startS3Server();
  mailbox = await startMailbox();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_CURATOR_MAIL: CURATORS,
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  curator = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await mailbox.stop();
  await s3.close();
});

const asked = { agreement: true, access: "open", notify: { email: ADA }, publishOnApproval: false };

async function requested(body: object = asked): Promise<{ dataset: string; submission: string }> {
  const found = await archiveAs(service, s3, ada);
  await new PublicationClient(service, found.dataset).done(ada, "request", body);
  return found;
}

const viewOf = async (dataset: string) => (await new PublicationClient(service, dataset).get(ada)).json;
const actionsOf = async (dataset: string): Promise<string[]> =>
  (await viewOf(dataset)).history.map(({ action }: { action: string }) => action);
const mailsTo = (address: string, about: string) =>
  mailbox.mails.filter(({ recipients, text }) => recipients.includes(address) && text?.includes(about));

/** Changes a publication while the service is stopped, as if that time had passed. The service looks at its start. */
async function later(dataset: string, changed: Record<string, string> = {}): Promise<void> {
  await service.restart(async () => {
    const { queries, close } = await service.database();
    for (const [column, value] of Object.entries(changed)) {
      await sql`update publication set ${sql.ref(column)} = ${sql.raw(value)} where dataset_id = ${dataset}`.execute(
        queries,
      );
    }
    await sql`delete from turn where name = 'publication notices'`.execute(queries);
    await close();
  });
}

describe("a reminder", () => {
  test("goes to the party that must act after each period, once after a pause, three times at most", {
    tags: "extended",
  }, async () => {
    const { dataset, submission } = await requested();
    const about = `/app/datasets/${dataset}?`;
    const etag = async () => (await new PublicationClient(service, dataset).get(ada)).headers.get("etag");
    const before = await etag();
    await later(dataset, { since: "since - interval '6 days 23 hours'" });
    expect(await actionsOf(dataset)).toEqual(["request"]);
    await later(dataset, { since: "since - interval '60 days'" });
    await vi.waitUntil(async () => (await actionsOf(dataset)).includes("reminded"));
    await vi.waitUntil(() => mailsTo(CURATORS, about).length === 2);
    expect(mailsTo(CURATORS, about)[1]?.subject).toMatch(/^Reminder to review this dataset: /);
    expect(mailsTo(ADA, about)).toEqual([]);
    // A reminder is no change that a curator must have seen.
    expect(await etag()).toBe(before);
    const events = (await service.api.get(`/submission/${submission}/events`, bearer(ada))).json;
    expect(events.at(-1)).toMatchObject({
      type: "publication_reminder",
      data: { dataset, version: 1, state: "in_review", waitingFor: "curator" },
    });
    for (let n = 2; n <= 4; n++) await later(dataset, { reminded_at: "reminded_at - interval '8 days'" });
    await vi.waitUntil(async () => (await actionsOf(dataset)).length === 4);
    expect(await actionsOf(dataset)).toEqual(["request", "reminded", "reminded", "reminded"]);

    // In the next state, another party is reminded again.
    await new PublicationClient(service, dataset).done(curator, "request-changes", { comment: "Please" });
    await later(dataset, { since: "since - interval '8 days'" });
    await vi.waitUntil(() => mailsTo(ADA, about).length === 2);
    expect(mailsTo(ADA, about)[1]?.subject).toMatch(/^Reminder to change your dataset: /);
  });
});

describe("the end of an embargo", () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test("is announced to the owner 30 and 7 days before, and reported once", { tags: "extended" }, async () => {
    const { dataset, submission } = await requested({
      ...{ ...asked, publishOnApproval: true },
      ...{ access: "embargoed", embargoDate: day(90), reason: "Article" },
    });
    const one = new PublicationClient(service, dataset);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    const about = `/app/datasets/${dataset}?`;
    const at = (days: number) => later(dataset, { embargo_date: `'${day(days)}'`, embargo_notice: "null" });
    const notices = async () => (await actionsOf(dataset)).filter((action) => action.startsWith("embargo"));
    await at(31);
    expect(await notices()).toEqual([]);
    await at(29);
    await vi.waitUntil(async () => (await notices()).length === 1);
    await vi.waitUntil(() => mailsTo(ADA, about).some(({ subject }) => subject?.startsWith("Embargo ends on")));
    // After a pause until after the end, only the end is reported.
    await later(dataset, { embargo_date: `'${day(-3)}'`, embargo_notice: `'${day(-3)} 30'` });
    await vi.waitUntil(async () => (await notices()).length === 2);
    await later(dataset);
    await later(dataset);
    expect(await notices()).toEqual(["embargo-ending", "embargo-ended"]);
    const events = (await service.api.get(`/submission/${submission}/events`, bearer(ada))).json;
    expect(events.at(-1)).toMatchObject({ type: "embargo_ended", data: { dataset, version: 1, embargoDate: day(-3) } });
    await vi.waitUntil(() => mailsTo(ADA, about).some(({ subject }) => subject?.startsWith("Embargo ended:")));
  });

  test("has no notice for days that are over when the embargo is set", { tags: "extended" }, async () => {
    const { dataset } = await requested({ ...asked, publishOnApproval: true });
    const one = new PublicationClient(service, dataset);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    await one.done(ada, "change-access", { access: "embargoed", embargoDate: day(20), reason: "Article" });
    await later(dataset);
    const { history } = await viewOf(dataset);
    expect(history.at(-1)).toMatchObject({ action: "change-access", access: "embargoed", embargoDate: day(20) });
  });
});

test("the history states to whom a review was assigned, and known curators are listed for curators", async () => {
  const { dataset } = await requested();
  const one = new PublicationClient(service, dataset);
  await one.done(curator, "assign", { curator: "cleo" });
  const { history } = await one.done(curator, "assign", { curator: null });
  const assigned = history.filter(({ action }: { action: string }) => action === "assign");
  expect(assigned.map((entry: { curator: string | null }) => entry.curator)).toEqual(["cleo", null]);
  expect(history[0]).toMatchObject({ action: "request", access: "open", embargoDate: null, curator: null });
  await one.done(curator, "assign", { curator: "cleo" });
  const { json } = await service.api.get("/curator", bearer(curator));
  expect(json).toEqual([
    { owner: "cleo", assigned: expect.any(Number) },
    { owner: "root", assigned: 0 },
  ]);
  expect(json[0].assigned).toBeGreaterThan(0);
  expect((await service.api.get("/curator", bearer(ada))).status).toBe(403);
  expect((await service.api.get("/curator")).status).toBe(401);
});
