import { type components, ProblemError, UnexpectedAnswerError } from "../../../packages/client/src/index.ts";
import { isOfOneFile } from "../../../packages/rules/src/index.ts";
import { forEachConcurrently } from "../../archive/for-each-concurrently.ts";
import type { Client } from "../client/client.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { FilesProgress } from "../terminal/files-progress.ts";
import { count, several, size } from "../terminal/numbers.ts";
import type { Output } from "../terminal/output.ts";
import { FAILED, NEXT, show, styled, WARNING } from "../terminal/text.ts";
import { BatchSender, inBatches } from "./batch-sender.ts";
import type { LocalFile, LocalFiles } from "./local-files.ts";
import { ChangedFile } from "./read-file.ts";
import { BrokenAnswer } from "./retries.ts";
import { type KnownFile, Sender } from "./sender.ts";

export type Upload = components["schemas"]["Upload"];

/** A folder, and the upload to which its files are sent. */
export interface Sending {
  folder: string;
  local: LocalFiles;
  upload: Upload;
  /** The files that the upload has, by path. */
  known: Map<string, KnownFile>;
}

/** Files, or batches of small files, that are sent at the same time. The service accepts 16 of a user. */
const AT_ONCE = 8;
/** A wait of this many milliseconds before another attempt follows several failed ones, and the user is told of it. */
const OUTAGE_MS = 4_000;
/** The attempts after which the command gives up take about as long. Whether bytes have arrived is not known before that. */
const WARNED_FOR_MS = 120_000;
/** Files that could not be sent, named in the output. `--json` has all. */
const SHOWN = 100;

/**
 * Sends what the upload lacks, so that it has the files of the folder and no others.
 *
 * @returns the SHA-512 of each file, by path
 * @throws Failure if a file could not be sent; all others were. The reason of the signal if it is aborted
 */
