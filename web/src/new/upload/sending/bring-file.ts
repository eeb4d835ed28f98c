import { ProblemError } from "@accession/client";
import { isOfOneFile } from "../../../../../packages/rules/src/index.ts";
import { type Hashers, UnreadableFile } from "../../../compare/hashers.ts";
import type { Entry, FileTable, KnownFile } from "./file-table.ts";
import type { Pace } from "./pace.ts";
import { removeFile, sendFile } from "./send-file.ts";

/** A file of the upload of which only the address is known. */
const UNKNOWN: Omit<KnownFile, "url"> = { bytes: -1, sha512: null, isComplete: false, receivedBytes: 0 };

export interface Work {
  files: FileTable;
  hashers: Hashers;
  pace: Pace;
  /** The address of the files of the upload. */
  endpoint: string;
  onChange: () => void;
  signal: AbortSignal;
}

/**
 * Reads a chosen file for its SHA-512, and sends what the upload lacks of it. Another file at its path is replaced.
 *
 * @throws UnreadableFile; HashingUnsupported; ProblemError; the error of the network; the reason of the signal
 */
export async function bringFile(entry: Entry, work: Work): Promise<void> {
  const { files, onChange, signal } = work;
  const { path, file } = entry;
  if (file === undefined) return;
  if (entry.sha512 === undefined) files.identify(entry, await digestOf(entry, file, work));
  const { sha512 = "", known } = entry;
  const isSame = known?.sha512 === sha512 && known.bytes === file.size;
  if (isSame && known.isComplete) return;
  if (known !== undefined && !isSame) {
    files.arrive(entry, 0);
    entry.known = { ...UNKNOWN, url: known.url };
    // Without an address, the service refuses the new file and states it.
    if (known.url !== undefined) await removeFile(known.url);
    signal.throwIfAborted();
    entry.known = undefined;
  }
  files.move(entry, "sending");
  await sendFile({
    endpoint: work.endpoint,
    url: entry.known?.url,
    path,
    file,
    sha512,
    onUrl: (url) => {
      entry.known = { bytes: file.size, sha512, isComplete: false, receivedBytes: 0, url };
    },
    onProgress: (bytes) => {
      if (signal.aborted) return;
      work.pace.send(bytes - entry.arrived);
      files.arrive(entry, bytes);
      onChange();
    },
    signal,
  });
  signal.throwIfAborted();
  files.arrive(entry, file.size);
  if (entry.known !== undefined) entry.known.isComplete = true;
}

async function digestOf(entry: Entry, file: File, { files, hashers, pace, onChange, signal }: Work): Promise<string> {
  const onBytes = (bytes: number) => {
    if (signal.aborted) return;
    files.read(entry, bytes);
    pace.read(bytes);
    onChange();
  };
  const sha512 = await hashers.hash(file, onBytes, signal);
  // Another file can be chosen meanwhile.
  signal.throwIfAborted();
  return sha512;
}

/** Whether an error is about one file, and others can be sent. */
export function isOfFile(error: Error): boolean {
  return error instanceof UnreadableFile || (error instanceof ProblemError && isOfOneFile(error.problem));
}

/**
 * Whether the upload had a file that the page did not know: of another program, or of a request that was interrupted. The next
 * attempt replaces it.
 */
export function isTakenPath(entry: Entry, error: Error): boolean {
  const { file: url } = (error instanceof ProblemError ? error.problem : {}) as { file?: string };
  if (url === undefined || entry.known?.url === url) return false;
  entry.known = { ...UNKNOWN, url };
  return true;
}
