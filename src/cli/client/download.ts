import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Failure, INTERRUPTED, reasonOf } from "../terminal/failure.ts";
import { size } from "../terminal/numbers.ts";
import type { Output } from "../terminal/output.ts";
import { OK, show } from "../terminal/text.ts";
import type { Client, LongWait } from "./client.ts";

/** Value of `--output` for standard output. */
export const STANDARD_OUTPUT = "-";
/** Time limit for the first byte of a file, from the start of the request. */
const FIRST_BYTE_MS = 23_000;
/** Maximum time without data within a response, which allows for a slow archive. */
const SILENCE_MS = 60_000;
/** Time limits of exports. The service reads and checks the list of files before it sends the first byte. */
const EXPORT = { answerMs: 150_000, noteMs: 10_000 } as const;

/** The path of the file to write, which may depend on the response. */
export type Target = string | ((answer: Response) => string);

interface Downloaded {
  target: string;
  bytes: number;
}

/** Returns the time limit for the first byte of an export, with a note on standard error while waiting. */
export function exportWait(output: Output): LongWait {
  const note = () =>
    output.note(
      show`The service is preparing the export. Waiting up to ${EXPORT.answerMs / 1_000} s for its first byte …`,
    );
  return { ...EXPORT, note };
}

/**
 * Writes a response to standard output, or to a new file that appears when it is complete.
 *
 * @param wait for a response that may start late; otherwise its first byte must arrive within {@link FIRST_BYTE_MS}
 * @throws Failure 1 if the response is incomplete, for example because a file in the archive is damaged; 2 if the file
 * exists
 */
export async function download(
  client: Client,
  path: string,
  to: Target,
  output: Output,
  wait?: LongWait,
): Promise<Downloaded> {
  const silence = new AbortController();
  const firstMs = wait?.answerMs ?? FIRST_BYTE_MS;
  const began = performance.now();
  const response = await client.stream(path, { accept: "*/*" }, silence.signal, wait).catch((error: unknown) => {
    // Programs that read standard output expect the file there, so the error goes to standard error only.
    if (error instanceof Failure && to === STANDARD_OUTPUT) throw new Failure(error.exitCode, error.lines);
    throw error;
  });
  const target = typeof to === "string" ? to : to(response);
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const listen = () => {
    const ms = bytes === 0 ? firstMs : SILENCE_MS;
    const left = bytes === 0 ? began + firstMs - performance.now() : SILENCE_MS;
    timer = setTimeout(() => silence.abort(new Error(`the service sent nothing for ${ms / 1_000} s`)), left);
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      listen();
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        bytes += piece.length;
        // Progress would be mixed with the content on standard output.
        if (target !== STANDARD_OUTPUT) output.live(show`${size(bytes)} …`);
        yield piece;
        // The time that the target needs to store the bytes does not count as silence of the service.
        listen();
      }
    } catch (cause) {
      throw new BrokenOff("", { cause });
    }
  }
  try {
    if (target === STANDARD_OUTPUT) await pipeline(body, process.stdout, { end: false });
    else await intoFile(target, body);
    return { target, bytes };
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (!(error instanceof BrokenOff)) throw new Failure(1, show`${target} cannot be written: ${reasonOf(error)}`);
    throw new Failure(1, [
      show`The response ended early, after ${size(bytes)}${silence.signal.aborted ? `: ${silence.signal.reason.message}` : ""}. No file was written.`,
      show`  Either the connection failed or a file in the archive is damaged. Try again. If that fails, inform the operator.`,
    ]);
  } finally {
    clearTimeout(timer);
    silence.abort();
    if (target !== STANDARD_OUTPUT) output.live(undefined);
  }
}

async function intoFile(target: string, body: () => AsyncGenerator<Uint8Array>): Promise<void> {
  await requireOutsideArchive(target);
  if (existsSync(target)) throw new Failure(2, show`${target} already exists. Name another file with --output.`);
  const part = `${target}.${randomUUID().slice(0, 8)}.part`;
  await withTemporary(part, async () => {
    await pipeline(body, createWriteStream(part, { flags: "wx" }));
    await rename(part, target);
  });
}

/** Refuses a target inside an archive: a file that does not belong to an archive makes it invalid. @throws Failure 2 */
export async function requireOutsideArchive(target: string): Promise<void> {
  const { archiveAround } = await import("../../archive/overlap.ts");
  const archive = await archiveAround(target);
  if (archive === undefined) return;
  throw new Failure(2, show`${target} is inside the archive ${archive}. Choose a folder outside of it with --output.`);
}

/** Downloads into a file and reports it; reports nothing for standard output. */
export async function save(client: Client, path: string, to: Target, output: Output, wait?: LongWait): Promise<void> {
  const { target, bytes } = await download(client, path, to, output, wait);
  if (target === STANDARD_OUTPUT) return;
  output.data({ output: target, bytes });
  output.say(show`${OK} ${target} (${size(bytes)})`);
}

class BrokenOff extends Error {}

/**
 * Runs work with a temporary file or folder. The file is removed when the work ends or fails, and when the program is
 * interrupted, which also ends the program.
 */
export async function withTemporary<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remove = () => rmSync(path, { recursive: true, force: true });
  const interrupted = () => {
    remove();
    process.exit(INTERRUPTED);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    return await work();
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    remove();
  }
}
