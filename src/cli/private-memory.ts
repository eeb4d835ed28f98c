import { writeFileSync } from "node:fs";
import { Failure } from "./terminal/failure.ts";
import { show } from "./terminal/text.ts";

/** Options of Node that expose the memory of the process, and thereby the credentials in use. */
const SHOWING =
  /^--(?:inspect(?:-brk|-port|-publish-uid|-wait)?|heapsnapshot-signal|heapsnapshot-near-heap-limit)(?:=|$)/;

/**
 * Protects the memory of this process from being written to files and read by debuggers, as far as a program can: it
 * disables diagnostic reports and the inspector on SIGUSR1, and excludes memory from core dumps (Linux; see core(5)). Root
 * can still read the memory.
 *
 * @throws Failure 2 for options that expose the memory
 */
export function keepMemoryPrivate(switches: readonly string[]): void {
  const showing = switches.find((one) => SHOWING.test(plain(one)));
  if (showing !== undefined) {
    throw new Failure(
      2,
      show`The service does not start with ${showing}, because this option exposes credentials in use.`,
    );
  }
  Object.assign(process.report, {
    reportOnFatalError: false,
    reportOnSignal: false,
    reportOnUncaughtException: false,
    excludeEnv: true,
  });
  // Without a listener, Node opens the inspector on this signal.
  process.on("SIGUSR1", () => undefined);
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/coredump_filter", "0");
  } catch {
    // Some containers do not permit this. Then the operator must limit core dumps.
  }
}

/** Normalises an option, because Node accepts underscores for hyphens and quotes around options. */
function plain(spelling: string): string {
  const [name = "", ...value] = spelling.replaceAll('"', "").split("=");
  return [name.replaceAll("_", "-"), ...value].join("=");
}

/** Returns all options that Node was started with. */
export function nodeSwitches(environment: NodeJS.ProcessEnv): string[] {
  return [...process.execArgv, ...(environment.NODE_OPTIONS ?? "").split(/\s+/)];
}
