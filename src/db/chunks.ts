import type { Queries } from "./open.ts";

/** A run of the listing that is transferred as one job. */
export interface Chunk {
  no: number;
  firstSeq: number;
  lastSeq: number;
  bytes: number;
}

export async function insertChunks(db: Queries, id: string, attempt: number, chunks: Chunk[]): Promise<void> {
  if (chunks.length === 0) return;
  await db
    .insertInto("chunk")
    .values(
      chunks.map(({ no, firstSeq, lastSeq, bytes }) => ({
        submission_id: id,
        attempt,
        no,
        first_seq: firstSeq,
        last_seq: lastSeq,
        bytes,
      })),
    )
    .execute();
}

/** Chunks that are not done yet, in order, after a number. */
export async function openChunks(
  db: Queries,
  id: string,
  attempt: number,
  options: { after?: number; limit: number },
): Promise<Chunk[]> {
  const rows = await db
    .selectFrom("chunk")
    .selectAll()
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("done", "=", false)
    .where("no", ">", options.after ?? -1)
    .orderBy("no")
    .limit(options.limit)
    .execute();
  return rows.map((row) => ({ no: row.no, firstSeq: row.first_seq, lastSeq: row.last_seq, bytes: row.bytes }));
}

export async function findOpenChunk(db: Queries, id: string, attempt: number, no: number): Promise<Chunk | undefined> {
  const [chunk] = await openChunks(db, id, attempt, { after: no - 1, limit: 1 });
  return chunk?.no === no ? chunk : undefined;
}

export async function finishChunk(db: Queries, id: string, attempt: number, no: number): Promise<void> {
  await db
    .updateTable("chunk")
    .set({ done: true })
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("no", "=", no)
    .execute();
}
