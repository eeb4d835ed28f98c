import { sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { SealedAddress } from "../../domain/sealed-address.ts";
import type { Queries } from "../database.ts";
import { checkQuota, type Quota } from "../submissions/quota.ts";
import type { Trx } from "../submissions/submissions.ts";
import { type AreaRow, insertAreaIn, lockArea } from "./areas.ts";
import { endArrival } from "./arrivals.ts";
import { insertAll, isPresent, type WholeFile } from "./batch.ts";
import { changeCounters, deleteFile, fileWithPath } from "./files.ts";

/** Uploads whose files are sent one by one under a title, which each request states with the metadata (see migration 0052). */

/** An upload with its title. */
export interface TitledUpload {
  area: AreaRow;
  /** Of the request that was recorded last; as JSON, as it was sent. */
  metadata: string;
}

/** A new area. */
interface NewArea {
  id: string;
  /** Number of areas that an owner may have which were not submitted. */
  most: number;
  sealed: SealedAddress | undefined;
}

/**
 * The open upload of an owner with a title, or any of them for files of which the title is not known yet.
 * @param title undefined if it is not known yet
 * @param fresh the area that is added if there is none, whose folder exists
 * @returns undefined without `fresh` if there is none
 * @throws Problem `too_many_uploads`
 */
export async function openTitled(
  db: Queries,
  { owner, title, fresh }: { owner: string; title: string | undefined; fresh: NewArea | undefined },
): Promise<AreaRow | undefined> {
  // Without the lock, because nearly all requests find one.
  const known = await findOpen(db, owner, title);
  if (known !== undefined) return known;
  return db.transaction().execute(async (trx) => {
    await lockTitles(trx, owner);
    const found = await findOpen(trx, owner, title);
    if (found !== undefined) return found;
    if (title !== undefined) {
      const untitled = await openOf(trx, owner).where("title", "is", null).executeTakeFirst();
      if (untitled !== undefined || fresh !== undefined) await forget(trx, owner, title);
      if (untitled !== undefined) {
        await trx.updateTable("titled_upload").set({ title }).where("area_id", "=", untitled.id).execute();
        return untitled;
      }
    }
    if (fresh === undefined) return undefined;
    const area = await insertAreaIn(trx, { ...fresh, owner });
    if (area === undefined) {
      throw new Problem("too_many_uploads", `You have ${fresh.most} uploads that were not submitted`);
    }
    await trx
      .insertInto("titled_upload")
      .values({ area_id: area.id, owner, title: title ?? null })
      .execute();
    return area;
  });
}

/** The open upload with a title, or the newest one. */
async function findOpen(db: Queries, owner: string, title: string | undefined): Promise<AreaRow | undefined> {
  const open = openOf(db, owner);
  const wanted = title === undefined ? open.orderBy("created_at", "desc") : open.where("title", "=", title);
  return wanted.limit(1).executeTakeFirst();
}

function openOf(db: Queries, owner: string) {
  return db
    .selectFrom("upload_area")
    .innerJoin("titled_upload", "titled_upload.area_id", "upload_area.id")
    .selectAll("upload_area")
    .where("titled_upload.owner", "=", owner)
    .where("submission_id", "is", null)
    .where("removed_at", "is", null);
}

/** An earlier upload with this title, which was submitted or removed, is no longer the one of the title. */
async function forget(trx: Trx, owner: string, title: string): Promise<void> {
  await trx
    .deleteFrom("titled_upload")
    .where((eb) => eb.and({ owner, title }))
    .execute();
}

/** Before the lock of an area. */
async function lockTitles(trx: Trx, owner: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 5))`.execute(trx);
}

/** The upload of an owner with a title, also if it was submitted; undefined if no file of it was recorded, or it was removed. */
export async function titledUpload(db: Queries, owner: string, title: string): Promise<TitledUpload | undefined> {
  const row = await db
    .selectFrom("upload_area")
    .innerJoin("titled_upload", "titled_upload.area_id", "upload_area.id")
    .selectAll("upload_area")
    .select("titled_upload.metadata")
    .where((eb) => eb.and({ "titled_upload.owner": owner, title }))
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || row.metadata === null) return undefined;
  const { metadata, ...area } = row;
  return { area, metadata };
}

/** The number of files in the open titled uploads of an owner, and the bytes of the largest upload, which no file exceeds. Reads no files. */
export async function titledSums(db: Queries, owner: string): Promise<{ files: number; largestBytes: number }> {
  const { files, bytes } = await db
    .selectFrom("upload_area")
    .innerJoin("titled_upload", "titled_upload.area_id", "upload_area.id")
    .select(({ fn }) => [fn.sum("files").as("files"), fn.max("bytes").as("bytes")])
    .where("titled_upload.owner", "=", owner)
    .where("submission_id", "is", null)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return { files: Number(files ?? 0), largestBytes: Number(bytes ?? 0) };
}

/**
 * Bytes of the largest file with this name in any folder of the open titled uploads of an owner: a file whose title and folder are not
 * known yet replaces at most this one. Reads all their files.
 * @returns undefined if there is none
 */
export async function largestTitledNamed(db: Queries, owner: string, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ bytes: string | null }>`select max(upload_file.bytes) as bytes
    from titled_upload
      join upload_area on upload_area.id = titled_upload.area_id
      join upload_file on upload_file.area_id = titled_upload.area_id
    where titled_upload.owner = ${owner} and submission_id is null and removed_at is null
      and right('/' || path, length(${name}::text) + 1) = '/' || ${name}::text`.execute(db);
  const bytes = rows[0]?.bytes ?? null;
  return bytes === null ? undefined : Number(bytes);
}

/** The metadata with which a file was sent. */
export interface SentMetadata {
  /** As JSON. */
  text: string;
  digest: string;
}

/** What became of a file. `closed`: files can no longer be added to the area. */
interface Outcome {
  outcome: "added" | "present" | "closed";
  /** Segments of the earlier file with its path. */
  replaced: string[];
}

/**
 * Adds a complete file to a titled upload, or replaces the one with its path, and ends its arrival (see `arrivals.ts`).
 * @throws Problem `quota_exceeded`, `upload_too_many_files`
 */
export async function putWholeFile(
  db: Queries,
  id: string,
  file: WholeFile,
  { arrival, metadata, quota, mostFiles }: { arrival: string; metadata: SentMetadata; quota: Quota; mostFiles: number },
): Promise<Outcome> {
  return db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined || area.submission_id !== null) return { outcome: "closed", replaced: [] };
    const known = await fileWithPath(trx, id, file.path);
    const isSame = known !== undefined && isPresent(known, file);
    let replaced: string[] = [];
    if (!isSame) {
      if (known !== undefined) {
        const segments = await deleteFile(trx, { area: id, no: known.no });
        replaced = (segments ?? []).map(({ name }) => name);
      } else if (area.files >= mostFiles) throw new Problem("upload_too_many_files");
      await checkQuota(trx, quota, area.owner, { submissions: 0, objects: 1, bytes: file.bytes });
      await insertAll(trx, area, [file]);
    }
    // The upload is used, and its description may change.
    if (isSame) await changeCounters(trx, id, { revision: known.metadata_digest === metadata.digest ? 0 : 1 });
    await trx
      .updateTable("upload_file")
      .set({ metadata_digest: metadata.digest })
      .where((eb) => eb.and({ area_id: id, path: file.path }))
      .execute();
    await trx
      .updateTable("titled_upload")
      .set({ metadata: metadata.text })
      .where("area_id", "=", id)
      .where("metadata", "is distinct from", metadata.text)
      .execute();
    await endArrival(trx, arrival);
    return { outcome: isSame ? "present" : "added", replaced };
  });
}

/** Some of the files of an upload that were sent with other metadata than these. */
export async function filesWithOtherMetadata(
  db: Queries,
  id: string,
  { digest, limit }: { digest: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("upload_file")
    .select("path")
    .where("area_id", "=", id)
    .where("metadata_digest", "!=", digest)
    .orderBy("path")
    .limit(limit)
    .execute();
  return rows.map(({ path }) => path);
}
