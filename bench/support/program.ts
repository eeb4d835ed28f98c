import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stopAll } from "./children.ts";

const INTERRUPTED = 130;
const UNUSABLE = 2;

/** An error that the caller can fix. It is printed as a sentence, without a stack. */
export class RequirementError extends Error {}

/**
 * Runs the main function of a benchmark and ends all processes that it started, also after Ctrl-C. The exit code is 2 if the
 * machine or the command line does not meet the requirements, and 1 if a run failed.
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
    // Errors after an interruption are expected.
    if (interrupted) return;
    console.error(error instanceof RequirementError ? error.message : error);
    process.exitCode = error instanceof RequirementError ? UNUSABLE : 1;
  } finally {
    await stopAll();
  }
}

/** Returns the value of an option that is a positive whole number, or its default. */
export function readCount(name: string, given: string | undefined, usual: number): number {
  const count = given === undefined ? usual : Number(given);
  if (!Number.isInteger(count) || count < 1) throw new RequirementError(`--${name} requires a positive whole number`);
  return count;
}

/** Parses the arguments: `--name value`, flags `--name`, and words. */
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
    throw new RequirementError((error as Error).message);
  }
}

/** Returns the folder of data and targets: the given one, or a folder for temporary files. */
export function workFolder(given: string | undefined): string {
  const folder = resolve(given ?? join(tmpdir(), "accession-bench"));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Flushes earlier writes to the disk, so that a run does not slow down the next one. @returns the seconds that this took */
export function flushWrites(work: string): number {
  const since = performance.now();
  execFileSync("sync", ["--file-system", work]);
  return (performance.now() - since) / 1_000;
}

/** Checks that programs are installed. @throws Unusable with the command that installs the missing ones */
export function requirePrograms(...names: string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  throw new RequirementError(
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
