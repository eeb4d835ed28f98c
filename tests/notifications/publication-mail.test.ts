import { rm } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mail, type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const ADA = "ada@lab.example.org";
const CURATORS = ["curators@archive.example.org", "second@archive.example.org"];
const OPERATOR = "operator@archive.example.org";
const asked = { agreement: true, access: "open", notify: { email: ADA }, publishOnApproval: false };
let s3: S3Server;
let mailbox: Mailbox;
let service: TestService;
let ada: string;
let curator: string;
let admin: string;

beforeAll(async () => {
  s3 = await startS3Server();
  mailbox = await startMailbox();
  service = await startTestService({ ...TOKENS, ...settings() });
  const tokens = await Tokens.open(service);
  admin = tokens.admin;
  ada = (await tokens.create("ada", "submitter")).token;
  curator = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await mailbox.stop();
  await s3.close();
});
/** Datasets of this test and of earlier ones, whose mails can arrive late. */
const own = new Set<string>();
const earlier = new Set<string>();
beforeEach(() => {
  mailbox.mails.length = 0;
  for (const dataset of own) earlier.add(dataset);
  own.clear();
});

function settings(): Record<string, string> {
  return {
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_CURATOR_MAIL: CURATORS.join(", "),
    ACCESSION_OPERATOR_MAIL: OPERATOR,
  };
}

async function archived(token: string | undefined = ada, of = service): Promise<PublicationClient> {
  const { dataset } = await archiveAs(of, s3, token);
  own.add(dataset);
  return new PublicationClient(of, dataset);
}

/** Mails about publications of this test since the last call; those about submissions are tested elsewhere. */
const mails = () =>
  mailbox.mails.filter(
    ({ subject = "", text = "" }) =>
      !/^(Accepted|Archived):/.test(subject) && [...earlier].every((dataset) => !text.includes(dataset)),
  );

/** Waits until there are exactly these mails since the last call. Those to different parties have no order. */
async function arrived(...subjects: string[]): Promise<Mail[]> {
  await vi.waitUntil(() => mails().length >= subjects.length);
  const found = mails();
  expect(found.map(({ subject = "" }) => subject.split(":")[0])).toEqual(subjects);
  mailbox.mails.length = 0;
  return found;
}

