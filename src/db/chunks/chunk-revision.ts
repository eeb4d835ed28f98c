import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import { joinLines, splitLines } from "./chunk-text.ts";
import { type ChunkRow, chunkColumns } from "./edit.ts";
import type { OutcomeBatch } from "./outcome-batch.ts";

/** A chunk as it was read. Its lines can be replaced without reading it again, unless something else has changed it. */
export interface ChunkRevision extends ChunkRow {
  /** The transaction that wrote it (PostgreSQL's `xmin`). Every later transaction that changes the chunk changes it. */
  revision: string;
}

const revision = sql<string>`xmin::text`.as("revision");

export async function readRevision(
  db: Queries,
  id: string,
  attempt: number,
  no: number,
): Promise<ChunkRevision | undefined> {
  return db
    .selectFrom("chunk")
    .select([...chunkColumns, revision])
    .where((eb) => eb.and({ submission_id: id, attempt, no }))
    .executeTakeFirst();
}

/**
 * Replaces the lines of a batch, whose objects are all listed in `known`. The caller holds the submission's lock, and does
 * this at most once for a chunk in a transaction.
 *
 * @returns the new revision; undefined, without a change, if the chunk has changed since `known` was read
 */
export async function replaceLines(
  trx: Trx,
  id: string,
  attempt: number,
  known: ChunkRevision,
  batch: OutcomeBatch,
): Promise<ChunkRevision | undefined> {
  const lines = splitLines(known.objects);
  for (const [index, line] of splitLines(batch.text).entries())
    lines[(batch.seqs[index] ?? 0) - known.first_seq] = line;
  const changed = {
    objects: joinLines(lines),
    listed: known.listed - batch.seqs.length,
    failed: known.failed + batch.failures.length,
    suspect: known.suspect + batch.suspects,
  };
  const updated = await trx
    .updateTable("chunk")
    .set(changed)
    .where((eb) => eb.and({ submission_id: id, attempt, no: known.no }))
    .where(sql<boolean>`xmin = ${known.revision}::xid`)
    .returning(revision)
    .executeTakeFirst();
  return updated && { ...known, ...changed, ...updated };
}
