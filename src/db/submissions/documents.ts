import { type Insertable, sql } from "kysely";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { Remark } from "../../domain/problems.ts";
import { searchTextOf } from "../../domain/submission/search.ts";
import { summarize } from "../../domain/submission/summary.ts";
import type { Queries } from "../database.ts";
import type { SubmissionTable } from "../tables/submission-tables.ts";
import type { Document, Trx } from "./submissions.ts";

/** The metadata as sent, and data derived from it: up to several MiB. */
export interface Documents {
  /** `metadata` as the caller sent it. */
  sent: unknown;
  metadata: NormalizedMetadata;
  warnings: Remark[];
}

/** The columns of a submission that do not follow from its documents. */
export type NewSubmission = Omit<Insertable<SubmissionTable>, Document | "metadata_bytes" | "selection"> & {
  selection: object;
};

/** The documents of a submission. @throws Error if the submission does not exist */
export async function documentsOf(db: Queries, id: string): Promise<Documents> {
  const found = await db
    .selectFrom("submission")
    .select(["sent", "metadata", "warnings"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return found as Documents;
}

/**
 * Inserts a submission with its documents, its summary for lists and its searchable text.
 * @param replaced the columns that are replaced if the submission exists; otherwise an existing one is an error
 */
export async function insertSubmission(
  trx: Trx,
  row: NewSubmission,
  { sent, metadata, warnings }: Documents,
  replaced: readonly string[] = [],
): Promise<void> {
  const text = JSON.stringify(sent);
  const { selection } = row;
  await trx
    .insertInto("submission")
    .values({
      ...row,
      selection: JSON.stringify(selection),
      sent: text,
      metadata: JSON.stringify(metadata),
      warnings: JSON.stringify(warnings),
      summary: JSON.stringify(summarize({ sent, selection, warnings })),
      metadata_bytes: Buffer.byteLength(text),
    })
    .$if(replaced.length > 0, (query) =>
      query.onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(Object.fromEntries(replaced.map((name) => [name, sql.ref(`excluded.${name}`)]))),
      ),
    )
    .execute();
  const { title, words } = searchTextOf(metadata);
  await trx
    .insertInto("submission_search")
    .values({ submission_id: row.id, title, words: sql<string>`array_to_tsvector(${words}::text[])` })
    .execute();
}

/** Replaces the summary and the searchable text of a submission after its dataset received other metadata. */
export async function describeAnew(trx: Trx, id: string, { sent, metadata, warnings }: Documents): Promise<void> {
  const found = await trx.selectFrom("submission").select("selection").where("id", "=", id).executeTakeFirstOrThrow();
  const summary = JSON.stringify(summarize({ sent, selection: found.selection, warnings }));
  await trx.updateTable("submission").set({ summary }).where("id", "=", id).execute();
  const { title, words } = searchTextOf(metadata);
  await trx
    .updateTable("submission_search")
    .set({ title, words: sql<string>`array_to_tsvector(${words}::text[])` })
    .where("submission_id", "=", id)
    .execute();
}
