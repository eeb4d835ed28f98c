import { ProblemError } from "@accession/client";
import { UPLOAD_RETRY_DELAYS_MS } from "../../../../../packages/rules/src/index.ts";
import { UnreadableFile } from "../../../compare/hashers.ts";
import { isPassing, requireReadable } from "./answers.ts";
import type { Work } from "./bring-file.ts";
import type { Entry } from "./file-table.ts";
import { type BatchLine, postBatch, type SmallFile } from "./post-batch.ts";

interface BatchWork extends Omit<Work, "endpoint"> {
  /** The address for batches of the upload. */
  address: string;
  /** The files of the batch that are still wanted. Those whose end is told are removed. */
  entries: ReadonlySet<Entry>;
  /** Called once for each file: without an error if the service has it and has compared it with its SHA-512. */
  onEnd(entry: Entry, error?: Error): void;
}

/**
 * Reads small files that the upload does not have, and sends them together. After an interruption, those are sent again that the service
 * has not acknowledged.
 *
 * @throws HashingUnsupported; ProblemError, UnexpectedAnswerError or the error of the network if no more attempts are made; the reason of
 * the signal
 */
export async function bringBatch(work: BatchWork): Promise<void> {
  const { entries, signal } = work;
  const contents = await contentsOf(work);
  for (const entry of contents.keys()) work.files.move(entry, "sending");
  work.onChange();
  for (let attempt = 0; entries.size > 0; attempt++) {
    const before = entries.size;
    const waiting = [...contents].filter(([entry]) => entries.has(entry));
    const failure = await attemptOnce(waiting, work);
    signal.throwIfAborted();
    if (entries.size === 0) return;
    if (entries.size < before) attempt = 0;
    const delay = UPLOAD_RETRY_DELAYS_MS[attempt];
    if (delay === undefined || !isPassing(failure)) throw failure;
    await pause(delay, signal);
  }
}

/** Reads the files. Those that cannot be read have ended. */
async function contentsOf({ entries, files, hashers, pace, onEnd, signal }: BatchWork): Promise<Map<Entry, SmallFile>> {
  const read = [...entries];
  const answers = await hashers.read(
    read.map(({ file }) => file ?? new Blob()),
    signal,
  );
  signal.throwIfAborted();
  const contents = new Map<Entry, SmallFile>();
  for (const [index, entry] of read.entries()) {
    const answer = answers[index];
    if (!entries.has(entry)) continue;
    if (answer === undefined) onEnd(entry, new UnreadableFile());
    else {
      pace.read(answer.content.byteLength);
      files.identify(entry, answer.sha512);
      contents.set(entry, { path: entry.path, ...answer });
    }
  }
  return contents;
}

/** @returns why some of the files have not ended */
async function attemptOnce(waiting: readonly [Entry, SmallFile][], work: BatchWork): Promise<Error> {
  const { address, entries, files, onChange, onEnd, pace, signal } = work;
  const byPath = new Map(waiting.map(([entry]) => [entry.path, entry]));
  let failure: Error | undefined;
  const checks: Promise<void>[] = [];
  const onLine = ({ path, problem }: BatchLine) => {
    const error = problem === undefined ? undefined : new ProblemError(problem);
    const entry = byPath.get(path ?? "");
    if (entry === undefined || (error !== undefined && isPassing(error))) {
      failure = error ?? failure;
      return;
    }
    byPath.delete(entry.path);
    checks.push(end(entry, error));
  };
  const end = async (entry: Entry, error: Error | undefined) => {
    const reason = error ?? (entry.file && (await requireReadable(entry.file).catch((changed: Error) => changed)));
    if (signal.aborted || !entries.has(entry)) return;
    if (error === undefined) {
      files.arrive(entry, entry.bytes);
      const { bytes, sha512 = null } = entry;
      entry.known = { bytes, sha512, isComplete: true, receivedBytes: bytes, url: undefined };
    }
    onEnd(entry, reason ?? undefined);
    onChange();
  };
  const onSent = progressOf(waiting, (entry, bytes) => {
    if (signal.aborted || !entries.has(entry) || entry.state !== "sending") return;
    pace.send(bytes - entry.arrived);
    files.arrive(entry, bytes);
    onChange();
  });
  try {
    await postBatch(
      address,
      waiting.map(([, file]) => file),
      { onSent, onLine, signal },
    );
  } catch (error) {
    failure = error as Error;
  }
  await Promise.all(checks);
  // What was sent and not acknowledged is sent again.
  if (!signal.aborted) for (const [entry] of waiting) if (entries.has(entry)) files.arrive(entry, 0);
  return failure ?? new Error("The service has not acknowledged all files");
}

/** Divides the bytes that were sent among the files, which are sent one after the other. */
function progressOf(waiting: readonly [Entry, SmallFile][], onBytes: (entry: Entry, bytes: number) => void) {
  let next = 0;
  let before = 0;
  return (sent: number) => {
    for (let file = waiting[next]; file !== undefined; file = waiting[next]) {
      const [entry, { content }] = file;
      const bytes = Math.min(content.byteLength, sent - before);
      onBytes(entry, bytes);
      if (bytes < content.byteLength) return;
      before += bytes;
      next += 1;
    }
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  signal.addEventListener("abort", stop, { once: true });
  await promise.finally(() => signal.removeEventListener("abort", stop));
}
