import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { openDatabase, type Queries } from "../../src/db/database.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { bearer } from "../support/api/callers.ts";
import { certificate } from "../support/data-source/source.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { Canary } from "../support/identity/canary.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mail, type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";
import { sampleOf } from "../support/receivers/prometheus.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const ADDRESS = "canary.of+the'address@lab.example.org";
const PASSWORD = "canary/pass:word@of&the%server";
const FROM = "Ação <accession@example.org>";

let s3: S3Server;
let mailbox: Mailbox;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a.csv", "a");
  s3.put("small", "b.csv", "b");
  mailbox = await startMailbox();
  service = await startTestService(settings(mailbox.port));
});
afterAll(async () => {
  await service.stop();
  await mailbox.stop();
  await s3.close();
});
let removeFault: () => void = () => undefined;
beforeEach(() => {
  mailbox.mails.length = 0;
});
afterEach(() => removeFault());

function settings(port: number, host = "127.0.0.1"): Record<string, string> {
  const server = `smtp://ada:${encodeURIComponent(PASSWORD)}@${host}:${port}`;
  return { ACCESSION_SMTP_URL: server, ACCESSION_MAIL_FROM: FROM };
}

const access = () => ({ endpoint: s3.endpoint, bucket: "small", ...keys });
const submit = (email = ADDRESS, more: object = {}): Promise<Submission> =>
  service.api.submit(access(), { notify: { email }, ...more });

/** Waits for exactly these mails, by subject, in this order. */
async function arrived(...subjects: string[]): Promise<Mail[]> {
  await vi.waitUntil(() => mailbox.mails.length >= subjects.length);
  expect(mailbox.mails.map(({ subject = "" }) => subject.split(":")[0])).toEqual(subjects);
  return mailbox.mails;
}

function deny(): void {
  removeFault = s3.addFault({
    match: { bucket: "small", operation: "get", key: "b.csv" },
    fault: { status: 403, code: "AccessDenied" },
  });
}

