import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FolderStore } from "../../src/archive/folder/store.ts";
import { JWKS, keepJwks } from "../../src/archive/receipts/jwks-file.ts";
import { makeSigningKey } from "../../src/archive/receipts/signing.ts";
import { fileIn } from "../../src/archive/small-file.ts";
import { openDatabase, type Queries } from "../../src/db/database.ts";
import { listSubmissions } from "../../src/db/submissions/list.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { addSubmission } from "../support/database/test-database.ts";
import { runCommand } from "../support/program/run-command.ts";

const LATEST = "0056-segment-names";
const LATER_THAN_MACHINES = [
  "0007-versions",
  "0008-webhooks",
  "0009-downloads",
  "0010-verdict",
  "0012-summaries",
  "0013-access-and-webhooks",
  "0015-source-silence",
  "0016-metadata-revisions",
  "0020-vocabulary",
  "0021-publication",
  "0022-reviewer-links",
  "0023-access",
  "0024-publication-notices",
  "0026-doi-reservations",
  "0027-catalogue",
  "0028-usage",
  "0029-renewals",
  "0030-retraction",
  "0031-opened-on",
  "0032-show-source",
  "0033-catalogue-basis",
  "0034-doi-requests",
  "0035-review-records",
  "0037-curators-desk",
  "0038-review-mail",
  "0039-mail-preferences",
  "0040-failing-since",
  "0041-grant-uses",
  "0042-daily-mail",
  "0043-search",
  "0044-collections",
  "0045-folders",
  "0046-found-words",
  "0047-catalogue-search",
  "0048-uploads",
  "0049-upload-segments",
  "0050-upload-generations",
  "0051-upload-notices",
  "0052-titled-uploads",
  "0053-more-metadata-searched",
  "0054-sent-mail",
  "0055-digest-lists",
  LATEST,
];
let data: string;

