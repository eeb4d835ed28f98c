import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as submissions from "./migrations/0001-submissions.ts";
import * as tokens from "./migrations/0002-tokens.ts";
import * as audit from "./migrations/0003-audit.ts";
import * as withdrawal from "./migrations/0003-withdrawal.ts";
import * as kept from "./migrations/0004-kept.ts";
import * as machines from "./migrations/0005-machines.ts";
import * as versions from "./migrations/0007-versions.ts";
import * as webhooks from "./migrations/0008-webhooks.ts";
import * as downloads from "./migrations/0009-downloads.ts";
import * as verdict from "./migrations/0010-verdict.ts";
import * as summaries from "./migrations/0012-summaries.ts";
import * as accessAndWebhooks from "./migrations/0013-access-and-webhooks.ts";
import * as sourceSilence from "./migrations/0015-source-silence.ts";
import * as metadataRevisions from "./migrations/0016-metadata-revisions.ts";
import * as vocabulary from "./migrations/0020-vocabulary.ts";
import * as publication from "./migrations/0021-publication.ts";
import * as reviewerLinks from "./migrations/0022-reviewer-links.ts";
import * as access from "./migrations/0023-access.ts";
import * as publicationNotices from "./migrations/0024-publication-notices.ts";
import * as doiReservations from "./migrations/0026-doi-reservations.ts";
import * as catalogue from "./migrations/0027-catalogue.ts";
import * as usage from "./migrations/0028-usage.ts";
import * as renewals from "./migrations/0029-renewals.ts";
import * as retraction from "./migrations/0030-retraction.ts";
import * as openedOn from "./migrations/0031-opened-on.ts";
import * as showSource from "./migrations/0032-show-source.ts";
import * as catalogueBasis from "./migrations/0033-catalogue-basis.ts";
import * as doiRequests from "./migrations/0034-doi-requests.ts";
import * as reviewRecords from "./migrations/0035-review-records.ts";
import * as curatorsDesk from "./migrations/0037-curators-desk.ts";
import * as reviewMail from "./migrations/0038-review-mail.ts";
import * as mailPreferences from "./migrations/0039-mail-preferences.ts";
import * as failingSince from "./migrations/0040-failing-since.ts";
import * as grantUses from "./migrations/0041-grant-uses.ts";
import * as dailyMail from "./migrations/0042-daily-mail.ts";
import * as search from "./migrations/0043-search.ts";
import * as collections from "./migrations/0044-collections.ts";
import * as folders from "./migrations/0045-folders.ts";
import * as foundWords from "./migrations/0046-found-words.ts";
import * as catalogueSearch from "./migrations/0047-catalogue-search.ts";
import * as uploads from "./migrations/0048-uploads.ts";
import * as uploadSegments from "./migrations/0049-upload-segments.ts";
import * as uploadGenerations from "./migrations/0050-upload-generations.ts";
import * as uploadNotices from "./migrations/0051-upload-notices.ts";
import * as titledUploads from "./migrations/0052-titled-uploads.ts";
import * as moreMetadataSearched from "./migrations/0053-more-metadata-searched.ts";
import * as sentMail from "./migrations/0054-sent-mail.ts";
import * as digestLists from "./migrations/0055-digest-lists.ts";
import * as segmentNames from "./migrations/0056-segment-names.ts";