describe("the recipient named in a submission receives a mail", () => {
  test("when it is accepted and when it is archived, with the receipt", async () => {
    const { id } = await submit();
    const { dataset, statement } = await service.api.until(id, ["completed"]);
    const [accepted, completed] = (await arrived("Accepted", "Archived")) as [Mail, Mail];
    for (const mail of [accepted, completed]) {
      expect(mail.recipients).toEqual([ADDRESS]);
      expect(mail.to).toEqual([{ name: "", address: ADDRESS }]);
      expect(mail.from).toEqual({ name: "Ação", address: "accession@example.org" });
      expect(mail.subject).toContain(goodMetadata.title);
      expect(mail.text).toContain(id);
      expect(mail.text).toContain(`\nSubmission: ${service.url}/app/submissions/${id}\n`);
      expect(mail.text).toContain(`accession status ${id}`);
      expect(mail.text).not.toContain(ADDRESS);
      expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
      expect(mail.user).toBe(`ada:${PASSWORD}`);
    }
    expect(accepted.text).not.toContain("/app/datasets/");
    expect(completed.text).toContain(`\nDataset: ${service.url}/app/datasets/${dataset?.id}\n`);
    expect(completed.text).toContain(`Can the source be deleted? Yes. ${statement}`);
    expect(accepted.attachments).toEqual([]);
    const [attached] = completed.attachments;
    expect(attached).toMatchObject({ filename: `receipt-${id}.jws`, mimeType: "application/jose" });
    const receipt = await service.api.get(`/submission/${id}/receipt`);
    expect(Buffer.from(attached?.content as ArrayBuffer).toString()).toBe(receipt.text);
  });

  test("when they must act, with the next step, and not when a retry starts", { tags: "extended" }, async () => {
    deny();
    const { id } = await submit();
    await service.api.until(id, ["waiting"]);
    const [, mail] = (await arrived("Accepted", "Action required")) as [Mail, Mail];
    expect(mail.text).toContain("1 of 2 objects cannot be read; all other objects are stored.");
    expect(mail.text).toContain(
      "Action required by you. Each object states the cause. Fix it and retry, or exclude the objects from the dataset. An uploaded file cannot be changed:",
    );
    expect(mail.text).toMatch(/resolved by \d{4}-\d\d-\d\d, the submission fails/);
    removeFault();
    await service.api.post(`/submission/${id}/retry`);
    await service.api.until(id, ["completed"]);
    await arrived("Accepted", "Action required", "Archived");
  });

  test("when it fails", { tags: "extended" }, async () => {
    deny();
    const { id } = await submit();
    await service.api.until(id, ["waiting"]);
    await arrived("Accepted", "Action required");
    await service.restart(async () => {
      const database = await service.database();
      await sql`update submission set waiting = jsonb_set(waiting, '{until}', '"2020-01-01T00:00:00.000Z"') where id = ${id}`.execute(
        database.queries,
      );
      await database.close();
    });
    const [, , failed] = (await arrived("Accepted", "Action required", "Failed")) as [Mail, Mail, Mail];
    expect(failed.text).toContain("The problem was not fixed in time: some objects cannot be read.");
    expect((await service.api.post(`/submission/${id}/cancel`)).status).toBe(202);
  });

  test("once the mail server is available again, and the metrics show that it was not", {
    tags: "extended",
  }, async () => {
    const counted = async () => {
      const { text } = await service.api.get("/metrics");
      const of = (outcome: string) => sampleOf(text, "accession_notices_total", { kind: "mail", outcome }) ?? 0;
      return { delivered: of("delivered"), failed: of("failed") };
    };
    const before = await counted();
    await mailbox.stop();
    const { id } = await submit();
    await service.api.until(id, ["completed"]);
    await vi.waitUntil(async () => (await counted()).failed > before.failed);
    await mailbox.start();
    await arrived("Accepted", "Archived");
    await vi.waitUntil(async () => (await counted()).delivered === before.delivered + 2);
  });

  test("twice if the service crashed before it recorded the first, with the same Message-ID", {
    tags: "extended",
  }, async () => {
    mailbox.rejectNextAfterReceipt();
    const { id } = await submit();
    const [first, again] = await arrived("Accepted", "Accepted", "Archived");
    expect([first?.messageId, again?.messageId]).toEqual([`<${id}.1@example.org>`, `<${id}.1@example.org>`]);
  });

  test("not more than 100 times a day, also if all have failed for days and are tried for the last time", {
    tags: "extended",
  }, async () => {
    await using flooded = await startTestService(settings(mailbox.port));
    const address = "flooded@example.org";
    const send = async (email: string) => {
      const { id } = await flooded.api.submit(access(), { notify: { email } });
      await flooded.api.until(id, ["completed"]);
    };
    const restartAfter = (change: (db: Queries) => Promise<unknown>) =>
      flooded.restart(async () => {
        const database = await flooded.database();
        await change(database.queries);
        await sql`delete from turn`.execute(database.queries);
        await database.close();
      });
    await mailbox.stop();
    for (let n = 0; n < 51; n++) await send(address);
    await flooded.restart(async () => {
      await mailbox.start();
      const database = await flooded.database();
      await sql`update mail set created_at = created_at - interval '3 days', due_at = now(), expires_at = now()
        where status = 'pending'`.execute(database.queries);
      await database.close();
    });
    // A mail to another address is sent after all mails that were due before.
    await send("other@example.org");
    await vi.waitUntil(() => mailbox.mails.some(({ recipients }) => recipients[0] === "other@example.org"));
    const received = () => mailbox.mails.filter(({ recipients }) => recipients[0] === address).length;
    await vi.waitUntil(() => received() >= 100);
    await flooded.settled();
    expect(received()).toBe(100);
    // What was sent counts for a day, also if it is about an old event.
    await restartAfter(async () => undefined);
    await send(address);
    await send("third@example.org");
    await vi.waitUntil(() => mailbox.mails.some(({ recipients }) => recipients[0] === "third@example.org"));
    expect(received()).toBe(100);
    await restartAfter(async (db) => {
      await sql`update mail set sent_at = sent_at - interval '1 day'`.execute(db);
      await sql`update mail set due_at = now() where status = 'pending'`.execute(db);
    });
    await vi.waitUntil(() => received() === 102);
  });
});

describe("a request cannot insert mail headers", () => {
  test.each([
    "ada@example.org\r\nBcc: all@example.org",
    "ada@example.org, bob@example.org",
    '"ada\r\nX: y"@example.org',
    "Ada <ada@example.org>",
    "ada@[127.0.0.1]",
    // Longer than “ada”, which a random request ID can contain.
    "without-a-host",
    `${"a".repeat(250)}@example.org`,
  ])("with the address %j", async (email) => {
    const body = { metadata: goodMetadata, s3Access: access(), notify: { email } };
    const { status, json, text } = await service.api.post("/submission/upload/s3upload", body);
    expect([status, json.errors]).toEqual([
      422,
      [{ pointer: "/notify/email", code: "email_invalid", detail: expect.any(String) }],
    ]);
    expect(text).not.toContain(email.slice(0, 20));
  });

  test("with a title", async () => {
    const title = "Roots\r\nBcc: all@example.org\r\n\r\nYou have won \u202e";
    const { id } = await submit(ADDRESS, { metadata: { ...goodMetadata, title } });
    await service.api.until(id, ["completed"]);
    for (const mail of await arrived("Accepted", "Archived")) {
      expect(mail.subject).toMatch(/: Roots Bcc: all@example.org You have won$/);
      expect([mail.bcc, mail.recipients]).toEqual([undefined, [ADDRESS]]);
      expect(mail.text?.split("\n").some((line) => line.startsWith("You have won"))).toBe(false);
    }
  });

  test("the member is also accepted in forms; unknown members of “notify” are refused", async () => {
    const body = new FormData();
    body.append("metadata", JSON.stringify(goodMetadata));
    body.append("s3Access", JSON.stringify(access()));
    body.append("notify", JSON.stringify({ email: ADDRESS }));
    const { json } = await service.api.send("/submission/upload/s3upload", { method: "POST", body });
    await service.api.until(json.id, ["completed"]);
    await arrived("Accepted", "Archived");
    const more = { metadata: goodMetadata, s3Access: access(), notify: { email: ADDRESS, phone: "1" } };
    const { status, json: refused } = await service.api.post("/submission/upload/s3upload", more);
    expect([status, refused.errors[0].code]).toEqual([422, "unknown_member"]);
  });
});

