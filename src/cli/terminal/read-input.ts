import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Failure, reasonOf } from "./failure.ts";
import { show } from "./text.ts";

/**
 * Reads a file that the user named, or standard input for `-`.
 *
 * @param what the beginning of the error message, such as “The receipt”
 * @throws Failure 2 if it cannot be read
 */
export async function readInput(file: string, what: string): Promise<string> {
  return file === "-" ? text(process.stdin).catch(failure(file, what)) : readTextFile(file, what);
}

/** Reads a file, as {@link readInput} does; `-` is a name like any other. */
export async function readTextFile(file: string, what: string): Promise<string> {
  return readFile(file, "utf8").catch(failure(file, what));
}

/** Reads a file, as {@link readTextFile} does, as bytes. */
export async function readBytes(file: string, what: string): Promise<Buffer> {
  return readFile(file).catch(failure(file, what));
}

function failure(file: string, what: string): (error: unknown) => never {
  return (error) => {
    throw new Failure(2, show`${what} ${file} cannot be read: ${reasonOf(error)}`);
  };
}
