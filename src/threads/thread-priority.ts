import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

const NICE = 10;

/**
 * Lets threads of this process, by their names, step back where processors are scarce: answering requests and the
 * database come first. Only Linux knows threads by name and number; elsewhere nothing happens.
 */
export function lowerThreadPriority(names: readonly string[]): void {
  if (process.platform !== "linux") return;
  try {
    for (const id of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim();
      if (names.includes(name)) setPriority(Number(id), NICE);
    }
  } catch {
    // A thread that has ended meanwhile, or a system that does not allow it: then all are equal, and nothing is lost.
  }
}
