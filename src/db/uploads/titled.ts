import { sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { SealedAddress } from "../../domain/sealed-address.ts";
import type { Queries } from "../database.ts";
import { checkQuota, type Quota } from "../submissions/quota.ts";
import type { Trx } from "../submissions/submissions.ts";
import { type AreaRow, insertAreaIn, lockArea } from "./areas.ts";
import { insertAll, type WholeFile } from "./batch.ts";
import { changeCounters, deleteFile, fileWithPath } from "./files.ts";

/** Uploads whose files are sent one by one under a title, which each request states with the metadata (see migration 0052). */

/** Code of a file whose request broke off, of which only the name is known. */
const INTERRUPTED = "interrupted";

/** Refused files that are remembered of an upload. Any of them prevents its submission. */
const MOST_REFUSALS = 1_000;

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
 * Adds a complete file to a titled upload, or replaces the one with its path.
 * @throws Problem `quota_exceeded`, `upload_too_many_files`
 */
export async function putWholeFile(
  db: Queries,
  id: string,
  file: WholeFile,
  { metadata, quota, mostFiles }: { metadata: SentMetadata; quota: Quota; mostFiles: number },
): Promise<Outcome> {
  return db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined || area.submission_id !== null) return { outcome: "closed", replaced: [] };
    const known = await fileWithPath(trx, id, file.path);
    const isSame = known?.completed_at != null && known.sha512 === file.sha512;
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
    await forgetReported(trx, id);
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    await trx
      .deleteFrom("upload_refusal")
      .where("area_id", "=", id)
      .where((eb) => eb.or([eb("path", "=", file.path), eb.and({ path: name, code: INTERRUPTED })]))
      .execute();
    return { outcome: isSame ? "present" : "added", replaced };
  });
}

/** Refusals of which the owner was told end when files are sent again: the others may have been left out deliberately. */
async function forgetReported(trx: Trx, id: string): Promise<void> {
  await trx
    .deleteFrom("upload_refusal")
    .where((eb) => eb.and({ area_id: id, is_reported: true }))
    .execute();
}

/**
 * Remembers that a file was refused, until it arrives, or the owner was told and sends files again. The first metadata become those of the
 * upload.
 */
export async function noteRefusal(
  db: Queries,
  id: string,
  { path, code, metadata }: { path: string; code: string; metadata: SentMetadata | undefined },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, id)) === undefined) return;
    await forgetReported(trx, id);
    await sql`insert into upload_refusal (area_id, path, code) select ${id}, ${path}, ${code}
      where (select count(*) from upload_refusal where area_id = ${id}) < ${MOST_REFUSALS}
      on conflict (area_id, path) do update set code = excluded.code`.execute(trx);
    if (metadata === undefined) return;
    await trx
      .updateTable("titled_upload")
      .set({ metadata: metadata.text })
      .where("area_id", "=", id)
      .where("metadata", "is", null)
      .execute();
  });
}

/**
 * Remembers in the same way the name of a file whose request broke off before its title and path had arrived. It ends when any file with
 * this name arrives.
 */
export async function noteInterruption(db: Queries, id: string, name: string): Promise<void> {
  await noteRefusal(db, id, { path: name, code: INTERRUPTED, metadata: undefined });
}

/** The files of an upload that were refused and have not arrived since: some of them, and their number. Notes that the owner is told. */
export async function reportRefusals(
  db: Queries,
  id: string,
  limit: number,
): Promise<{ count: number; some: { path: string; code: string }[] }> {
  const rows = await db
    .updateTable("upload_refusal")
    .set({ is_reported: true })
    .where("area_id", "=", id)
    .returning(["path", "code"])
    .execute();
  return { count: rows.length, some: rows.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, limit) };
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
