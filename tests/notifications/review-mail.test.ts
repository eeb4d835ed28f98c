import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mail, type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const ADA = "ada@lab.example.org";
const CURATORS = "curators@archive.example.org";
const OPERATOR = "operator@archive.example.org";
const asked = { agreement: true, access: "open", notify: { email: ADA } };
let s3: S3Server;
let mailbox: Mailbox;
let account: DataciteAccount;
let service: TestService;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  mailbox = await startMailbox();
  account = await openDatacite();
  service = await startTestService({
    ...TOKENS,
    ...settings(),
    ...account.settings(),
    ACCESSION_MAIL_LANGUAGE: "de",
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
  await tokens.create("carl", "curator");
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await mailbox.stop();
  await s3.close();
});

function settings(): Record<string, string> {
  return {
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_CURATOR_MAIL: CURATORS,
    ACCESSION_OPERATOR_MAIL: OPERATOR,
  };
}

async function archived(token = ada, of = service): Promise<PublicationClient> {
  return new PublicationClient(of, (await archiveAs(of, s3, token)).dataset);
}

/** Mails about a dataset to an address, by the words of their subjects before the title. */
const mailsTo = (address: string, { dataset }: PublicationClient): Mail[] =>
  mailbox.mails.filter(({ recipients, text }) => recipients.includes(address) && text?.includes(`/${dataset}?`));
const subjectsTo = (address: string, one: PublicationClient) =>
  mailsTo(address, one).map(({ subject = "" }) => subject.slice(0, -`: ${goodMetadata.title}`.length));

/** Changes the database while the service is stopped, as if time had passed. The service looks at its start. */
async function later(change: RawBuilder<unknown>): Promise<void> {
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await change.execute(queries);
    await sql`delete from turn where name = 'publication notices'`.execute(queries);
    await close();
  });
}

/** Makes the next attempt due, as if all attempts had failed for this time. */
function failingFor(
  { dataset }: PublicationClient,
  table: "doi" | "publication",
  minutes: number,
): RawBuilder<unknown> {
  const since = new Date(Date.now() - minutes * 60_000).toISOString();
  return sql`update ${sql.table(table)}
    set next_at = now(), problem = problem || ${JSON.stringify({ since })}::jsonb where dataset_id = ${dataset}`;
}