test("the address from an OpenID provider is used only if the provider has verified it", {
  tags: "extended",
}, async () => {
  await using provider = await startOidcProvider();
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
  await using signedIn = await startTestService({ ...settings(mailbox.port), ...oidc });
  const upload = { metadata: goodMetadata, s3Access: access() };
  const submitAs = async (claims: object, more: object = {}) => {
    const token = bearer(await provider.sign(claims as never));
    const { status, json } = await signedIn.api.post("/submission/upload/s3upload", { ...upload, ...more }, token);
    expect(status).toBe(202);
    const read = async () => (await signedIn.api.get(`/submission/${json.id}`, token)).json.status;
    await vi.waitUntil(async () => (await read()) === "completed");
  };
  await submitAs({ email: "unverified@example.org" });
  await submitAs({ email: "verified@example.org", email_verified: true });
  await submitAs({ email: "verified@example.org", email_verified: true }, { notify: { email: "given@example.org" } });
  await vi.waitUntil(() => mailbox.mails.length >= 4);
  const to = mailbox.mails.map(({ recipients }) => recipients[0]).sort();
  expect(to).toEqual(["given@example.org", "given@example.org", "verified@example.org", "verified@example.org"]);
});

test("without a mail server the address is not stored, and a warning states this", { tags: "extended" }, async () => {
  await using without = await startTestService();
  const { id, warnings } = await without.api.submit(access(), { notify: { email: ADDRESS } });
  expect(warnings).toEqual([{ pointer: "/notify/email", code: "mail_off", detail: expect.any(String) }]);
  await without.api.until(id, ["completed"]);
  await without.restart(async () => {
    const database = await without.database();
    expect(await database.queries.selectFrom("mail_recipient").selectAll().execute()).toEqual([]);
    await database.close();
  });
});

test("address and password occur in no log, file, response or environment of other processes; the address is erased", {
  tags: "extended",
}, async () => {
  const data = await createDataFolder();
  const program = await startProgram(data, { ACCESSION_LOG_LEVEL: "trace", ...settings(mailbox.port) });
  const canary = new Canary([ADDRESS, PASSWORD]);
  deny();
  const { id } = await program.api.submit(access(), { notify: { email: ADDRESS } });
  await program.api.until(id, ["waiting"]);
  await arrived("Accepted", "Action required");
  const answers = async () => {
    const paths = ["", "/files", "/events"].map((part) => `/submission/${id}${part}`);
    return (await Promise.all(paths.map((path) => program.api.get(path)))).map(({ text }) => text);
  };
  expect((await answers()).filter((text) => canary.isIn(text))).toEqual([]);
  expect((await canary.filesBelow(data)).found).toEqual([]);
  removeFault();
  await mailbox.stop();
  await program.api.post(`/submission/${id}/retry`);
  await program.api.until(id, ["completed"]);
  await vi.waitUntil(() => program.log().includes("a mail cannot be sent"));
  await mailbox.start();
  await arrived("Accepted", "Action required", "Archived");
  expect((await answers()).filter((text) => canary.isIn(text))).toEqual([]);
  await program.end("SIGTERM");
  expect(
    program
      .log()
      .split("\n")
      .filter((line) => canary.isIn(line)),
  ).toEqual([]);
  const { found, searched } = await canary.filesBelow(data);
  expect([found, searched > 16_000_000]).toEqual([[], true]);
  const database = await openDatabase({ folder: join(data, "database") });
  expect(await database.queries.selectFrom("mail_recipient").selectAll().execute()).toEqual([]);
  await database.close();
  await rm(data, { recursive: true, force: true });
});

describe("no mail is sent without verified TLS", () => {
  test("to a server with an untrusted certificate, or without TLS", { tags: "extended" }, async () => {
    const trusted = await startMailbox({ secure: true, ...(await certificate("IP:127.0.0.1")) });
    const plain = await startMailbox();
    const tls = { ...settings(trusted.port), ACCESSION_SMTP_URL: `smtps://127.0.0.1:${trusted.port}` };
    // Another spelling of this machine, which the service treats as a remote host.
    const far = { ...settings(plain.port), ACCESSION_SMTP_URL: `smtp://0.0.0.0:${plain.port}` };
    for (const [server, mail] of [
      [trusted, tls],
      [plain, far],
    ] as const) {
      const data = await createDataFolder();
      const program = await startProgram(data, { ...mail, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
      await program.api.submit(access(), { notify: { email: ADDRESS } });
      await vi.waitUntil(() => program.log().includes("a mail cannot be sent"));
      expect(server.mails).toEqual([]);
      await program.end("SIGKILL");
      await rm(data, { recursive: true, force: true });
      await server.stop();
    }
  });
});
