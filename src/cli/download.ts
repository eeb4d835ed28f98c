import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Client } from "./client.ts";
import { Failure, reasonOf } from "./failure.ts";
import { size } from "./numbers.ts";
import type { Output } from "./output.ts";
import { show, styled } from "./text.ts";

/** Standard output, as an `--output`. */
export const STANDARD_OUTPUT = "-";
const KEEP_ALIVE_MS = 150_000;

/**
 * Writes what the service answers to a file, which is there when it is whole, or to standard output.
 *
 * @returns how many bytes
 * @throws Failure 1 when the answer breaks off, for instance because a file in the archive is damaged
 */
export async function download(client: Client, path: string, target: string, output: Output): Promise<number> {
  const silence = new AbortController();
  const response = await client.stream(path, { accept: "*/*" }, silence.signal);
  let bytes = 0;
  const timer = setTimeout(() => silence.abort(), KEEP_ALIVE_MS);
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        timer.refresh();
        bytes += piece.length;
        output.live(show`${size(bytes)} …`);
        yield piece;
      }
    } catch (cause) {
      throw new BrokenOff("", { cause });
    }
  }
  const part = `${target}.part`;
  try {
    if (target === STANDARD_OUTPUT) await pipeline(body, process.stdout, { end: false });
    else {
      await pipeline(body, createWriteStream(part, { flags: "wx" }));
      await rename(part, target);
    }
    return bytes;
  } catch (error) {
    // One that was there before is somebody else’s.
    if ((error as { code?: string }).code !== "EEXIST") await rm(part, { force: true });
    if (!(error instanceof BrokenOff)) throw new Failure(1, show`${part} cannot be written: ${reasonOf(error)}`);
    throw new Failure(1, [
      show`The answer broke off after ${size(bytes)}; nothing was kept.`,
      show`  A file may be damaged in the archive, or the connection is gone: try again, then tell the operator.`,
    ]);
  } finally {
    clearTimeout(timer);
    output.live(undefined);
  }
}

/** Fetches something into a file, and says so; into a pipe it says nothing. */
export async function save(client: Client, path: string, target: string, output: Output): Promise<void> {
  const bytes = await download(client, path, target, output);
  if (target === STANDARD_OUTPUT) return;
  output.data({ output: target, bytes });
  output.say(show`${styled("green", "✓")} ${target} (${size(bytes)})`);
}

class BrokenOff extends Error {}