describe("a mail goes to the party that must act", () => {
  test("also when a person asks for access to closed files, without the name and the reason", {
    tags: "extended",
  }, async () => {
    const one = await archived();
    await one.done(ada, "request", {
      ...asked,
      access: "restricted",
      reason: "Personal data",
      publishOnApproval: true,
    });
    await arrived("Review this dataset");
    await one.done(curator, "approve");
    await arrived("Published");
    const sent = { name: "Grace Hopper", email: "grace@example.org", reason: "Comparison with our plots" };
    const { status } = await service.api.post(`/dataset/${one.dataset}/access-request`, sent);
    expect(status).toBe(202);
    const requests = await arrived("Answer a request for access", "Answer a request for access");
    expect(requests.map(({ recipients }) => recipients).toSorted()).toEqual([[ADA], CURATORS].toSorted());
    for (const { text } of requests) {
      expect(text).toContain("Action required by you: grant or refuse access");
      expect(text).not.toMatch(/Grace|grace@|Comparison/);
    }
  });

  test("for every change of hands, with the comment and a link that requires signing in", async () => {
    const one = await archived();
    const link = `\nDataset: ${service.url}/app/datasets/${one.dataset}?version=1\n`;
    const requested = await one.done(ada, "request", { ...asked, comment: "Please look" });
    expect(requested.notified).toBe(true);
    const [review] = (await arrived("Review this dataset")) as [Mail];
    expect(review.recipients).toEqual(CURATORS);
    expect(review.subject).toBe(`Review this dataset: ${goodMetadata.title}`);
    expect(review.text).toContain("ada requested publication.\n\n> Please look\n\nAction required by a curator:");
    expect(review.text).toContain(link);
    expect(review.text).not.toMatch(/token|secret|eyJ/i);

    await one.done(curator, "comment", { comment: "Which depth?", place: { field: "/description" } });
    const [question] = (await arrived("Read the new comment")) as [Mail];
    expect(question.recipients).toEqual([ADA]);
    expect(question.text).toContain("cleo commented on the field /description:\n\n> Which depth?\n");
    expect(question.text).toContain(link);

    await one.done(curator, "request-changes", { comment: "State it.\n\nTitle: forged\nDataset: http://evil" });
    const [changes] = (await arrived("Change your dataset")) as [Mail];
    expect(changes.recipients).toEqual([ADA]);
    expect(changes.text).toContain("cleo requested changes:\n\n> State it.\n> Title: forged\n> Dataset: http://evil\n");
    expect(changes.text).toContain("Action required by you: make the changes");

    await one.done(ada, "request", { ...asked, publishOnApproval: true });
    await arrived("Review this dataset");
    await one.done(curator, "approve");
    const [published] = (await arrived("Published")) as [Mail];
    expect([published.recipients, published.text]).toEqual([[ADA], expect.stringContaining(`urn:uuid:${one.dataset}`)]);
    const ids = [review, question, changes, published].map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("also for an answer, an approval, a request that is taken back, and a withdrawal", {
    tags: "extended",
  }, async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await arrived("Review this dataset");
    await one.done(curator, "comment", { comment: "Which depth?", place: { field: "/description" } });
    await arrived("Read the new comment");
    await one.done(ada, "comment", { comment: "20 cm", answers: 2 });
    expect((await arrived("Read the new comment"))[0]?.recipients).toEqual(CURATORS);
    await one.done(curator, "request-changes", { comment: "State it." });
    await arrived("Change your dataset");

    // Without an address in the second request, the first one stays.
    await one.done(ada, "request", { agreement: true, access: "open", publishOnApproval: false });
    await arrived("Review this dataset");
    await one.done(curator, "approve", { comment: "Well done" });
    const [approved] = (await arrived("Publish your dataset")) as [Mail];
    expect([approved.recipients, approved.text]).toEqual([[ADA], expect.stringContaining("> Well done")]);
    await one.done(curator, "take-back", { comment: "One more thing" });
    expect((await arrived("Request taken back"))[0]?.recipients).toEqual([ADA]);
    await one.done(ada, "request", { ...asked, publishOnApproval: true });
    await arrived("Review this dataset");
    await one.done(curator, "approve");
    await one.until(ada, "published");
    await arrived("Published");
    await one.done(curator, "withdraw", { reason: "A name" });
    expect((await arrived("Withdrawn"))[0]?.text).toContain("> A name");
  });

  test("and not if the action was taken before the mail could be sent", async () => {
    const one = await archived();
    await mailbox.stop();
    await one.done(ada, "request", asked);
    await one.done(curator, "decline", { comment: "Out of scope" });
    await mailbox.start();
    const [declined] = (await arrived("Publication declined")) as [Mail];
    expect([declined.recipients, declined.text]).toEqual([[ADA], expect.stringContaining("> Out of scope")]);
  });

  test("with the title of the newest metadata, on one line", async () => {
    const one = await archived();
    const title = "Roots\r\nBcc: all@example.org \u202e";
    const sent = await service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
      headers: { authorization: `Bearer ${ada}`, "content-type": "application/json", "if-match": '"1.1"' },
    });
    expect(sent.status).toBe(200);
    await one.done(ada, "request", asked);
    const [mail] = (await arrived("Review this dataset")) as [Mail];
    expect(mail.subject).toBe("Review this dataset: Roots Bcc: all@example.org");
    expect([mail.bcc, mail.recipients]).toEqual([undefined, CURATORS]);
  });
});

