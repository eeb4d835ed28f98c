import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";
import { sampleOf } from "../support/receivers/prometheus.ts";

const ADA = "ada@lab.example.org";
const [FIRST, SECOND] = ["first@archive.example.org", "second@archive.example.org"];
const asked = { agreement: true, access: "open", publishOnApproval: false };
/** The status with which the mail server refuses each address. */
const refused = new Map<string, number>();
let s3: S3Server;
let mailbox: Mailbox;
let service: TestService;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  mailbox = await startMailbox({
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = refused.get(address);
      // A server can quote the address.
      const error = Object.assign(new Error(`no mailbox ${address}`), { responseCode });
      done(responseCode === undefined ? null : error);
    },
  });
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_CURATOR_MAIL: `${FIRST}, ${SECOND}`,
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await mailbox.stop();
  await s3.close();
});
afterEach(() => refused.clear());

async function archived(): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, ada)).dataset);
}

const mailsTo = (address: string, { dataset }: PublicationClient) =>
  mailbox.mails.filter(({ recipients, text }) => recipients.includes(address) && text?.includes(dataset));
const viewOf = async (one: PublicationClient, token = ada) => (await one.get(token)).json;
const failuresOf = async (one: PublicationClient) =>
  (await viewOf(one)).history.filter(({ action }: { action: string }) => action === "mail-undelivered");
const givenUp = async () =>
  sampleOf((await service.api.get("/metrics", bearer(cleo))).text, "accession_notices_total", {
    kind: "mail",
    outcome: "given_up",
  }) ?? 0;

test("an address that the mail server refuses is stated to owner and curator, without the address, until it is corrected", async () => {
  refused.set(ADA, 550);
  const one = await archived();
  expect((await one.done(ada, "request", { ...asked, notify: { email: ADA } })).notified).toBe(true);
  const before = await givenUp();
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await vi.waitUntil(async () => (await failuresOf(one)).length === 1);
  expect(await failuresOf(one)).toMatchObject([{ actor: null, party: "owner", state: "in_review", comment: "" }]);
  for (const token of [ada, cleo]) {
    const { json, text } = await one.get(token);
    expect(json.notified).toBe(false);
    expect(text).not.toContain(ADA);
  }
  await vi.waitUntil(async () => (await givenUp()) === before + 1);

  // It is stated once, and each mail is tried.
  await one.done(cleo, "request-changes", { comment: "Please" });
  await vi.waitUntil(async () => (await givenUp()) === before + 2);
  expect(await failuresOf(one)).toHaveLength(1);
  await one.done(ada, "request", { ...asked, notify: { email: "ada@new.example.org" } });
  expect((await viewOf(one)).notified).toBe(true);
  await one.done(cleo, "comment", { comment: "Thank you" });
  await vi.waitUntil(() => mailsTo("ada@new.example.org", one).length === 1);
});

test("an address that is refused for a time receives the mail later, once", async () => {
  refused.set(ADA, 450);
  const one = await archived();
  await one.done(ada, "request", { ...asked, notify: { email: ADA } });
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await vi.waitUntil(async () => {
    const { text } = await service.api.get("/metrics", bearer(cleo));
    return (sampleOf(text, "accession_notices_total", { kind: "mail", outcome: "failed" }) ?? 0) > 0;
  });
  refused.clear();
  await vi.waitUntil(() => mailsTo(ADA, one).length > 0);
  await one.done(cleo, "comment", { comment: "The last" });
  await vi.waitUntil(() => mailsTo(ADA, one).some(({ text }) => text?.includes("> The last")));
  expect(mailsTo(ADA, one)).toHaveLength(2);
  expect([await failuresOf(one), (await viewOf(one)).notified]).toEqual([[], true]);
});

test.each([450, 550])(
  "if one of two addresses is refused (%i), the other one receives the mail once",
  async (status) => {
    refused.set(FIRST, status);
    const one = await archived();
    await one.done(ada, "request", { ...asked, notify: { email: ADA } });
    await vi.waitUntil(() => mailsTo(SECOND, one).length === 1);
    if (status === 550) {
      await vi.waitUntil(async () => (await failuresOf(one)).length === 1);
      expect(await failuresOf(one)).toMatchObject([{ party: "curator" }]);
    } else {
      refused.clear();
      await vi.waitUntil(() => mailsTo(FIRST, one).length === 1);
    }
    refused.clear();
    await one.done(ada, "comment", { comment: "The last" });
    await vi.waitUntil(() => mailsTo(SECOND, one).length >= 2);
    expect(mailsTo(SECOND, one).map(({ subject = "" }) => subject.split(":")[0])).toEqual([
      "Review this dataset",
      "Read the new comment",
    ]);
    const ids = mailsTo(FIRST, one).map(({ messageId }) => messageId);
    const [first, second] = mailsTo(SECOND, one).map(({ messageId }) => messageId);
    expect(ids).toEqual(status === 550 ? [second] : [first, second]);
  },
);

test("an address whose domain has upper-case letters is retried, too", async () => {
  const stated = "ada@LAB.example.org";
  refused.set(ADA, 450);
  const one = await archived();
  await one.done(ada, "request", { ...asked, notify: { email: stated } });
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await vi.waitUntil(async () => {
    const { text } = await service.api.get("/metrics", bearer(cleo));
    return (sampleOf(text, "accession_notices_total", { kind: "mail", outcome: "failed" }) ?? 0) > 0;
  });
  refused.clear();
  await one.done(cleo, "comment", { comment: "The last" });
  await vi.waitUntil(() => mailsTo(ADA, one).some(({ text }) => text?.includes("> The last")));
  expect(mailsTo(ADA, one)).toHaveLength(2);
});

test("an address whose domain has upper-case letters is stated as refused", async () => {
  refused.set(ADA, 550);
  const one = await archived();
  await one.done(ada, "request", { ...asked, notify: { email: "ada@LAB.example.org" } });
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await vi.waitUntil(async () => (await failuresOf(one)).length === 1);
  expect((await viewOf(one)).notified).toBe(false);
});
