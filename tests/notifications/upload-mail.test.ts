import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import type { Queries } from "../../src/db/database.ts";
import { bearer } from "../support/api/callers.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mail, type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const ADDRESS = "ada@lab.example.org";
const DAY_MS = 86_400_000;

let mailbox: Mailbox;
let service: TestService;
const tus = new TusClient(() => service.api);

beforeEach(async () => {
  mailbox = await startMailbox();
});
afterEach(async () => {
  await service.stop();
  await mailbox.stop();
});

const settings = () => ({
  ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
  ACCESSION_MAIL_FROM: "accession@example.org",
});
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const day = (days: number) => daysAgo(-days).toISOString().slice(0, 10);

/** Changes the database while the service is stopped. The next one gives its notices and cleans up at once. */
async function restartAfter(change: (db: Queries) => Promise<unknown>) {
  await service.restart(async () => {
    const database = await service.database();
    await change(database.queries);
    await sql`delete from turn`.execute(database.queries);
    await database.close();
  });
}

const usedAt =
  (id: string, used_at: Date, more: { warned_at?: Date | null } = {}) =>
  (db: Queries) =>
    db
      .updateTable("upload_area")
      .set({ used_at, ...more })
      .where("id", "=", id)
      .execute();

async function create(more: object = {}, headers: Record<string, string> = {}) {
  const { status, json } = await service.api.post("/uploads", more, headers);
  expect(status).toBe(201);
  return json as { id: string; files: string };
}

const createFor = (email: string) => create({ notify: { email } });
const viewOf = async (id: string) => (await service.api.get(`/uploads/${id}`)).json;
/** Each with its first recipient. */
const arrived = () => mailbox.mails.map(({ recipients, subject = "" }) => `${recipients[0]} ${subject}`);

describe("three days before an upload is deleted, its owner receives a mail", () => {
  test("with what it has, when it is deleted, and how to keep it", async () => {
    service = await startTestService(settings());
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", randomBytes(3_000_000));
    await tus.create(files, "b", 5_000_000);
    await restartAfter(usedAt(id, daysAgo(11.1)));
    await vi.waitUntil(() => mailbox.mails.length > 0);
    const [mail] = mailbox.mails as [Mail];
    expect(mail.recipients).toEqual([ADDRESS]);
    expect(mail.subject).toBe(`Your upload will be deleted on ${day(3)}: ${id}`);
    expect(mail.text).toContain(
      `nothing has been sent to it since ${day(-11.1)}. On ${day(3)} (UTC), the service deletes`,
    );
    expect(mail.text).toContain("It has 2 files with 7.6 MiB together, 2.9 MiB of which have arrived.");
    expect(mail.text).toMatch(/send more of them, or submit the upload/);
    expect(mail.text).toContain(`accession upload FOLDER --metadata METADATA.json --upload ${id}\n`);
    expect(mail.text).toMatch(/You receive this mail because you created the upload/);
    expect((await viewOf(id)).expiresAt.slice(0, 10)).toBe(day(3));
    // Told once, also by the next process.
    const other = await createFor("other@lab.example.org");
    await tus.send(other.files, "a", Buffer.from("a"));
    await restartAfter(usedAt(other.id, daysAgo(11.1)));
    await vi.waitUntil(() => mailbox.mails.length > 1);
    await service.settled();
    expect(arrived().map((one) => one.split(" ")[0])).toEqual([ADDRESS, "other@lab.example.org"]);
  });

  test("in the language of the owner, also if other mail is wanted once a day", async () => {
    service = await startTestService(settings());
    const { status } = await service.api.send("/account/mail", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ language: "de", delivery: "daily" }),
    });
    expect(status).toBe(200);
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", Buffer.from("abc"));
    await restartAfter(usedAt(id, daysAgo(11.1)));
    await vi.waitUntil(() => mailbox.mails.length > 0);
    const [mail] = mailbox.mails as [Mail];
    expect(mail.subject).toBe(`Ihr Upload wird am ${day(3)} gelöscht: ${id}`);
    expect(mail.text).toContain("Er enthält 1 Datei mit zusammen 3 B. Davon sind 3 B angekommen.");
  });

  test("at the address that the identity provider has verified, unless another one is stated", async () => {
    await using provider = await startOidcProvider();
    const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
    service = await startTestService({ ...settings(), ...oidc });
    const wanted: [claims: object, body: object][] = [
      [{ email: ADDRESS, email_verified: true }, {}],
      [{ email: "unverified@lab.example.org" }, {}],
      [{ email: ADDRESS, email_verified: true }, { notify: { email: "stated@lab.example.org" } }],
    ];
    for (const [claims, body] of wanted) {
      const headers = bearer(await provider.sign(claims as never));
      const { files } = await create(body, headers);
      const metadata = `path ${Buffer.from("a").toString("base64")}`;
      const sent = { ...headers, "upload-length": "3", "upload-metadata": metadata };
      expect((await tus.request("POST", files, sent, Buffer.from("abc"))).status).toBe(201);
    }
    await restartAfter((db) =>
      db
        .updateTable("upload_area")
        .set({ used_at: daysAgo(11.1) })
        .execute(),
    );
    await vi.waitUntil(() => mailbox.mails.length > 1);
    await service.settled();
    expect(
      arrived()
        .map((one) => one.split(" ")[0])
        .sort(),
    ).toEqual([ADDRESS, "stated@lab.example.org"]);
  });

  test("and again, if something was sent after that", async () => {
    service = await startTestService(settings());
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", Buffer.from("abc"));
    await restartAfter(usedAt(id, daysAgo(11.1)));
    await vi.waitUntil(() => mailbox.mails.length > 0);
    await tus.send(files, "b", Buffer.from("b"));
    expect((await viewOf(id)).expiresAt.slice(0, 10)).toBe(day(14));
    // As if all of that had happened eleven days ago.
    await restartAfter(async (db) => {
      await usedAt(id, daysAgo(11.1))(db);
      await sql`update mail set event = event - 11`.execute(db);
    });
    await vi.waitUntil(() => mailbox.mails.length > 1);
    expect(arrived()[1]).toContain(`deleted on ${day(3)}`);
  });
});

