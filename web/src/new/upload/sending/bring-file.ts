import { ProblemError } from "@accession/client";
import { isOfOneFile } from "../../../../../packages/rules/src/index.ts";
import { type Hashers, UnreadableFile } from "../../../compare/hashers.ts";
import type { Entry, FileTable, KnownFile } from "./file-table.ts";
import type { Pace } from "./pace.ts";
import { createFile, removeFile, sendFile } from "./send-file.ts";

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
  const isUnstated = known?.sha512 === null;
  const isSame =
    known?.bytes === file.size && (known.sha512 === sha512 || (isUnstated && (await isSameWithoutDigest(entry, work))));
  signal.throwIfAborted();
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
      const stated = isSame && isUnstated ? null : sha512;
      entry.known = { bytes: file.size, sha512: stated, isComplete: false, receivedBytes: 0, url };
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
  // The rest of a file without a digest has arrived. Now it is stated.
  if (isSame && isUnstated) await bringFile(entry, work);
}

/**
 * Whether the upload has this file, or its beginning, without a stated digest: the command states it when all has arrived. The digest of
 * a whole file is stated. That of a beginning cannot be compared, but its time.
 */
async function isSameWithoutDigest({ path, file, sha512 = "", known }: Entry, { endpoint }: Work): Promise<boolean> {
  if (file === undefined || known === undefined) return false;
  const stated = known.isComplete ? { sha512 } : { lastModified: String(file.lastModified) };
  return createFile(endpoint, file.size, { path, ...stated });
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