/** The migrations, forward only. A released migration is never changed; only a backup restores earlier tables. */
export const migrations: Record<string, Migration> = {
  "0001-submissions": submissions,
  "0002-tokens": tokens,
  "0003-audit": audit,
  "0003-withdrawal": withdrawal,
  "0004-kept": kept,
  "0005-machines": machines,
  "0007-versions": versions,
  "0008-webhooks": webhooks,
  "0009-downloads": downloads,
  "0010-verdict": verdict,
  "0012-summaries": summaries,
  "0013-access-and-webhooks": accessAndWebhooks,
  "0015-source-silence": sourceSilence,
  "0016-metadata-revisions": metadataRevisions,
  "0020-vocabulary": vocabulary,
  "0021-publication": publication,
  "0022-reviewer-links": reviewerLinks,
  "0023-access": access,
  "0024-publication-notices": publicationNotices,
  "0026-doi-reservations": doiReservations,
  "0027-catalogue": catalogue,
  "0028-usage": usage,
  "0029-renewals": renewals,
  "0030-retraction": retraction,
  "0031-opened-on": openedOn,
  "0032-show-source": showSource,
  "0033-catalogue-basis": catalogueBasis,
  "0034-doi-requests": doiRequests,
  "0035-review-records": reviewRecords,
  "0037-curators-desk": curatorsDesk,
  "0038-review-mail": reviewMail,
  "0039-mail-preferences": mailPreferences,
  "0040-failing-since": failingSince,
  "0041-grant-uses": grantUses,
  "0042-daily-mail": dailyMail,
  "0043-search": search,
  "0044-collections": collections,
  "0045-folders": folders,
  "0046-found-words": foundWords,
  "0047-catalogue-search": catalogueSearch,
  "0048-uploads": uploads,
  "0049-upload-segments": uploadSegments,
  "0050-upload-generations": uploadGenerations,
  "0051-upload-notices": uploadNotices,
  "0052-titled-uploads": titledUploads,
  "0053-more-metadata-searched": moreMetadataSearched,
  "0054-sent-mail": sentMail,
  "0055-digest-lists": digestLists,
  "0056-segment-names": segmentNames,
};

/** A database whose tables are those of any version. */
// biome-ignore lint/suspicious/noExplicitAny: migrations use tables that the types do not contain.
export type AnyTables = Kysely<any>;

/** Migrations by their names, in order. */
export type Migrations = typeof migrations;

/** The migrations of an opened database. */
export interface Migrated {
  /** The last migration that had run before; undefined if there were no tables. */
  from: string | undefined;
  to: string;
  /** The migrations that ran now, in order. */
  ran: string[];
}

/** The database was last used by a later version of the program. The message is for the operator. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/**
 * Runs the missing migrations. If several processes try at the same time, one runs them and the others wait.
 * @throws NewerDatabase, before any change, if migrations have run that this version does not know
 */
export async function migrate(db: AnyTables, all: Migrations = migrations): Promise<Migrated> {
  const before = await migrationsRun(db);
  refuseNewer(before, all);
  const to = newestMigration(all);
  // The migrator would query the system tables, which takes about 60 ms with the embedded database.
  if (before.length === Object.keys(all).length) return { from: to, to, ran: [] };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
  const { error, results = [] } = await migrator.migrateToLatest();
  // A process of a newer version may have migrated in the meantime.
  if (error !== undefined) refuseNewer(await migrationsRun(db), all);
  if (error !== undefined) throw error;
  return {
    from: before.at(-1),
    to,
    ran: results.filter(({ status }) => status === "Success").map(({ migrationName }) => migrationName),
  };
}

/** Whether migrations are missing. @throws NewerDatabase */
export async function needsMigration(db: AnyTables, all: Migrations = migrations): Promise<boolean> {
  const run = await migrationsRun(db);
  refuseNewer(run, all);
  return run.length < Object.keys(all).length;
}

/** Whether this version has a migration with this name. */
export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/** The newest migration of this version. */
export function newestMigration(all: Migrations = migrations): string {
  return Object.keys(all).at(-1) ?? "";
}

/** By name, which is their order. */
async function migrationsRun(db: AnyTables): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (table.rows[0]?.name == null) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function refuseNewer(run: readonly string[], all: Migrations): void {
  const unknown = run.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length === 0) return;
  throw new NewerDatabase(
    `The database was last used by a newer version of Accession (it has ${unknown.join(", ")}, which this version does not know). ` +
      "Run the newer version, or restore a backup from before the upgrade; migrations cannot be reversed",
  );
}
