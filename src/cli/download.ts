import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { archiveAround } from "../archive/overlap.ts";
import type { Client } from "./client.ts";
import { Failure, reasonOf } from "./failure.ts";
import { size } from "./numbers.ts";
import type { Output } from "./output.ts";
import { withTemporary } from "./temporary.ts";
import { show, styled } from "./text.ts";

/** Standard output, as an `--output`. */
export const STANDARD_OUTPUT = "-";
/** How long the service may send nothing: before the first byte, and later, when its archive may be slow. */
const FIRST_BYTE_MS = 20_000;
const SILENCE_MS = 60_000;

/** Where to, which what is answered may decide. */
export type Target = string | ((answer: Response) => string);

interface Downloaded {
  target: string;
  bytes: number;
}

/**
 * Writes what the service answers to a file that must not be there yet, and is there when it is whole; or to standard
 * output.
 *
 * @throws Failure 1 when the answer breaks off, for instance because a file in the archive is damaged; 2 when the file
 * is there already
 */
export async function download(client: Client, path: string, to: Target, output: Output): Promise<Downloaded> {
  const silence = new AbortController();
  const response = await client.stream(path, { accept: "*/*" }, silence.signal).catch((error: unknown) => {
    // Whoever reads standard output waits for bytes: what went wrong is not to pass for them.
    if (error instanceof Failure && to === STANDARD_OUTPUT) throw new Failure(error.exitCode, error.lines);
    throw error;
  });
  const target = typeof to === "string" ? to : to(response);
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const listen = () => {
    const ms = bytes === 0 ? FIRST_BYTE_MS : SILENCE_MS;
    timer = setTimeout(() => silence.abort(new Error(`the service sent nothing for ${ms / 1_000} s`)), ms);
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      listen();
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        bytes += piece.length;
        // A terminal that shows the bytes themselves has no room for a line that comes and goes.
        if (target !== STANDARD_OUTPUT) output.live(show`${size(bytes)} …`);
        yield piece;
        // Whoever takes the pieces may be slow, too: that is not the service's silence.
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
      show`The answer broke off after ${size(bytes)}${silence.signal.aborted ? `: ${silence.signal.reason.message}` : ""}; nothing was kept.`,
      show`  A file may be damaged in the archive, or the connection is gone: try again, then tell the operator.`,
    ]);
  } finally {
    clearTimeout(timer);
    silence.abort();
    if (target !== STANDARD_OUTPUT) output.live(undefined);
  }
}

async function intoFile(target: string, body: () => AsyncGenerator<Uint8Array>): Promise<void> {
  await requireOutsideArchive(target);
  if (existsSync(target)) throw new Failure(2, show`${target} is there already; say another place with --output`);
  const part = `${target}.${randomUUID().slice(0, 8)}.part`;
  await withTemporary(part, async () => {
    await pipeline(body, createWriteStream(part, { flags: "wx" }));
    await rename(part, target);
  });
}

/** A file that is no part of an archive makes it invalid. @throws Failure 2 */
export async function requireOutsideArchive(target: string): Promise<void> {
  const archive = await archiveAround(target);
  if (archive === undefined) return;
  throw new Failure(2, show`${target} is inside the archive ${archive}; choose a folder outside of it with --output`);
}

/** Fetches something into a file, and says so; into a pipe it says nothing. */
export async function save(client: Client, path: string, to: Target, output: Output): Promise<void> {
  const { target, bytes } = await download(client, path, to, output);
  if (target === STANDARD_OUTPUT) return;
  output.data({ output: target, bytes });
  output.say(show`${styled("green", "✓")} ${target} (${size(bytes)})`);
}

class BrokenOff extends Error {}
