import { sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { Queries } from "../database.ts";
import { lockQuota, type Quota } from "../submissions/quota.ts";
import type { Trx } from "../submissions/submissions.ts";
import { type AreaRow, lockArea } from "./areas.ts";
import { changeCounters } from "./files.ts";

/** A whole file whose bytes are durable in one segment; without bytes, there is none. */
export interface WholeFile {
  no: number;
  /** Name of its segment. */
  name: string;
  path: string;
  bytes: number;
  sha512: string;
  /** Whether the client has stated the SHA-512. */
  isStated: boolean;
}

/** What became of a file: it was added, or the upload had the same one; `taken` is the number of another file with its path. */
export type Outcome = "added" | "present" | { taken: number } | { problem: Problem };

/** Reserves numbers for files of an area. @returns the first; undefined if files can no longer be added */
export async function reserveNumbers(db: Queries, area: string, count: number): Promise<number | undefined> {
  const { rows } = await sql<{ first: number }>`update upload_area set next_no = next_no + ${count}::integer
    where id = ${area} and submission_id is null and removed_at is null
    returning next_no - ${count}::integer as first`.execute(db);
  return rows[0]?.first;
}

interface Limits {
  quota: Quota;
  /** Number of files that an area can have. */
  mostFiles: number;
}

/**
 * Adds complete files to an area, in their order. Those that the upload has already, and those for which there is no quota, are not added.
 * @throws Problem `not_found`, or what `refuse` returns if the area belongs to a submission
 */
export async function addWholeFiles(
  db: Queries,
  { id, refuse }: { id: string; refuse: (submission: string) => Problem },
  files: readonly WholeFile[],
  limits: Limits,
): Promise<Outcome[]> {
  return db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined) throw new Problem("not_found", "The upload was deleted");
    if (area.submission_id !== null) throw refuse(area.submission_id);
    const known = await filesWithPaths(
      trx,
      id,
      files.map(({ path }) => path),
    );
    const outcomes: Outcome[] = files.map((file) => {
      const same = known.get(file.path);
      known.set(file.path, same ?? file);
      if (same === undefined) return "added";
      return isPresent(same, file) ? "present" : { taken: same.no };
    });
    const fresh = files.filter((_, index) => outcomes[index] === "added");
    const refused = await refusedOf(trx, area, fresh, limits);
    await insertAll(
      trx,
      area,
      fresh.filter((file) => !refused.has(file)),
    );
    // A file can be twice among these, first without its digest.
    const stated = files.filter(({ isStated }, index) => isStated && outcomes[index] === "present");
    await stateDigests(
      trx,
      area,
      stated.map(({ path }) => path),
    );
    // Later files with the path of a refused one are refused with the same reason.
    const reasons = new Map([...refused].map(([{ path }, problem]) => [path, problem]));
    return outcomes.map((outcome, index) => {
      const problem = reasons.get(files[index]?.path ?? "");
      return problem === undefined ? outcome : { problem };
    });
  });
}

/** Whether a file of an area is complete and has the bytes of another one. */
export function isPresent(known: Pick<KnownFile, "bytes" | "sha512">, { bytes, sha512 }: WholeFile): boolean {
  // Until it is complete, it has no SHA-512 of its bytes.
  return known.sha512 === sha512 && known.bytes === bytes;
}

type KnownFile = Pick<WholeFile, "no" | "path" | "bytes"> & { sha512: string | null };

async function filesWithPaths(trx: Trx, area: string, paths: readonly string[]): Promise<Map<string, KnownFile>> {
  const rows = await trx
    .selectFrom("upload_file")
    .select(["no", "path", "bytes", "sha512"])
    .where("area_id", "=", area)
    .where(sql<boolean>`path = any(${paths}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

/**
 * Notes that the client has stated the SHA-512 that complete files of an area have, which the caller has locked: they were sent before
 * without it. Without effect for those of which it was stated before.
 */
export async function stateDigests(trx: Trx, { id }: AreaRow, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { numUpdatedRows } = await trx
    .updateTable("upload_file")
    .set((eb) => ({ stated_sha512: eb.ref("sha512") }))
    .where("area_id", "=", id)
    .where(sql<boolean>`path = any(${paths}::text[])`)
    .where("completed_at", "is not", null)
    .where("stated_sha512", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await changeCounters(trx, id, { revision: Number(numUpdatedRows) });
}

/** The files that exceed a limit, with the reason. */
async function refusedOf(
  trx: Trx,
  { owner, files: has }: AreaRow,
  fresh: readonly WholeFile[],
  { quota, mostFiles }: Limits,
): Promise<Map<WholeFile, Problem>> {
  const refused = new Map<WholeFile, Problem>();
  if (fresh.length === 0) return refused;
  const problemOf = await lockQuota(trx, quota, owner);
  const accepted = { objects: 0, bytes: 0 };
  for (const file of fresh) {
    const wanted = { objects: accepted.objects + 1, bytes: accepted.bytes + file.bytes };
    const problem =
      has + wanted.objects > mostFiles
        ? new Problem("upload_too_many_files")
        : problemOf({ submissions: 0, ...wanted });
    if (problem === undefined) Object.assign(accepted, wanted);
    else refused.set(file, problem);
  }
  return refused;
}

/** Adds complete files to an area, which the caller has locked, and which has no files with their paths. */
export async function insertAll(trx: Trx, { id: area_id }: AreaRow, files: readonly WholeFile[]): Promise<void> {
  if (files.length === 0) return;
  const completed_at = new Date();
  const rows = files.map(({ no, path, bytes, sha512, isStated }) => ({
    ...{ area_id, no, path, bytes, received: bytes, writer: null },
    ...{ stated_sha512: isStated ? sha512 : null, sha512, completed_at },
  }));
  await trx.insertInto("upload_file").values(rows).execute();
  const segments = files.flatMap(({ no, name, bytes }) =>
    bytes === 0 ? [] : [{ area_id, no, start_at: 0, bytes, name }],
  );
  if (segments.length > 0) await trx.insertInto("upload_segment").values(segments).execute();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await changeCounters(trx, area_id, { files: files.length, bytes, received: bytes, revision: files.length });
}
