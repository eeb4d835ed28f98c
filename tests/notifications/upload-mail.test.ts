import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import type { Queries } from "../../src/db/database.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer } from "../support/api/callers.ts";
import { EdalClient } from "../support/api/edal-client.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mail, type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";
import { sampleOf } from "../support/receivers/prometheus.ts";

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
    expect(mail.text).toMatch(/choose “Upload from this computer” and continue this upload/);
    expect(mail.text).toContain(`On the page: ${service.url}/app/new\n`);
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
    expect(mail.text).toMatch(/wählen Sie „Von diesem Computer hochladen“/);
    expect(mail.text).toContain(`Im Browser: ${service.url}/app/new\n`);
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

test.skipIf(!inject("onPostgres"))(
  "the notice to an address that receives many mails is sent on the next day",
  async () => {
    service = await startTestService(settings());
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", Buffer.from("abc"));
    await restartAfter(async (db) => {
      await usedAt(id, daysAgo(11.1))(db);
      await sql`insert into mail (subject_id, event, party, fingerprint, status, created_at, due_at, expires_at, sent_at)
      select ${randomUUID()}, n, 'owner', fingerprint, 'sent', now() - interval '1 day', now(), now(), now()
      from upload_area, generate_series(1, 100) n where id = ${id}`.execute(db);
    });
    const database = await service.database();
    const notice = () =>
      database.queries
        .selectFrom("mail")
        .select(["status", "attempts"])
        .where("subject_id", "=", id)
        .executeTakeFirst();
    await vi.waitUntil(async () => ((await notice())?.attempts ?? 0) > 0);
    expect(mailbox.mails).toEqual([]);
    await database.close();
    await restartAfter(async (db) => {
      expect(await sql`select status from mail where subject_id = ${id}`.execute(db)).toMatchObject({
        rows: [{ status: "pending" }],
      });
      await sql`update mail set sent_at = sent_at - interval '1 day' where party = 'owner'`.execute(db);
      await sql`update mail set due_at = now() where subject_id = ${id}`.execute(db);
    });
    await vi.waitUntil(() => mailbox.mails.length > 0);
    expect(arrived()).toEqual([`${ADDRESS} Your upload will be deleted on ${day(3)}: ${id}`]);
  },
);

