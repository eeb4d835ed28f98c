import { type Selectable, sql } from "kysely";
import type { Queries } from "../database.ts";
import type { PublicationRecipientTable } from "../tables/notification-tables.ts";

export type PublicationRecipientRow = Selectable<PublicationRecipientTable>;
type Party = PublicationRecipientRow["party"];

/** How long an address is kept after the last action that could follow: for comments and questions about access. */
const KEPT_MS = 30 * 86_400_000;

/** The recipient of one party of a publication; undefined if no address is known. */
export async function publicationRecipient(
  db: Queries,
  dataset: string,
  version: number,
  party: Party,
): Promise<PublicationRecipientRow | undefined> {
  return db
    .selectFrom("publication_recipient")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, version, party }))
    .executeTakeFirst();
}

/** Stores the encrypted address of a party instead of an earlier one. The publication must exist. */
export async function savePublicationRecipient(
  db: Queries,
  row: Omit<PublicationRecipientRow, "refused_at" | "refused_status">,
): Promise<void> {
  const { account, address, fingerprint } = row;
  const known = { refused_at: null, refused_status: null };
  await db
    .insertInto("publication_recipient")
    .values({ ...row, ...known })
    .onConflict((conflict) =>
      conflict.columns(["dataset_id", "version", "party"]).doUpdateSet({ account, address, fingerprint, ...known }),
    )
    .execute();
}

/** What identifies a recipient: its address can be replaced by another one. */
type RecipientKey = Pick<PublicationRecipientRow, "dataset_id" | "version" | "party" | "fingerprint">;

/** Records that the mail server does not accept mail for a recipient. @returns false if that was recorded before */
export async function recordRefused(db: Queries, key: RecipientKey, status: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("publication_recipient")
    .set({ refused_at: new Date(), refused_status: status })
    .where((eb) => eb.and(key))
    .where("refused_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Records that the mail server has accepted mail for an address, in all publications. */
export async function recordAccepted(db: Queries, fingerprint: string): Promise<void> {
  await db
    .updateTable("publication_recipient")
    .set({ refused_at: null, refused_status: null })
    .where("fingerprint", "=", fingerprint)
    .where("refused_at", "is not", null)
    .execute();
}

/** Removes the address of a party, for instance of a curator who no longer reviews the dataset. */
export async function removePublicationRecipient(
  db: Queries,
  { dataset_id, version, party }: Pick<PublicationRecipientRow, "dataset_id" | "version" | "party">,
): Promise<void> {
  await db
    .deleteFrom("publication_recipient")
    .where((eb) => eb.and({ dataset_id, version, party }))
    .execute();
}

/** An address that this curator has in another publication; undefined if none is known. */
export async function curatorAddress(
  db: Queries,
  account: string,
): Promise<Pick<PublicationRecipientRow, "address" | "fingerprint"> | undefined> {
  return db
    .selectFrom("publication_recipient")
    .select(["address", "fingerprint"])
    .where("account", "=", account)
    .where("party", "in", ["curator", "former_curator"])
    .limit(1)
    .executeTakeFirst();
}

/**
 * Erases the addresses of publications that have ended: private and withdrawn ones at once, declined and published ones after 30
 * days. While files are closed, the address stays, because the end of the embargo is announced, and people ask for access.
 */
export async function erasePublicationRecipients(db: Queries): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  await sql`
    delete from publication_recipient r using publication p
    where p.dataset_id = r.dataset_id and p.version = r.version
      and (p.state in ('private', 'withdrawn')
        or (p.state = 'declined' and p.since < ${before}::timestamptz)
        or (p.state = 'published' and p.since < ${before}::timestamptz and (p.access = 'open'
          or (p.access = 'embargoed' and p.embargo_date < ${before.toISOString().slice(0, 10)}::text))))
      and not exists (
        select from mail m join dataset_version v on v.submission_id = m.subject_id
        where v.dataset_id = r.dataset_id and v.version = r.version and m.status in ('pending', 'held'))`.execute(db);
}
