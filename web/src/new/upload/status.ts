import type { FormError } from "../../metadata-form/errors/form-errors.ts";
import type { FileTable } from "./sending/file-table.ts";

/**
 * The state of the upload of a form.
 * - `none`: there is none yet.
 * - `opening`: the page reads what it has. `empty`: it has no files.
 * - `sending`, `paused`: files are waiting or being sent.
 * - `checking`: all was sent, and the page compares that with what the upload has.
 * - `stopped`: an error prevents all of it. `incomplete`: some files could not be sent.
 * - `unchosen`: the folder must be chosen again, because the page does not know whether all of its files were sent.
 * - `ready`: it can be submitted. `gone`: it was deleted, has expired or was submitted.
 */
export type UploadStatus =
  | "none"
  | "opening"
  | "empty"
  | "sending"
  | "paused"
  | "checking"
  | "stopped"
  | "incomplete"
  | "unchosen"
  | "ready"
  | "gone";

const missing = (word: NonNullable<FormError["word"]>): FormError => ({ pointer: "/upload", kind: "missing", word });
const wrong = (word: NonNullable<FormError["word"]>): FormError => ({ ...missing(word), kind: "wrong" });

/** Why an upload in a state cannot be submitted yet. */
export const UPLOAD_ERRORS: Record<UploadStatus, FormError | undefined> = {
  none: missing("uploadEmpty"),
  opening: missing("uploadUnfinished"),
  empty: missing("uploadEmpty"),
  sending: missing("uploadUnfinished"),
  paused: missing("uploadUnfinished"),
  checking: missing("uploadUnfinished"),
  stopped: wrong("uploadStopped"),
  incomplete: wrong("uploadIncomplete"),
  unchosen: missing("uploadUnchosen"),
  ready: undefined,
  gone: wrong("uploadGone"),
};

/**
 * The state of an upload when nothing is left to send.
 * @param isWhole whether the upload, as it was opened, had all files that were once chosen for it
 */
export function sentStatus(files: FileTable, isWhole: boolean): "empty" | "unchosen" | "incomplete" | "ready" {
  const { failed, partial, extra } = files.counts();
  if (files.size === 0) return "empty";
  // The service does not know the files of a folder of which nothing was sent, so that other files of it prove nothing.
  if (!files.hasChosen && partial > 0) return "unchosen";
  if ((!files.hasChosen || extra > 0) && !isWhole) return "unchosen";
  return failed + partial > 0 ? "incomplete" : "ready";
}