export async function sendFolder(
  { client, output }: { client: Client; output: Output },
  { folder, local, upload, known }: Sending,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const sender = new Sender(client, { folder, files: upload.files });
  const had = arrivedBefore(local, known);
  const progress = new FilesProgress(output, "Uploading", { files: local.files.length, bytes: local.bytes }, had);
  const paths = new Set(local.files.map(({ path }) => path));
  const failed: { reason: string; isChanged: boolean }[] = [];
  const digests = new Map<string, string>();
  let sent = 0;
  const succeeded = ({ path, bytes }: LocalFile, { sha512, isNew }: { sha512: string; isNew: boolean }) => {
    if (isNew) sent += 1;
    digests.set(path, sha512);
    output.data({ path, bytes, result: isNew ? "sent" : "present" });
    progress.addFile();
  };
  let warnedAt = Number.NEGATIVE_INFINITY;
  const onRetry = (delay: number, error: unknown) => {
    if (delay < OUTAGE_MS || performance.now() - warnedAt < WARNED_FOR_MS) return;
    warnedAt = performance.now();
    output.note(show`${WARNING} ${client.failureOf(error).lines[0] ?? ""}`);
    output.note(show`  Trying again for 2 minutes`);
  };
  const retries = { signal, onRetry };
  /** @throws the error, if it is not about this file alone */
  const didNot = ({ path, bytes }: LocalFile, error: unknown) => {
    const reason = signal.aborted ? undefined : reasonOfFile(error);
    if (reason === undefined) throw error;
    failed.push({ reason, isChanged: error instanceof ChangedFile });
    output.data({ path, bytes, result: "failed", reason });
    if (failed.length <= SHOWN) output.say(show`${FAILED} ${path} (${reason})`, { hang: 2 });
    progress.addFile();
  };
  const sendOne = async (file: LocalFile) => {
    const had = bytesBefore(file, known);
    let arrived = 0;
    const onProgress = (bytes: number) => {
      progress.addBytes(bytes - arrived, Math.min(bytes, had) - Math.min(arrived, had));
      arrived = bytes;
    };
    try {
      succeeded(file, await sender.send(file, known.get(file.path), { onProgress, ...retries }));
    } catch (error) {
      didNot(file, error);
    }
    onProgress(file.bytes);
  };
  const sendBatch = (files: LocalFile[], batch: string) =>
    new BatchSender(client, { folder, batch }).send(files, {
      ...retries,
      done: (file, outcome) => {
        progress.addBytes(file.bytes);
        if ("sha512" in outcome) succeeded(file, { ...outcome, isNew: true });
        else didNot(file, outcome.error);
      },
    });
  // Earlier releases of the service accept no batches.
  const address: string | undefined = upload.batch;
  const { singles, batches } = inBatches(local.files, ({ path }) => address !== undefined && !known.has(path));
  const sendKnown = (isKnown: boolean) =>
    singles.filter(({ path }) => known.has(path) === isKnown).map((file) => () => sendOne(file));
  // First, what has arrived is checked: otherwise the rate would be too low while this lasts.
  const work = [...sendKnown(true), ...batches.map((files) => () => sendBatch(files, address)), ...sendKnown(false)];
  try {
    for (const file of known.values()) if (!paths.has(file.path)) await sender.remove(file, retries);
    await forEachConcurrently(work, AT_ONCE, async (send) => {
      signal.throwIfAborted();
      await send();
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ProblemError || error instanceof UnexpectedAnswerError || isOfNetwork(error)
      ? client.failureOf(error)
      : error;
  } finally {
    output.live(undefined);
  }
  if (failed.length > 0) throw incomplete(failed, local, upload);
  const present = local.files.length - sent;
  const before = present === 0 ? "" : `, ${count(present)} of which had arrived before`;
  const began = had.beginnings > 0 ? `, and ${size(had.beginnings)} of others` : "";
  output.say(
    show`${styled("green", "✓")} ${several(local.files.length, "file")}${before}${began}: the service compared each with its SHA-512`,
  );
  return digests;
}

/** What an upload has that is continued. `beginnings` are the bytes of files that are not complete. */
function arrivedBefore({ files }: LocalFiles, known: Sending["known"]) {
  const had = { files: 0, bytes: 0, beginnings: 0 };
  for (const file of files) {
    const bytes = bytesBefore(file, known);
    const isComplete = known.get(file.path)?.completedAt != null && bytes === file.bytes;
    had.files += isComplete ? 1 : 0;
    had.bytes += bytes;
    had.beginnings += isComplete ? 0 : bytes;
  }
  return had;
}

/** The bytes that the upload has of a file, if it is the same one. */
function bytesBefore({ path, bytes }: LocalFile, known: Sending["known"]): number {
  const before = known.get(path);
  return before?.bytes === bytes ? before.receivedBytes : 0;
}

/** Why one file cannot be sent; undefined if the others cannot be sent either. */
function reasonOfFile(error: unknown): string | undefined {
  if (error instanceof ChangedFile) return "it was changed while it was read";
  if (error instanceof ProblemError && isOfOneFile(error.problem)) return error.problem.detail;
  return isOfFiles(error) ? reasonOf(error) : undefined;
}

/** Whether it is an error of the local file system. Those of networks name no path. */
function isOfFiles(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).path === "string";
}

/** Whether it is an error of the connection, or an answer that is not one of the service. */
function isOfNetwork(error: unknown): boolean {
  if (error instanceof BrokenAnswer || error instanceof SyntaxError) return true;
  const { name, code, cause } = error as NodeJS.ErrnoException;
  // `fetch` names the reason as the cause.
  return (
    !isOfFiles(error) &&
    (typeof code === "string" || name === "TimeoutError" || (name === "TypeError" && cause !== undefined))
  );
}

function incomplete(failed: readonly { isChanged: boolean }[], { files }: LocalFiles, { id }: Upload): Failure {
  const isOnlyChanged = failed.every(({ isChanged }) => isChanged);
  const first = isOnlyChanged ? "Wait until no program writes to these files" : "Correct or remove these files";
  return new Failure(1, [
    show`${FAILED} ${count(failed.length)} of ${several(files.length, "file")} could not be sent. Nothing was submitted.`,
    show`  ${NEXT} ${first}, and run the same command again with --upload ${id}: it sends only what is missing.`,
  ]);
}
