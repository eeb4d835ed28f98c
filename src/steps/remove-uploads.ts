import { areasAmong, markUnneeded } from "../db/uploads/areas.ts";
import { UNUSED_UPLOAD_DAYS } from "../domain/source-access/upload-place.ts";
import { removeArea } from "../uploads/remove-area.ts";
import type { StepContext } from "./context.ts";

const DAY_MS = 86_400_000;

/**
 * Removes upload areas that have expired, or whose submissions have ended for good, and folders of areas that this database does not
 * know and that were unused for as long. May be repeated after any crash. If one cannot be removed, the others still are.
 */
export async function removeUploads({ db, uploads, log }: Pick<StepContext, "db" | "uploads" | "log">): Promise<void> {
  if (uploads === undefined) return;
  const since = new Date(Date.now() - UNUSED_UPLOAD_DAYS * DAY_MS);
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
  await removeUnknown({ db, uploads, log }, since);
}

/** Removes folders whose areas are not in the database: a crash left them, or their submissions were deleted. */
async function removeUnknown(
  { db, uploads, log }: { uploads: NonNullable<StepContext["uploads"]> } & Pick<StepContext, "db" | "log">,
  since: Date,
): Promise<void> {
  const old = (await uploads.areas()).filter(({ changedAt }) => changedAt < since).map(({ id }) => id);
  const known = await areasAmong(db, old);
  for (const upload of old.filter((id) => !known.has(id))) {
    try {
      await uploads.removeArea(upload);
      log.info({ upload }, "an upload was removed that this database does not know");
    } catch (error) {
      log.warn({ upload, err: error }, "an upload cannot be removed; the service will retry");
    }
  }
}
