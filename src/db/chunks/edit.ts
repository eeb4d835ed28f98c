/**
 * Changes objects. A chunk is read, changed and written as a whole, so every function here requires a transaction that
 * holds the submission's lock: without it, one of two concurrent changes would be lost.
 */

import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import { countObject, joinLines, readObject, splitLines, type Tally, writeObject } from "./chunk-text.ts";
import type { ObjectRecord } from "./objects.ts";

/** Changes an object in place. Returns false if it made no change. */
export type Change = (object: ObjectRecord) => boolean;

/** The columns of a chunk that change with its objects, and those that identify them. */
export type ChunkRow = Tally & { no: number; first_seq: number; last_seq: number; objects: string };

export const chunkColumns = [
  "no",
  "first_seq",
  "last_seq",
  "objects",
  "listed",
  "failed",
  "excluded",
  "suspect",
  "odd",
] as const satisfies (keyof ChunkRow)[];

/**
 * Changes objects of one chunk: those with these sequence numbers, or all.
 * @returns the number of its objects that still have to be read; undefined if the chunk does not exist
 */
export async function editChunk(
  trx: Trx,
  id: string,
  attempt: number,
  no: number,
  seqs: readonly number[] | "all",
  change: Change,
): Promise<number | undefined> {
  const row = await chunksOf(trx, id, attempt).where("no", "=", no).executeTakeFirst();
  return row && (await editRow(trx, id, attempt, row, seqs, change));
}

/** Changes the objects with these sequence numbers, in listing order. */
export async function editObjects(
  trx: Trx,
  id: string,
  attempt: number,
  seqs: readonly number[],
  change: Change,
): Promise<void> {
  let rest = seqs.toSorted((a, b) => a - b);
  for (let seq = rest[0]; seq !== undefined; seq = rest[0]) {
    const row = await chunksOf(trx, id, attempt)
      .where("last_seq", ">=", seq)
      .orderBy("last_seq")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return;
    const end = rest.findIndex((one) => one > row.last_seq);
    const here = end === -1 ? rest : rest.slice(0, end);
    await editRow(trx, id, attempt, row, here, change);
    rest = rest.slice(here.length);
  }
}

/** Calls `change` for all objects of the chunks that contain objects with this note. */
export async function editNotable(trx: Trx, id: string, attempt: number, note: Note, change: Change): Promise<void> {
  for await (const no of notableChunks(trx, id, attempt, note)) await editChunk(trx, id, attempt, no, "all", change);
}

export type Note = "suspect" | "failed" | "odd";

/** The numbers of the chunks that contain objects with this note, in order. */
export async function* notableChunks(db: Queries, id: string, attempt: number, note: Note): AsyncGenerator<number> {
  for (let after = -1; ; ) {
    const row = await db
      .selectFrom("chunk")
      .select(["no", "last_seq"])
      .where((eb) => eb.and({ submission_id: id, attempt }))
      .where(note, ">", 0)
      .where("last_seq", ">", after)
      .orderBy("last_seq")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return;
    yield row.no;
    after = row.last_seq;
  }
}

function chunksOf(trx: Trx, id: string, attempt: number) {
  return trx.selectFrom("chunk").select(chunkColumns).where("submission_id", "=", id).where("attempt", "=", attempt);
}

async function editRow(
  trx: Trx,
  id: string,
  attempt: number,
  row: ChunkRow,
  seqs: readonly number[] | "all",
  change: Change,
): Promise<number> {
  const lines = splitLines(row.objects);
  const { listed, failed, excluded, suspect, odd } = row;
  const tally: Tally = { listed, failed, excluded, suspect, odd };
  let isChanged = false;
  const places = seqs === "all" ? lines.map((_, index) => row.first_seq + index) : seqs;
  for (const seq of places) {
    const index = seq - row.first_seq;
    const line = lines[index];
    if (line === undefined) continue;
    const object = readObject(line, seq);
    const before = { ...object };
    if (!change(object)) continue;
    countObject(tally, before, -1);
    countObject(tally, object, 1);
    lines[index] = writeObject(object);
    isChanged = true;
  }
  if (!isChanged) return tally.listed;
  await trx
    .updateTable("chunk")
    .set({ ...tally, objects: joinLines(lines) })
    .where((eb) => eb.and({ submission_id: id, attempt, no: row.no }))
    .execute();
  return tally.listed;
}
