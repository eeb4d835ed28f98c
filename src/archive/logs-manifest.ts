import { join } from "node:path";
import { writeDurably } from "./durable.ts";

/** The file in a version's `logs/` that has the digests of all others there, as `sha512sum -c` reads it. */
export const LOGS_MANIFEST = "manifest-sha512.txt";

const LINE = /^([0-9a-f]{128}) {2}([^/\s][^/]*)$/;

/** Writes the digests of the files of a `logs/vN`, durably. @param digests name → SHA-512 in lower-case hex */
export async function writeLogsManifest(folder: string, digests: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...digests].map(([name, digest]) => `${digest}  ${name}\n`);
  await writeDurably(join(folder, LOGS_MANIFEST), lines.sort().join(""));
}

/** Name → digest; undefined when the text is not of the form that {@link writeLogsManifest} gives it. */
export function readLogsManifest(text: string): Map<string, string> | undefined {
  const digests = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length === 0) return undefined;
  for (const line of lines) {
    const [, digest = "", name = ""] = LINE.exec(line) ?? [];
    if (name === "" || digests.has(name)) return undefined;
    digests.set(name, digest);
  }
  return digests;
}