test("an upload is deleted three days after the notice, also if that was late or no address is known", async () => {
  service = await startTestService(settings());
  const [late, told, unknown, expired] = [
    await createFor(ADDRESS),
    await createFor(ADDRESS),
    await create(),
    await create(),
  ];
  for (const { files } of [late, told, unknown, expired]) await tus.send(files, "a", Buffer.from("abc"));
  await restartAfter(async (db) => {
    // The service was stopped for weeks.
    await usedAt(late.id, daysAgo(40))(db);
    await usedAt(told.id, daysAgo(15), { warned_at: daysAgo(2.9) })(db);
    await usedAt(unknown.id, daysAgo(15), { warned_at: daysAgo(2.9) })(db);
    await usedAt(expired.id, daysAgo(15), { warned_at: daysAgo(3.1) })(db);
  });
  await expect.poll(async () => (await service.api.get(`/uploads/${expired.id}`)).status).toBe(404);
  await vi.waitUntil(() => mailbox.mails.length > 0);
  expect(arrived()).toEqual([`${ADDRESS} Your upload will be deleted on ${day(3)}: ${late.id}`]);
  expect((await viewOf(late.id)).expiresAt.slice(0, 10)).toBe(day(3));
  for (const { id } of [told, unknown]) expect((await viewOf(id)).expiresAt.slice(0, 10)).toBe(day(0.1));
});

test("nobody is told of an upload that has no files, or was submitted since", async () => {
  service = await startTestService(settings());
  const [empty, submitted, sent] = [await createFor(ADDRESS), await createFor(ADDRESS), await createFor(ADDRESS)];
  for (const { files } of [submitted, sent]) await tus.send(files, "a", Buffer.from("abc"));
  const { json } = await tus.submit(submitted.id);
  await service.api.until(json.id, ["completed"]);
  await restartAfter(async (db) => {
    for (const { id } of [empty, submitted, sent]) await usedAt(id, daysAgo(11.1))(db);
  });
  await vi.waitUntil(() => mailbox.mails.length > 0);
  await service.settled();
  expect(arrived()).toEqual([expect.stringContaining(sent.id)]);
});

test("an address that is none is refused", async () => {
  service = await startTestService(settings());
  const { status, json } = await service.api.post("/uploads", { notify: { email: "no address" } });
  expect([status, json.code]).toEqual([422, "invalid_request"]);
  expect((await service.api.get("/uploads")).json).toEqual([]);
});

test.skipIf(!inject("onPostgres"))("two processes tell the owner once", async () => {
  service = await startTestService(settings());
  const second = await startTestService({
    ...settings(),
    ...service.settings,
    ACCESSION_ARCHIVE: service.archive,
    ACCESSION_UPLOADS: join(service.data, "uploads"),
  });
  // The archive is validated once.
  second.isDamaged = true;
  try {
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", Buffer.from("abc"));
    const database = await service.database();
    const again = () => sql`delete from turn where name = 'publication notices'`.execute(database.queries);
    const hasTurn = async () =>
      (await sql`select from turn where name = 'publication notices'`.execute(database.queries)).rows.length > 0;
    await usedAt(id, daysAgo(11.1))(database.queries);
    await again();
    await vi.waitUntil(() => mailbox.mails.length > 0);
    for (let n = 0; n < 3; n++) {
      await again();
      await vi.waitUntil(hasTurn);
    }
    await service.settled();
    await second.settled();
    await database.close();
    expect(arrived()).toHaveLength(1);
  } finally {
    await second.stop();
  }
});
