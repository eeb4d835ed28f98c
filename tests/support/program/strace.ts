import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** System calls that make data durable or name files. */
export const DURABLE_CALLS = [
  "rename",
  "renameat",
  "renameat2",
  "link",
  "linkat",
  "symlink",
  "symlinkat",
  "fsync",
  "fdatasync",
  "syncfs",
] as const;

/** Delay before each watched call, so that the process can be killed at that moment. */
const DELAY_MICROSECONDS = 4_000;
const LONGEST_LINE = 8_192;

/** Time for strace to end by itself. */
const DETACH_MS = 5_000;

/** A running process whose system calls are watched. */
export interface Trace {
  /** Number of calls so far, of all threads and children. */
  count(): number;
  /** Detaches from the process. */
  detach(): Promise<void>;
}

/**
 * Watches the given system calls of a process, its threads and its children. Each call is delayed by some milliseconds,
 * and `onCall` is called before it. (strace’s `when=N` would count each thread separately.)
 *
 * @param onCall the number of the call, counted from 1 over all threads, and its name
 */
export async function watchCalls(
  pid: number,
  calls: readonly string[],
  onCall: (number: number, name: string) => void,
): Promise<Trace> {
  let count = 0;
  const expressions = [`trace=${calls.join()}`, `inject=${calls.join()}:delay_enter=${DELAY_MICROSECONDS}`];
  // A delayed call is printed without an end of line at first.
  const began = new RegExp(`\\n(?:\\[pid +\\d+\\] )?(${calls.join("|")})\\(`, "g");
  const trace = await attach(["-f", "-p", String(pid)], expressions, began, (name) => onCall(++count, name));
  return { count: () => count, ...trace };
}

/**
 * Makes system calls fail. `when` has strace’s syntax (`3`, `2+`, `1..5+2`) and counts each thread separately. With a path,
 * only calls on this file fail; with the name of a thread, only calls of this thread.
 *
 * @param onFailure called for each failed call
 */
export async function failCalls(
  pid: number,
  fault: { calls: readonly string[]; error: string; when: string; path?: string; thread?: string },
  onFailure: () => void = () => undefined,
): Promise<Trace> {
  const { calls, error, when, path, thread } = fault;
  let count = 0;
  const expressions = [`trace=${calls.join()}`, `inject=${calls.join()}:error=${error}:when=${when}`];
  const onMatch = () => {
    count++;
    onFailure();
  };
  const what = thread === undefined ? ["-f", "-p", String(pid)] : ["-p", threadOf(pid, thread)];
  const about = path === undefined ? [] : ["-P", path];
  const trace = await attach([...what, ...about], expressions, /\((INJECTED)\)/g, onMatch);
  return { count: () => count, ...trace };
}

/** The ID of a thread of a process. Linux stores 15 characters of its name. */
function threadOf(pid: number, name: string): string {
  const tasks = `/proc/${pid}/task`;
  const found = readdirSync(tasks).find(
    (task) => readFileSync(join(tasks, task, "comm"), "utf8").trim() === name.slice(0, 15),
  );
  if (found === undefined) throw new Error(`The thread “${name}” does not exist`);
  return found;
}

/** Starts strace and calls `onMatch` for every match in its output, without delay. */
async function attach(
  what: readonly string[],
  expressions: readonly string[],
  pattern: RegExp,
  onMatch: (group: string) => void,
): Promise<{ detach: () => Promise<void> }> {
  const args = [...what, "-e", "signal=none", ...expressions.flatMap((one) => ["-e", one])];
  const child = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  const gone = once(child, "exit");
  let unread = "\n";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`strace could not attach: ${unread}`)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes(" attached")) resolve();
      unread += text;
      pattern.lastIndex = 0;
      let read = 0;
      for (let found = pattern.exec(unread); found !== null; found = pattern.exec(unread)) {
        read = pattern.lastIndex;
        onMatch(found[1] ?? "");
      }
      unread = unread.slice(Math.max(read, unread.length - LONGEST_LINE));
    });
  });
  return {
    detach: async () => {
      child.kill("SIGINT");
      // strace can wait for a thread that was killed while it attached to it. Then the process does not end either.
      const force = setTimeout(() => child.kill("SIGKILL"), DETACH_MS);
      await gone;
      clearTimeout(force);
    },
  };
}