describe("the address of the owner", () => {
  test("must be a plain address, and appears in no answer, event or history", async () => {
    const one = await archived();
    for (const email of ["ada@example.org\r\nBcc: all@example.org", "Ada <ada@example.org>", "ada"]) {
      const refused = await one.act(ada, "request", { ...asked, notify: { email } });
      expect([refused.status, refused.json.errors]).toEqual([
        422,
        [{ pointer: "/notify/email", code: "email_invalid", detail: expect.any(String) }],
      ]);
    }
    await one.done(ada, "request", asked);
    await arrived("Review this dataset");
    const { json: submissions, text: list } = await service.api.get("/submission", { authorization: `Bearer ${ada}` });
    const events = await service.api.get(`/submission/${submissions[0].id}/events`, { authorization: `Bearer ${ada}` });
    expect(events.text).toContain("publication_requested");
    for (const text of [(await one.get(ada)).text, (await one.get(curator)).text, events.text, list]) {
      expect(text).not.toContain(ADA);
    }
  });

  test("is erased when the publication has ended, but not while an embargo lasts", { tags: "extended" }, async () => {
    const first = await archived();
    await first.done(ada, "request", asked);
    await arrived("Review this dataset");
    await first.done(ada, "take-back");
    expect((await arrived("Request taken back"))[0]?.recipients).toEqual(CURATORS);
    const second = await archived();
    await second.done(ada, "request", { ...asked, publishOnApproval: true });
    await second.done(curator, "approve");
    const third = await archived();
    await third.done(ada, "request", {
      ...{ ...asked, publishOnApproval: true },
      ...{ access: "embargoed", embargoDate: "2099-01-01", reason: "Article" },
    });
    await third.done(curator, "approve");
    for (const one of [second, third]) await one.until(ada, "published");
    expect([(await first.get(ada)).json.notified, (await second.get(ada)).json.notified]).toEqual([false, true]);
    await vi.waitUntil(() => mailbox.mails.filter(({ subject }) => subject?.startsWith("Published")).length === 2);
    mailbox.mails.length = 0;
    await service.restart(async () => {
      const database = await service.database();
      await sql`update publication set since = since - interval '31 days' where state = 'published'`.execute(
        database.queries,
      );
      await database.close();
    });
    const one = await archived();
    await one.done(ada, "request", asked);
    await arrived("Review this dataset");
    const client = (old: PublicationClient) => new PublicationClient(service, old.dataset);
    await vi.waitUntil(async () => !(await client(second).get(ada)).json.notified);
    expect((await client(third).get(ada)).json.notified).toBe(true);
  });
});

test("a person who asked for access receives the answer, without links and names of accounts", {
  tags: "extended",
}, async () => {
  const one = await archived();
  await one.done(ada, "request", { ...asked, access: "restricted", reason: "Personal", publishOnApproval: true });
  await one.done(curator, "approve");
  await one.until(ada, "published");
  const path = `/dataset/${one.dataset}/access-request`;
  const headers = { authorization: `Bearer ${ada}` };
  const answers: [string, object, string][] = [
    ["grant", { answer: "Welcome\n\nTitle: forged" }, "Access granted"],
    ["refuse", { answer: "Not now" }, "Access refused"],
  ];
  for (const [how, body, subject] of answers) {
    await service.api.post(path, { name: "Grace", email: "grace@example.org", reason: "Comparison" });
    const [{ id }] = (await service.api.get(path, headers)).json;
    const { status, json } = await service.api.post(`${path}/${id}/${how}`, body, headers);
    expect(status).toBe(200);
    const toGrace = () => mails().find(({ recipients }) => recipients.includes("grace@example.org"));
    await vi.waitUntil(() => toGrace() !== undefined);
    const { subject: found, recipients, text = "" } = toGrace() as Mail;
    expect([found, recipients]).toEqual([`${subject}: ${goodMetadata.title}`, ["grace@example.org"]]);
    expect(text).toContain(how === "grant" ? "> Welcome\n> Title: forged\n" : "> Not now\n");
    expect(text).toContain(`/app/datasets/${one.dataset}/access?version=1`);
    expect(text).not.toMatch(/grant_|\bada\b|Comparison/);
    if (how === "grant") expect(text).not.toContain(json.grant.secret);
    mailbox.mails.length = 0;
  }
});

describe("mail for the owner", () => {
  test("stays with the owner if an admin requests publication", { tags: "extended" }, async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await arrived("Review this dataset");
    await one.done(curator, "request-changes", { comment: "First" });
    await arrived("Change your dataset");
    await one.done(admin, "request", { ...asked, notify: { email: "root@ops.example.org" } });
    await arrived("Review this dataset");
    await one.done(curator, "request-changes", { comment: "Second" });
    expect((await arrived("Change your dataset"))[0]?.recipients).toEqual([ADA]);
  });

  test("is sent when a curator changes the access, and when an admin withdraws the dataset", {
    tags: "extended",
  }, async () => {
    const one = await archived();
    await one.done(ada, "request", { ...asked, publishOnApproval: true });
    await one.done(curator, "approve");
    await one.until(ada, "published");
    await vi.waitUntil(() => mails().some(({ subject }) => subject?.startsWith("Published")));
    mailbox.mails.length = 0;
    await one.done(ada, "change-access", { access: "restricted", reason: "Mine" });
    await one.done(curator, "change-access", { access: "open", reason: "Article published" });
    const [changed] = (await arrived("Access changed")) as [Mail];
    expect([changed.recipients, changed.text]).toEqual([[ADA], expect.stringContaining("> Article published")]);
    const headers = { authorization: `Bearer ${admin}` };
    const { status } = await service.api.post(`/dataset/${one.dataset}/withdraw`, { reason: "A name" }, headers);
    expect(status).toBe(202);
    const [withdrawn] = (await arrived("Withdrawn")) as [Mail];
    expect([withdrawn.recipients, withdrawn.text]).toEqual([[ADA], expect.stringContaining("> A name")]);
  });

  test("goes to the address of the submission if the request has none", async () => {
    await mailbox.stop();
    // Addresses of submissions are erased when their last mail is sent.
    const { dataset } = await archiveAs(service, s3, ada, { more: { notify: { email: "lab@example.org" } } });
    const one = new PublicationClient(service, dataset);
    expect((await one.done(ada, "request", { agreement: true, access: "open" })).notified).toBe(true);
    await one.done(curator, "request-changes", { comment: "Please fix" });
    await mailbox.start();
    expect((await arrived("Change your dataset"))[0]?.recipients).toEqual(["lab@example.org"]);
  });
});

