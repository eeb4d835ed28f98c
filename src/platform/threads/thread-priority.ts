import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

const NICE = 10;

/**
 * Lowers the priority of threads of this process, by their names, so that request handling and the database come first.
 * Supported on Linux only; has no effect on other systems.
 */
export function lowerThreadPriority(names: readonly string[]): void {
  if (process.platform !== "linux") return;
  try {
    for (const id of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim();
      if (names.includes(name)) setPriority(Number(id), NICE);
    }
  } catch {
    // The thread has ended, or the system does not allow it. The priority then stays unchanged.
  }
}
