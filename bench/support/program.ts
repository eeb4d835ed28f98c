import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stopAll } from "./children.ts";

const INTERRUPTED = 130;
const UNUSABLE = 2;

/** What the caller can mend; said in a sentence, without a stack. */
export class Unusable extends Error {}

/**
 * Runs a benchmark's main function. However it ends, also by Ctrl-C, no process that it started is left.
 * The exit code is 2 when the machine or the command line is not what it takes, 1 when a run failed.
 */
export async function run(main: () => Promise<void>): Promise<void> {
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) return;
    interrupted = true;
    void stopAll().finally(() => process.exit(INTERRUPTED));
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    await main();
  } catch (error) {
    // What fails because its processes were ended is no news.
    if (interrupted) return;
    console.error(error instanceof Unusable ? error.message : error);
    process.exitCode = error instanceof Unusable ? UNUSABLE : 1;
  } finally {
    await stopAll();
  }
}

/** A number from 1 on that was given by its option, or the usual one. */
export function readCount(name: string, given: string | undefined, usual: number): number {
  const count = given === undefined ? usual : Number(given);
  if (!Number.isInteger(count) || count < 1) throw new Unusable(`--${name} takes whole numbers from 1 on`);
  return count;
}

/** The arguments as `--name value`, `--name` for those that are flags, and words. */
export function readArguments<const Text extends string, const Flag extends string>(
  texts: readonly Text[],
  flags: readonly Flag[],
): { texts: Partial<Record<Text, string>>; flags: Partial<Record<Flag, boolean>>; words: string[] } {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: "string" as const }]),
    ...flags.map((name) => [name, { type: "boolean" as const }]),
  ]);
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return {
      texts: values as Partial<Record<Text, string>>,
      flags: values as Partial<Record<Flag, boolean>>,
      words: positionals,
    };
  } catch (error) {
    throw new Unusable((error as Error).message);
  }
}

/** The folder of data and targets: the given one, or one under the system's folder of temporary files. */
export function workFolder(given: string | undefined): string {
  const folder = resolve(given ?? join(tmpdir(), "accession-bench"));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Has written out what was done before, so that no run pays for another. */
export function settle(work: string): void {
  execFileSync("sync", ["--file-system", work]);
}

/** @throws Unusable with the line that installs what is missing */
export function requirePrograms(...names: string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  throw new Unusable(
    `${missing.join(" and ")} cannot be found; on Debian: apt-get install -y --no-install-recommends nginx rclone`,
  );
}

export function isInstalled(name: string): boolean {
  try {
    execFileSync("bash", ["-c", 'command -v "$1"', "bash", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
