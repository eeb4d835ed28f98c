import type { Upload } from "../../api/uploads.ts";
import type { Unusable } from "../../compare/chosen-files.ts";
import type { FileState } from "./sending/file-table.ts";
import type { UploadStatus } from "./status.ts";

/** What the last choice had besides files to send, by path. */
export interface Notes extends Unusable {
  /** Other files were chosen before at these paths. */
  replaced: string[];
}

/** The state of an upload at one moment. */
export interface Snapshot {
  status: UploadStatus;
  counts: Readonly<Record<FileState, number>>;
  files: number;
  /** Whether all files that were chosen have arrived, also while that is compared with the upload. */
  isWhole: boolean;
  bytes: number;
  /** Bytes that the service has. */
  arrived: number;
  hasChosen: boolean;
  /** Files that are not chosen, and that were sent without a checksum. */
  unstated: number;
  /** Whether the page still looks up the files that were chosen last. */
  isAdding: boolean;
  /** Bytes a second; undefined if it is not known. */
  rate?: number;
  secondsLeft?: number;
  /** Why the upload was stopped. */
  error: Error | undefined;
  /** The upload as the service described it at first. */
  upload: Upload | undefined;
  notes: Notes;
}

/** Percentage of what has arrived. Less than 100 as long as a file is missing, also a small or empty one. */
export function percentArrived({
  counts,
  files,
  bytes,
  arrived,
}: Pick<Snapshot, "counts" | "files" | "bytes" | "arrived">): number {
  const here = counts.done + counts.extra;
  const percent = bytes === 0 ? (100 * here) / files : (100 * arrived) / bytes;
  return here < files ? Math.min(99, percent) : percent;
}
