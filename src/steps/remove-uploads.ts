import { areasAmong, markUnneeded, noteUnknown } from "../db/uploads/areas.ts";
import { forgetMissing } from "../db/uploads/arrivals.ts";
import { expiringSince, UNUSED_UPLOAD_DAYS } from "../domain/source-access/upload-expiry.ts";
import { removeArea } from "../uploads/remove-area.ts";
import { removeOrphans } from "../uploads/remove-orphans.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import type { StepContext } from "./context.ts";

const DAY_MS = 86_400_000;
/** How long an area is searched for files that nothing needs, after a day without changes. The search of a large one takes seconds. */
const SWEEP_MS = 10_800_000;

/**
 * Removes upload areas that have expired, or whose submissions have ended for good; folders of areas that this database has not known for as
 * long; and files in areas that a crash has left. May be repeated after any crash. If one cannot be removed, the others still are.
 */
export async function removeUploads({ db, uploads, log }: Pick<StepContext, "db" | "uploads" | "log">): Promise<void> {
  if (uploads === undefined) return;
  const since = expiringSince(new Date());
  for (const { id: upload, owner, submission_id: submission, files, received } of await markUnneeded(db, since)) {
    const about = { upload, owner, files, bytes: received, ...(submission !== null && { submission }) };
    const why =
      submission === null
        ? `it was unused for ${UNUSED_UPLOAD_DAYS} days, or its owner deleted it`
        : "its submission ended";
    try {
      await removeArea({ db, uploads }, upload);
      log.info(about, `an upload was removed: ${why}`);
    } catch (error) {
      log.warn({ ...about, err: error }, "an upload cannot be removed; the service will retry");
    }
  }
  await forgetMissing(db);
  const found = await uploads.areas();
  const known = await areasAmong(
    db,
    found.map(({ id }) => id),
  );
  const dayAgo = new Date(Date.now() - DAY_MS);
  const quiet = found.filter(({ changedAt }) => changedAt < dayAgo);
  const unknown = quiet.filter(({ id }) => !known.has(id));
  await removeUnknown({ db, uploads, log }, { ids: unknown.map(({ id }) => id), since: since.used });
  const sweepSince = new Date(dayAgo.getTime() - SWEEP_MS);
  for (const area of quiet) {
    if (!known.has(area.id) || area.changedAt < sweepSince) continue;
    const upload = area.id;
    try {
      const files = await removeOrphans({ db, uploads }, area, dayAgo);
      if (files > 0) log.info({ upload, files }, "files that nothing needs were removed from an upload");
    } catch (error) {
      log.warn({ upload, err: error }, "files of an upload cannot be removed; the service will retry");
    }
  }
}

/**
 * Removes folders whose areas are not in the database: a crash left them, or their submissions were deleted. After the restoration of an
 * earlier database, or without one, it may also not know accepted files, so that the time begins when it first sees the folder.
 */
async function removeUnknown(
  { db, uploads, log }: { uploads: UploadFolder } & Pick<StepContext, "db" | "log">,
  { ids, since }: { ids: string[]; since: Date },
): Promise<void> {
  const { first, old } = await noteUnknown(db, ids, since);
  for (const upload of first) {
    log.warn(
      { upload },
      `this database does not know an upload whose folder exists; it will be removed in ${UNUSED_UPLOAD_DAYS} days. If the database was restored or lost, copy the folder before`,
    );
  }
  for (const upload of old) {
    try {
      await uploads.removeArea(upload);
      log.info({ upload }, "an upload was removed that this database does not know");
    } catch (error) {
      log.warn({ upload, err: error }, "an upload cannot be removed; the service will retry");
    }
  }
}