describe("the address of an upload can be set later", () => {
  const change = (id: string, body: object, headers: Record<string, string> = {}) =>
    service.api.send(`/uploads/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const withoutAddress = async () => {
    const { id, files } = await create();
    await tus.send(files, "a", Buffer.from("abc"));
    return id;
  };

  test("also when its owner would have been told already", async () => {
    service = await startTestService(settings());
    const [late, early, changed] = [await withoutAddress(), await withoutAddress(), (await createFor(ADDRESS)).id];
    await tus.send(`/uploads/${changed}/files`, "a", Buffer.from("abc"));
    for (const id of [early, changed]) {
      const { status, json } = await change(id, { notify: { email: `${id}@lab.example.org` } });
      expect([status, json.id]).toEqual([200, id]);
    }
    await restartAfter((db) =>
      db
        .updateTable("upload_area")
        .set({ used_at: daysAgo(11.1) })
        .execute(),
    );
    await vi.waitUntil(() => mailbox.mails.length > 1);
    expect((await change(late, { notify: { email: `${late}@lab.example.org` } })).status).toBe(200);
    await restartAfter(async () => undefined);
    await vi.waitUntil(() => mailbox.mails.length > 2);
    const expected = [early, changed, late].map((id) => `${id}@lab.example.org`);
    expect(arrived().map((one) => one.split(" ")[0])).toEqual(expect.arrayContaining(expected));
    expect((await change(late, { notify: { email: "no address" } })).status).toBe(422);
  });

  test("if the mail server refuses the one before: the other one is told, and the upload is kept for three days from then", async () => {
    await mailbox.stop();
    mailbox = await startMailbox({
      onRcptTo: ({ address }, _session, done) => {
        const refusal = Object.assign(new Error("no mailbox"), { responseCode: 550 });
        done(address === ADDRESS ? refusal : null);
      },
    });
    service = await startTestService(settings());
    const { id, files } = await createFor(ADDRESS);
    await tus.send(files, "a", Buffer.from("abc"));
    const givenUp = async () => {
      const { text } = await service.api.get("/metrics");
      return sampleOf(text, "accession_notices_total", { kind: "mail", outcome: "given_up" }) ?? 0;
    };
    const before = await givenUp();
    await restartAfter(usedAt(id, daysAgo(11.1)));
    await vi.waitUntil(async () => (await givenUp()) > before);
    // As if that had happened before.
    await restartAfter(async (db) => {
      await usedAt(id, daysAgo(13.6), { warned_at: daysAgo(2.5) })(db);
      const earlier = sql`interval '2.5 days'`;
      await sql`update mail set created_at = created_at - ${earlier}, expires_at = expires_at - ${earlier}`.execute(db);
    });
    for (const [n, address] of ["second@lab.example.org", "third@lab.example.org"].entries()) {
      expect((await change(id, { notify: { email: address } })).status).toBe(200);
      await restartAfter(async () => undefined);
      // One that was told is not told again, nor is another one in its place.
      if (n === 0) await vi.waitUntil(() => mailbox.mails.length > 0);
      await service.settled();
      expect(arrived()).toEqual([`second@lab.example.org Your upload will be deleted on ${day(3)}: ${id}`]);
      expect((await viewOf(id)).expiresAt.slice(0, 10)).toBe(day(3));
    }
  });

  test("by the command that continues it", async () => {
    service = await startTestService(settings());
    const { id, files } = await create();
    await tus.send(files, "a", Buffer.from("abc"));
    const folder = await mkdtemp(join(tmpdir(), "accession-upload-mail-"));
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "data", "a"), "abc");
    // It is refused, so that the upload is not submitted.
    await writeFile(join(folder, "data", "b\nc"), "abc");
    await writeFile(join(folder, "dataset.json"), JSON.stringify(goodMetadata));
    const args = [
      "upload",
      join(folder, "data"),
      "--metadata",
      join(folder, "dataset.json"),
      "--upload",
      id,
      "--notify",
      ADDRESS,
    ];
    expect((await runCommand(args, folder, { env: { ACCESSION_URL: service.url } })).code).toBe(1);
    await rm(folder, { recursive: true });
    await restartAfter(usedAt(id, daysAgo(11.1)));
    await vi.waitUntil(() => mailbox.mails.length > 0);
    expect(arrived()).toEqual([`${ADDRESS} Your upload will be deleted on ${day(3)}: ${id}`]);
  });

  test("with the verified one only by its owner, and if none is known", async () => {
    await using provider = await startOidcProvider();
    const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
    service = await startTestService({ ...settings(), ...oidc });
    const verified = bearer(await provider.sign({ email: ADDRESS, email_verified: true } as never));
    const [unknown, stated] = [
      await create({}, bearer(await provider.sign({}))),
      await create({ notify: { email: "stated@lab.example.org" } }, verified),
    ];
    for (const { id } of [unknown, stated]) expect((await change(id, {}, verified)).status).toBe(200);
    const metadata = `path ${Buffer.from("a").toString("base64")}`;
    for (const { files } of [unknown, stated])
      await tus.request(
        "POST",
        files,
        { ...verified, "upload-length": "3", "upload-metadata": metadata },
        Buffer.from("abc"),
      );
    await restartAfter((db) =>
      db
        .updateTable("upload_area")
        .set({ used_at: daysAgo(11.1) })
        .execute(),
    );
    await vi.waitUntil(() => mailbox.mails.length > 1);
    expect(
      arrived()
        .map((one) => one.split(" ")[0])
        .sort(),
    ).toEqual([ADDRESS, "stated@lab.example.org"]);
  });
});

test("an upload of the web client of e!DAL gets the verified address of its owner, also if its first files came without one", async () => {
  await using provider = await startOidcProvider();
  const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
  service = await startTestService({ ...settings(), ...oidc });
  const client = new EdalClient(() => service.api);
  for (const claims of [{}, { email: ADDRESS, email_verified: true }]) {
    service.api.headers = bearer(await provider.sign(claims as never));
    const file = { webkitRelativePath: "chosen/table.csv", bytes: Buffer.from("1;2") };
    expect((await client.sendAll([file])).map(({ status }) => status)).toEqual([200]);
  }
  await restartAfter((db) =>
    db
      .updateTable("upload_area")
      .set({ used_at: daysAgo(11.1) })
      .execute(),
  );
  await vi.waitUntil(() => mailbox.mails.length > 0);
  expect(arrived()[0]).toMatch(ADDRESS);
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