test("the assigned curator and the owner are told at the addresses that their identity provider has verified", {
  tags: "extended",
}, async () => {
  await using provider = await startOidcProvider();
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
  await using signedIn = await startTestService({ ...settings(), ...oidc });
  const as = (sub: string, role: string, more: object = {}) =>
    provider.sign({ sub, roles: [role], email: `${sub}@id.example.org`, email_verified: true, ...more } as never);
  const owner = await as("olga", "submitter");
  const cleo = await as("cleo", "curator");
  const other = await as("carl", "curator", { email_verified: false });
  const one = await archived(owner, signedIn);
  const request = { agreement: true, access: "open", publishOnApproval: false };
  await one.done(owner, "request", request);
  expect((await arrived("Review this dataset"))[0]?.recipients).toEqual(CURATORS);
  await one.done(cleo, "assign", { curator: `${provider.issuer}#cleo` });
  await one.done(owner, "comment", { comment: "Any news?" });
  expect((await arrived("Read the new comment"))[0]?.recipients).toEqual(["cleo@id.example.org"]);
  await one.done(cleo, "comment", { comment: "Soon" });
  expect((await arrived("Read the new comment"))[0]?.recipients).toEqual(["olga@id.example.org"]);

  // An assignment by another curator: the address of the service’s earlier publications, or that of all curators.
  const second = await archived(owner, signedIn);
  await second.done(owner, "request", request);
  await arrived("Review this dataset");
  await second.done(other, "assign", { curator: `${provider.issuer}#cleo` });
  const [assigned] = (await arrived("Review this dataset (assigned to cleo)")) as [Mail];
  expect([assigned.recipients, assigned.text]).toEqual([
    ["cleo@id.example.org"],
    expect.stringContaining("carl assigned the review of this dataset to cleo."),
  ]);
  await second.done(cleo, "assign", { curator: `${provider.issuer}#carl` });
  const [unknown] = (await arrived("Review this dataset (assigned to carl)")) as [Mail];
  expect(unknown.recipients).toEqual(CURATORS);
});

test("mails survive kill -9, and arrive once and in order", { tags: "extended" }, async () => {
  const data = await createDataFolder();
  let program = await startProgram(data, settings());
  const { dataset } = await archiveAs(program as never, s3, undefined);
  const path = `/dataset/${dataset}/publication`;
  await vi.waitUntil(async () => (await program.api.get("/submission")).json[0].status === "completed");
  await mailbox.stop();
  mailbox.mails.length = 0;
  await program.api.post(`${path}/request`, { agreement: true, access: "open", publishOnApproval: false });
  for (const comment of ["First", "Second", "Third"]) await program.api.post(`${path}/comment`, { comment });
  await program.end("SIGKILL");
  program = await startProgram(data, settings());
  await program.api.post(`${path}/comment`, { comment: "Fourth" });
  await vi.waitUntil(() => program.log().includes("a mail cannot be sent"));
  await program.end("SIGKILL");
  await mailbox.start();
  program = await startProgram(data, settings());
  const comment = "Read the new comment";
  const found = await arrived("Review this dataset", comment, comment, comment, comment);
  expect(found.slice(1).map(({ text = "" }) => /^> (.*)$/m.exec(text)?.[1])).toEqual([
    "First",
    "Second",
    "Third",
    "Fourth",
  ]);
  await program.end("SIGTERM");
  expect(mails()).toEqual([]);
  await rm(data, { recursive: true, force: true });
});
