import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Failure, reasonOf } from "./terminal/failure.ts";
import { show } from "./terminal/text.ts";

/** Reads metadata as JSON. @param file `-` for standard input. @throws Failure if it cannot be read or is not JSON */
export async function readMetadata(file: string): Promise<unknown> {
  const name = file === "-" ? "standard input" : file;
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: unknown) => {
    throw new Failure(2, show`The metadata in ${name} cannot be read: ${reasonOf(error)}`);
  });
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Failure(2, show`The metadata in ${name} is not JSON: ${reasonOf(error)}`);
  }
}