beforeEach(async () => {
  data = await createDataFolder();
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function change(work: (db: Queries) => Promise<unknown>): Promise<void> {
  const database = await openDatabase({ folder: join(data, "database") });
  await work(database.queries);
  await database.close();
}

/** Undoes the migrations from `0041-grant-uses` on. */
async function undoLatest(db: Queries): Promise<void> {
  await sql`drop index mail_held, dataset_version_submission, submission_search_title,
    publication_problem, access_request_open`.execute(db);
  await sql`drop table stated_digest, digest_list, access_grant_use, collection_dataset, collection, folder, catalogue_search, unknown_upload, titled_upload, upload_arrival, upload_segment, upload_file, upload_area`.execute(
    db,
  );
  await sql`create index catalogue_entry_newest on catalogue_entry (published_at, no)`.execute(db);
  await sql`create index catalogue_entry_title on catalogue_entry (sort_title, no)`.execute(db);
  await sql`create index catalogue_entry_words on catalogue_entry using gin (words)`.execute(db);
  await sql`create index catalogue_entry_file_words on catalogue_entry using gin (file_words)`.execute(db);
  await sql`alter table publication drop column collections`.execute(db);
  await sql`alter table access_grant drop column uses, drop column first_used_at`.execute(db);
  await sql`alter table mail drop column sent_at`.execute(db);
  await sql`alter table submission drop column digests, drop column objects_differing`.execute(db);
  await sql`create index mail_of_recipient on mail (fingerprint, created_at)`.execute(db);
  await sql`alter table mail rename column subject_id to submission_id`.execute(db);
  await sql`alter table mail add foreign key (submission_id) references submission on delete cascade`.execute(db);
  await sql`delete from kysely_migration where name >= '0041-grant-uses'`.execute(db);
}

test("reports that no migration is missing", { tags: "extended" }, async () => {
  const ran = await runCommand(["migrate"], data);
  expect(ran).toEqual({ code: 0, stderr: "", lines: [{ from: LATEST, to: LATEST, ran: [] }] });
  expect(await readdir(data)).not.toContain("secret.key");
});

test("creates the tables of a new database", { tags: "extended" }, async () => {
  await rm(join(data, "database"), { recursive: true });
  const ran = await runCommand(["migrate"], data);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.lines).toMatchObject([
    { from: null, to: LATEST, ran: expect.arrayContaining(["0001-submissions", "0004-kept", LATEST]) },
  ]);
});

test("migrates an older database", async () => {
  // Their base64url forms have every length modulo four, and contain the characters that base64 does not have.
  const verdicts = ["ü", "ÿ?>", "ÿ??>>", "ÿ???"].map((statement) => ({ sourceMayBeDeleted: "no", statement }));
  const receipts = verdicts.map((verdict) => {
    const payload = Buffer.from(JSON.stringify({ title: "ÿÿ?>", ...verdict, issuer: {} })).toString("base64url");
    return `e30.${payload}.c2ln`;
  });
  await change(async (db) => {
    await sql`drop table download_link, mail, mail_recipient, delivery, webhook`.execute(db);
    await addSubmission(db);
    for (const receipt of receipts) await addSubmission(db, { receipt });
    const authors = [{ role: "Creator", lastName: "Müller" }];
    const sent = JSON.stringify({ title: "t", authors: Array(10).fill(authors[0]) });
    for (let i = 0; i < 25; i++) await addSubmission(db, { ...({ sent, metadata: sent } as object), status: "failed" });
    await sql`drop index submission_of_dataset, dataset_newest, dataset_newest_of_all, dataset_version_submission`.execute(
      db,
    );
    await sql`drop table submission_search, stated_digest, digest_list`.execute(db);
    await sql`drop function tell_of_token cascade`.execute(db);
    await sql`drop index submission_title`.execute(db);
    await sql`create index submission_title on submission (owner, title)`.execute(db);
    await sql`alter table submission drop column summary, drop column metadata_bytes`.execute(db);
    await sql`alter table submission drop column source_heard_at, drop column source_silent_since`.execute(db);
    await sql`alter table submission drop column objects_unchanged, drop column bytes_unchanged, drop column verdict`.execute(
      db,
    );
    await sql`drop function tell_of_grant cascade`.execute(db);
    await sql`drop table access_request, access_grant_use, access_grant cascade`.execute(db);
    await sql`drop table mail_preference, known_curator, doi_account, publication_recipient, publication_entry, publication_record, publication, doi`.execute(
      db,
    );
    await sql`drop table reviewer_link, catalogue_search, catalogue_entry, catalogue_term, usage_day, usage_salt, usage_key, folder, unknown_upload, titled_upload, upload_arrival, upload_segment, upload_file, upload_area`.execute(
      db,
    );
    await sql`drop table collection_dataset, collection`.execute(db);
    await sql`drop function tell_of_reviewer_link`.execute(db);
    await sql`drop table metadata_revision, vocabulary_entry, vocabulary_name, vocabulary`.execute(db);
    await sql`alter table submission drop column ocfl_version, drop column digests, drop column objects_differing`.execute(
      db,
    );
    await sql`alter table dataset_version drop column ocfl_version`.execute(db);
    await sql`alter table dataset drop column latest_ocfl_version, drop column latest_revision`.execute(db);
    await sql`delete from kysely_migration where name > '0005-machines'`.execute(db);
  });
  const ran = await runCommand(["migrate"], data);
  expect(ran.lines).toEqual([{ from: "0005-machines", to: LATEST, ran: LATER_THAN_MACHINES }]);
  await change((db) => db.selectFrom("webhook").select("id").execute());
  const added = ["dataset_version", "objects_unchanged"] as const;
  await change(async (db) => {
    const rows = await db.selectFrom("submission").select(added).execute();
    expect(rows).toEqual(Array(26 + receipts.length).fill({ dataset_version: 1, objects_unchanged: 0 }));
    const filled = await db.selectFrom("submission").select("verdict").where("receipt", "is not", null).execute();
    expect(filled.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(verdicts));
    const entries = await listSubmissions(db, { owner: "o", q: "muller", sort: "title", limit: 100 });
    expect(entries).toHaveLength(25);
    expect(entries[0]?.summary).toMatchObject({ metadata: { authorsTotal: 10 }, shortened: true });
  });
});

test("the reservation of a DOI keeps since when it fails", async () => {
  const problem = { code: "datacite_unreachable", at: "2026-05-01T12:10:00.000Z" };
  await change(async (db) => {
    await sql`alter table doi add column failing_since timestamptz`.execute(db);
    const values = {
      dataset_id: randomUUID(),
      version: 1,
      created_at: new Date(),
      reserved: true,
      state: "chosen" as const,
    };
    await db
      .insertInto("doi")
      .values({ ...values, doi: "10.5072/failing", problem: JSON.stringify(problem) })
      .execute();
    await sql`update doi set failing_since = '2026-05-01T14:00:00+02:00'`.execute(db);
    await undoLatest(db);
    await sql`delete from kysely_migration where name = '0040-failing-since'`.execute(db);
  });
  await runCommand(["migrate"], data);
  await change(async (db) => {
    const row = await db.selectFrom("doi").select("problem").executeTakeFirstOrThrow();
    expect(row.problem).toEqual({ ...problem, since: "2026-05-01T12:00:00.000Z" });
  });
});

test("keeps what is known of the uses of a grant", { tags: "extended" }, async () => {
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
  await change(async (db) => {
    await undoLatest(db);
    await sql`insert into dataset (id, owner, title, latest_version, latest_ocfl_version, created_at)
      values (${ids[0]}::uuid, 'ada', 't', 1, 1, now())`.execute(db);
    for (const [n, id] of ids.entries()) {
      await sql`insert into access_grant (id, dataset_id, kind, note, granted_by, created_at, used_at)
        values (${id}::uuid, ${ids[0]}::uuid, 'link', '', 'ada', now(), ${n === 0 ? "2026-06-01T09:00:00Z" : null})`.execute(
        db,
      );
    }
  });
  expect((await runCommand(["migrate"], data)).code).toBe(0);
  await change(async (db) => {
    const columns = ["uses", "first_used_at", "used_at"] as const;
    const at = new Date("2026-06-01T09:00:00Z");
    expect(await db.selectFrom("access_grant").select(columns).orderBy("id").execute()).toEqual([
      { uses: 1, first_used_at: at, used_at: at },
      { uses: 0, first_used_at: null, used_at: null },
    ]);
  });
});

describe("a database of a newer version is refused", () => {
  test("by serve", { tags: "extended" }, () => refusedBy("serve"));
  test.each(["migrate", "rebuild"])("by %s", { tags: "extended" }, refusedBy);

  async function refusedBy(verb: string): Promise<void> {
    await change((db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2031-01-01T00:00:00.000Z')`.execute(
        db,
      ),
    );
    if (verb === "rebuild") await makeArchive();
    const ran = await runCommand([verb], data, { env: { ACCESSION_PORT: "0" } });
    expect([ran.code, ran.lines]).toEqual([1, []]);
    expect(ran.stderr).toMatch(/last used by a newer version of Accession \(it has 9999-future/);
    expect(ran.stderr).not.toContain("corrupted");
  }
});

test("requires no key files, and reports an unreachable database", async () => {
  const env = { ACCESSION_DATABASE_URL: "postgres://unreachable@127.0.0.1:1/none" };
  const ran = await runCommand(["migrate"], data, { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/database of ACCESSION_DATABASE_URL cannot be reached/);
  const rebuilt = await runCommand(["rebuild"], data, { env });
  expect(rebuilt.code).toBe(2);
  expect(rebuilt.stderr).toContain("ACCESSION_SIGNING_KEY_FILE is mandatory");
});

/** Creates an empty archive. */
async function makeArchive(): Promise<void> {
  const archive = join(data, "archive");
  await FolderStore.open(archive, { share: 0, bytes: 0 });
  await keepJwks(fileIn(archive, JWKS), (await makeSigningKey()).publicJwk);
}
