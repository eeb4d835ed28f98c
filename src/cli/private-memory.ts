import { writeFileSync } from "node:fs";
import { Failure } from "./terminal/failure.ts";
import { show } from "./terminal/text.ts";

/** Switches of Node that show the memory of the process, and with it credentials that are in use. */
const SHOWING =
  /^--(?:inspect(?:-brk|-port|-publish-uid|-wait)?|heapsnapshot-signal|heapsnapshot-near-heap-limit)(?:=|$)/;

/**
 * Keeps what is in this process's memory out of files and debuggers, as far as a program can: no diagnostic reports,
 * no inspector on SIGUSR1, and core dumps without the memory (Linux; see core(5)). The operator can still look: root
 * sees everything.
 *
 * @throws Failure 2 for switches that would show it
 */
export function keepMemoryPrivate(switches: readonly string[]): void {
  const showing = switches.find((one) => SHOWING.test(plain(one)));
  if (showing !== undefined) {
    throw new Failure(2, show`The service does not start with ${showing}: it would show credentials that are in use.`);
  }
  Object.assign(process.report, {
    reportOnFatalError: false,
    reportOnSignal: false,
    reportOnUncaughtException: false,
    excludeEnv: true,
  });
  // Node opens the inspector on this signal unless somebody listens.
  process.on("SIGUSR1", () => undefined);
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/coredump_filter", "0");
  } catch {
    // A container may not let it be written: then it is the operator's to limit core dumps.
  }
}

/** Node takes underscores for dashes in the name, and quotes around it all. */
function plain(spelling: string): string {
  const [name = "", ...value] = spelling.replaceAll('"', "").split("=");
  return [name.replaceAll("_", "-"), ...value].join("=");
}

/** All switches that Node was started with. */
export function nodeSwitches(environment: NodeJS.ProcessEnv): string[] {
  return [...process.execArgv, ...(environment.NODE_OPTIONS ?? "").split(/\s+/)];
}