test("all mails are in the language that the operator has chosen", async () => {
  const one = await archived();
  await one.done(ada, "request", { ...asked, comment: "Bitte ansehen" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 1);
  const [mail] = mailsTo(CURATORS, one) as [Mail];
  expect(mail.subject).toBe(`Bitte begutachten: ${goodMetadata.title}`);
  expect(mail.text).toContain("ada hat die Veröffentlichung beantragt.\n\n> Bitte ansehen\n");
  expect(mail.text).toContain("weil Sie Datensätze dieses Dienstes begutachten.");
  // Both curators share an address: one mail names both.
  await one.done(cleo, "assign", { curator: "cleo" });
  await one.done(cleo, "assign", { curator: null });
  await one.done(ada, "comment", { comment: "Neu" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 2);
  expect(subjectsTo(CURATORS, one)).toEqual(["Bitte begutachten", "Neuer Kommentar"]);
});

test("a registration whose cause of failure can pass is in progress for 15 minutes; then the operator is told once", async () => {
  account.server.addFault({ match: { method: "POST" }, times: Number.POSITIVE_INFINITY, fault: { status: 503 } });
  const one = await archived();
  await one.done(ada, "request", asked);
  await one.done(cleo, "approve");
  await vi.waitUntil(async () => (await one.get(ada)).json.problem !== null);
  const seen = async () => {
    const { json } = await one.get(cleo);
    const queue = (await service.api.get("/publication?queue=failing", bearer(cleo))).json;
    const metrics = (await service.api.get("/metrics", bearer(cleo))).text;
    return {
      isDelayed: json.isDelayed,
      waitingFor: json.waitingFor,
      code: json.problem.code,
      told: json.history.filter(({ action }: { action: string }) => action === "delayed").length,
      failing: queue.map(({ dataset, isDelayed }: Record<string, unknown>) => [dataset, isDelayed]),
      metric: metrics.includes('accession_publications_delayed{code="datacite_unreachable",fault="operator"} 1'),
    };
  };
  const calm = {
    ...{ isDelayed: false, waitingFor: "service", code: "datacite_unreachable" },
    ...{ told: 0, failing: [], metric: false },
  };
  const attempt = async (minutes: number) => {
    const { at } = (await one.get(ada)).json.problem;
    await later(failingFor(one, "publication", minutes));
    await vi.waitUntil(async () => (await one.get(ada)).json.problem.at !== at);
  };
  expect(await seen()).toEqual(calm);
  await attempt(14);
  expect(await seen()).toEqual(calm);
  const delayed = { ...calm, isDelayed: true, waitingFor: "operator", told: 1, metric: true };
  const incident = { ...delayed, failing: [[one.dataset, true]] };
  await attempt(15);
  expect(await seen()).toEqual(incident);
  await vi.waitUntil(() => mailsTo(OPERATOR, one).length === 1);
  await attempt(30);
  expect(await seen()).toEqual(incident);
  account.reset();
  await one.done(cleo, "publish");
  await one.until(ada, "published");
  expect(subjectsTo(OPERATOR, one)).toHaveLength(1);
  expect((await one.get(cleo)).json).toMatchObject({ isDelayed: false, waitingFor: null, problem: null });
});

test("the operator is told once that a DOI cannot be reserved, after 15 minutes", async () => {
  account.server.addFault({ match: { method: "POST" }, times: Number.POSITIVE_INFINITY, fault: { status: 503 } });
  const one = await archived();
  await one.done(ada, "reserve-doi");
  await vi.waitUntil(async () => (await one.get(ada)).json.problem !== null);
  const since = (minutes: number) => failingFor(one, "doi", minutes);
  const attempt = async (minutes: number) => {
    const { at } = (await one.get(ada)).json.problem;
    await later(since(minutes));
    await vi.waitUntil(async () => (await one.get(ada)).json.problem.at !== at);
  };
  await attempt(14);
  await attempt(15);
  await vi.waitUntil(() => mailsTo(OPERATOR, one).length === 1);
  await attempt(30);
  await one.done(ada, "request", asked);
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 1);
  expect(subjectsTo(OPERATOR, one)).toEqual(["Bitte Reservierung einer DOI berichtigen"]);
  expect(mailsTo(OPERATOR, one)[0]?.text).toMatch(/Die Reservierung der DOI 10\.5072\/\S+ schlägt seit .* fehl: /);
  // Another cause, which only the operator can correct, is told at once.
  account.reset();
  Object.assign(account.server.accounts[0] ?? {}, { password: "another one" });
  await attempt(30);
  await vi.waitUntil(() => mailsTo(OPERATOR, one).length === 2);
  expect((await one.get(ada)).json.problem.code).toBe("datacite_credentials");
  account.reset();
});

test("owner and curators are reminded of an open request for access once in a period", async () => {
  const one = await archived();
  await one.done(ada, "request", { ...asked, access: "restricted", reason: "Personal" });
  await one.done(cleo, "approve");
  await one.until(ada, "published");
  const path = `/dataset/${one.dataset}/access-request`;
  for (const name of ["grace", "alan"]) {
    const wish = { name, email: `${name}@example.org`, reason: "Comparison" };
    expect((await service.api.post(path, wish)).status).toBe(202);
  }
  const reminders = (address: string) =>
    subjectsTo(address, one).filter((subject) => subject === "Erinnerung: Bitte Anfragen auf Zugriff beantworten");
  const after = (days: number) =>
    later(sql`
      update access_request set created_at = created_at - make_interval(days => ${days}::int),
        reminded_at = reminded_at - make_interval(days => ${days}::int) where dataset_id = ${one.dataset}`);
  await after(6);
  await after(2);
  await vi.waitUntil(() => reminders(ADA).length === 1 && reminders(CURATORS).length === 1);
  const text = mailsTo(ADA, one).at(-1)?.text ?? "";
  expect(text).toContain("Offene Anfragen auf Zugriff auf die Dateien: 2.");
  expect(text).not.toMatch(/grace|alan|Comparison/);
  // Not again in the same period, and not for what is answered.
  const [{ id }] = (await service.api.get(path, { authorization: `Bearer ${ada}` })).json;
  await service.api.post(`${path}/${id}/refuse`, {}, { authorization: `Bearer ${ada}` });
  await after(6);
  await after(2);
  await vi.waitUntil(() => reminders(ADA).length === 2);
  expect(mailsTo(ADA, one).at(-1)?.text).toContain("Offene Anfragen auf Zugriff auf die Dateien: 1.");
});

test("the former curator is told that another one reviews the dataset", async () => {
  await using provider = await startOidcProvider();
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
  await using signedIn = await startTestService({ ...settings(), ...oidc });
  const as = (sub: string, role: string) =>
    provider.sign({ sub, roles: [role], email: `${sub}@id.example.org`, email_verified: true } as never);
  const [olga, first, second] = [
    await as("olga", "submitter"),
    await as("cleo", "curator"),
    await as("carl", "curator"),
  ];
  const one = await archived(olga, signedIn);
  await one.done(olga, "request", { agreement: true, access: "open" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 1);
  await one.done(first, "assign", { curator: `${provider.issuer}#cleo` });
  await one.done(second, "assign", { curator: `${provider.issuer}#carl` });
  const former = "cleo@id.example.org";
  await vi.waitUntil(() => mailsTo(former, one).length === 1);
  const [told] = mailsTo(former, one) as [Mail];
  expect(told.subject).toBe(`Review reassigned: ${goodMetadata.title}`);
  expect(told.text).toContain("carl assigned the review of this dataset to carl.\n\nNo action is required.");
  const path = "/account/mail";
  expect((await signedIn.api.get(path, { authorization: `Bearer ${first}` })).json.address).toBe(former);
  // A curator who hands it over knows that.
  await one.done(second, "assign", { curator: `${provider.issuer}#cleo` });
  await vi.waitUntil(() => mailsTo(former, one).length === 2);
  expect(mailsTo(former, one)[1]?.text).toContain("Until then, it was assigned to carl.");
  expect(mailsTo("carl@id.example.org", one)).toEqual([]);
});

test("if the address of the former curator is not known, the mail to all curators names that curator", async () => {
  const one = await archived();
  await one.done(ada, "request", asked);
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 1);
  await one.done(cleo, "assign", { curator: "carl" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 2);
  await one.done(cleo, "assign", { curator: null });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 3);
  const [, , told] = mailsTo(CURATORS, one) as [Mail, Mail, Mail];
  expect(told.subject).toBe(`Begutachtung ohne Zuweisung: ${goodMetadata.title}`);
  expect(told.text).toContain("cleo hat die Zuweisung an carl zur Begutachtung dieses Datensatzes aufgehoben.");
  expect(told.text).toContain("weil Sie Datensätze dieses Dienstes begutachten.");
  expect(told.text).not.toMatch(/Ihre Zuweisung|begutachtet haben/);
});

test("mail about a dataset no longer goes to a curator who has lost the role", async () => {
  await using provider = await startOidcProvider();
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
  await using signedIn = await startTestService({ ...settings(), ...oidc });
  const as = (sub: string, role: string) =>
    provider.sign({ sub, roles: [role], email: `${sub}@id.example.org`, email_verified: true } as never);
  const [olga, gone] = [await as("olga", "submitter"), "carla@id.example.org"];
  const one = await archived(olga, signedIn);
  await one.done(olga, "request", { agreement: true, access: "open" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 1);
  await one.done(await as("carla", "curator"), "assign", { curator: `${provider.issuer}#carla` });
  await one.done(olga, "comment", { comment: "First" });
  await vi.waitUntil(() => mailsTo(gone, one).length === 1);
  // Carla signs in again, and the provider states another role.
  const caller = await signedIn.api.get("/caller", { authorization: `Bearer ${await as("carla", "submitter")}` });
  expect(caller.json.roles).toEqual(["submitter"]);
  await one.done(olga, "comment", { comment: "Second" });
  await vi.waitUntil(() => mailsTo(CURATORS, one).length === 2);
  expect(mailsTo(CURATORS, one)[1]?.text).toContain("> Second");
  expect(mailsTo(gone, one)).toHaveLength(1);
});

test("a person chooses language and events of their mail; others cannot see or change it", async () => {
  const api = (token: string, method: string, body?: object) =>
    service.api.send("/account/mail", {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  // The tokens of this service state no address.
  const delivery = { address: null, serviceLanguage: "de", reachesCurators: true };
  expect((await api(ada, "GET")).json).toEqual({ language: null, delivery: "each", ...delivery });
  for (const wrong of [
    { language: "fr", delivery: "each" },
    { language: "en", delivery: "never" },
    { language: "en" },
    { language: "en", delivery: "each", address: "mallory@example.org" },
  ]) {
    expect((await api(ada, "PUT", wrong)).status).toBe(422);
  }
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: ada };
  const ran = await runCommand(["mail", "--language", "en", "--delivery", "action"], service.data, { env });
  expect(ran).toEqual({ code: 0, stderr: "", lines: [{ language: "en", delivery: "action", ...delivery }] });
  expect((await api(ada, "GET")).json).toEqual({ language: "en", delivery: "action", ...delivery });
  expect((await api(cleo, "GET")).json).toEqual({ language: null, delivery: "each", ...delivery });

  const one = await archived();
  await one.done(ada, "request", { ...asked, publishOnApproval: false });
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await one.done(cleo, "request-changes", { comment: "Please state it" });
  await vi.waitUntil(() => mailsTo(ADA, one).length === 1);
  expect(subjectsTo(ADA, one)).toEqual(["Change your dataset"]);
  await one.done(ada, "request", { ...asked, publishOnApproval: true });
  expect((await api(ada, "PUT", { language: null, delivery: "each" })).status).toBe(200);
  await one.done(cleo, "approve");
  await vi.waitUntil(() => mailsTo(ADA, one).length === 2);
  expect(subjectsTo(ADA, one)).toEqual(["Change your dataset", "Veröffentlicht"]);
});

test("mail that asks for no action is held, and sent once a day as one mail", async () => {
  const choose = (delivery: string) =>
    service.api.send("/account/mail", {
      method: "PUT",
      body: JSON.stringify({ language: null, delivery }),
      headers: { ...bearer(ada), "content-type": "application/json" },
    });
  expect((await choose("daily")).status).toBe(200);
  const [one, other] = [await archived(), await archived()];
  for (const dataset of [one, other]) await dataset.done(ada, "request", { ...asked, publishOnApproval: false });
  const from = mailbox.mails.length;
  const toAda = () => mailbox.mails.slice(from).filter(({ recipients }) => recipients.includes(ADA));
  await one.done(cleo, "comment", { comment: "Which depth?" });
  await other.done(cleo, "comment", { comment: "Which\r\nSubject: field?" });
  await other.done(cleo, "request-changes", { comment: "Please state it" });
  // What asks for an action does not wait.
  await vi.waitUntil(() => toAda().length === 1);
  expect(subjectsTo(ADA, other)).toEqual(["Bitte Datensatz ändern"]);
  /** The mails that are not sent yet. The database can be read while the service is stopped. */
  const unsent = async (change = sql`select 1`) => {
    let found: { status: string; due_at: Date }[] = [];
    await service.restart(async () => {
      const { queries, close } = await service.database();
      const wanted = queries.selectFrom("mail").select(["status", "due_at"]);
      found = await wanted.where("status", "in", ["pending", "held"]).execute();
      await change.execute(queries);
      await close();
    });
    return found;
  };
  // Other mails are sent before, so that the server refuses the daily one at first, and receives it again.
  const isHeld = (mails: { status: string }[]) => mails.length === 2 && mails.every(({ status }) => status === "held");
  await vi.waitUntil(async () => isHeld(await unsent()));
  mailbox.rejectNextAfterReceipt();
  const due = (await unsent(sql`update mail set due_at = now() where status = 'held'`)).map(({ due_at }) => due_at);
  expect(due.map((at) => at.toISOString())).toEqual(Array(2).fill(expect.stringMatching(/T05:00:00\.000Z$/)));
  expect(due.every((at) => at > new Date())).toBe(true);
  await vi.waitUntil(() => toAda().length === 3);
  const [, refused, digest] = toAda();
  expect(digest?.messageId).toBe(refused?.messageId);
  expect(digest?.subject).toBe("Zusammenfassung des Tages: 2 Ereignisse");
  expect(digest?.text).toContain(`1. Neuer Kommentar: ${goodMetadata.title}`);
  expect(digest?.text).toContain("> Which depth?");
  expect(digest?.text).toContain("> Which\n> Subject: field?");
  expect(digest?.text).toContain(`/app/datasets/${one.dataset}?`);
  expect(digest?.text).toContain(`/app/datasets/${other.dataset}?`);
  expect((await choose("each")).status).toBe(200);
});
