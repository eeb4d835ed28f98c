import { setTimeout as sleep } from "node:timers/promises";
import { areArriving, type MissingFile, takeMissing } from "../../db/uploads/arrivals.ts";
import { filesWithOtherMetadata, titledUpload } from "../../db/uploads/titled.ts";
import { inMessage } from "../../domain/in-message.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { MOST_OPEN } from "../../uploads/file-names.ts";
import { digestOf } from "../../uploads/titled/sent-metadata.ts";
import type { IntakeContext } from "../context.ts";
import { readUpload, type Upload } from "../request.ts";

const MOST_NAMED = 5;
/** How long a request to submit waits for files that are arriving. */
const ARRIVING_MS = 20_000;
const LOOK_MS = 200;
const RETRY_SECONDS = 5;

/**
 * The request to submit the files that an owner has sent one by one under a title, or the submission that reads them already.
 *
 * @throws Problem `uploads_off`, `not_found`; `upload_arriving` while files of the owner are arriving; `upload_incomplete` once, if files of the owner
 * have not arrived since the last such answer, or `too_many_uploads` if that is the reason of all; `upload_metadata_differ`; as {@link readUpload}
 */
export async function readTitledUpload(
  { db, uploads, fieldGroups }: IntakeContext,
  owner: string,
  title: string,
  signal: AbortSignal,
): Promise<{ upload: Upload } | { submission: string }> {
  if (uploads === undefined) throw new Problem("uploads_off");
  // Before the upload is read: files that arrive afterwards change its revision.
  await requireArrived(db, owner, signal);
  const found = await titledUpload(db, owner, title);
  if (found === undefined) {
    const detail =
      "No files with this title have arrived, or they were submitted before and are in your list of submissions";
    throw new Problem("not_found", detail);
  }
  const { area, metadata } = found;
  if (area.submission_id !== null) return { submission: area.submission_id };
  const others = await filesWithOtherMetadata(db, area.id, { digest: digestOf(metadata), limit: MOST_NAMED + 1 });
  if (others.length > 0) {
    const names = others.slice(0, MOST_NAMED).map((path) => `“${inMessage(path)}”`);
    throw new Problem("upload_metadata_differ", `Sent with other metadata: ${named(names, others.length)}`);
  }
  // Files that arrive after these checks prevent the submission.
  const source = { id: area.id, revision: area.revision };
  return { upload: readUpload({ metadata: JSON.parse(metadata), upload: source }, fieldGroups, true) };
}

/** Waits for the files of an owner, which may belong to any title until they have arrived. @throws Problem */
async function requireArrived(db: IntakeContext["db"], owner: string, signal: AbortSignal): Promise<void> {
  const until = Date.now() + ARRIVING_MS;
  while (await areArriving(db, owner)) {
    if (Date.now() > until) throw new Problem("upload_arriving", undefined, { retryAfter: RETRY_SECONDS });
    await sleep(LOOK_MS, undefined, { signal });
  }
  const missing = await takeMissing(db, owner);
  if (missing.length === 0) return;
  const names = missing.slice(0, MOST_NAMED).map(nameOf);
  const which = `${several(missing.length, "file")} did not arrive completely: ${named(names, missing.length)}`;
  // The client shows no errors, so that this is the first answer that its user can see.
  if (missing.every(({ code }) => code === "too_many_uploads")) {
    throw new Problem("too_many_uploads", `${which}, because you have ${MOST_OPEN} uploads that were not submitted`);
  }
  throw new Problem("upload_incomplete", `${which}. Send the files of the dataset again, then submit it`);
}

function nameOf({ name, code }: MissingFile): string {
  return name === null ? `a file without a known name (${code})` : `“${inMessage(name)}” (${code})`;
}

function named(names: readonly string[], count: number): string {
  return names.join(", ") + (count > names.length ? " and others" : "");
}
