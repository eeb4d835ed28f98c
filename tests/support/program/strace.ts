import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Everything that makes something durable or gives it its name. */
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

/** How long a call is held before it is made, so that there is time to end the process just then. */
const HOLD_MICROSECONDS = 4_000;
const LONGEST_LINE = 8_192;

/** A running process whose system calls are watched. */
export interface Trace {
  /** Calls so far, of all threads and children. */
  count(): number;
  /** Lets go of the process. */
  detach(): Promise<void>;
}

/**
 * Watches a process, with all its threads and children, and calls back when one of them is about to make its call of
 * some kind: the call is held meanwhile for some milliseconds. (strace’s own `when=N` counts each thread by itself.)
 *
 * @param onCall the number of the call, counted from 1 over all threads, and its name
 */
export async function watchCalls(
  pid: number,
  calls: readonly string[],
  onCall: (number: number, name: string) => void,
): Promise<Trace> {
  let count = 0;
  const expressions = [`trace=${calls.join()}`, `inject=${calls.join()}:delay_enter=${HOLD_MICROSECONDS}`];
  // A call that is held has no end of line yet.
  const began = new RegExp(`\\n(?:\\[pid +\\d+\\] )?(${calls.join("|")})\\(`, "g");
  const trace = await attach(["-f", "-p", String(pid)], expressions, began, (name) => onCall(++count, name));
  return { count: () => count, ...trace };
}

/**
 * Lets system calls fail: `when` is strace’s own (`3`, `2+`, `1..5+2`), counted for each thread by itself. With a path
 * only those that are about this file; with the name of a thread only that one's, and not those of whatever follows it.
 *
 * @param onFailure called for each that failed
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

/** The number of a process's thread; Linux keeps 15 characters of its name. */
function threadOf(pid: number, name: string): string {
  const tasks = `/proc/${pid}/task`;
  const found = readdirSync(tasks).find(
    (task) => readFileSync(join(tasks, task, "comm"), "utf8").trim() === name.slice(0, 15),
  );
  if (found === undefined) throw new Error(`There is no thread “${name}”`);
  return found;
}

/** Tells of every match in what strace says, as soon as it says it. */
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
      await gone;
    },
  };
}
