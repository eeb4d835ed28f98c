import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

/** Time after which a process that was asked to end is killed. */
const PATIENCE_MS = 10_000;

const running = new Set<ChildProcess>();
/** Work to do before an interrupted program ends, the last first. */
const cleanups = new Set<() => void>();

/** Starts a program in a separate process group, which {@link stopAll} ends as a whole. */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/** Ends a process and its group, and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  signalGroup(child.pid, "SIGTERM");
  const late = setTimeout(signalGroup, PATIENCE_MS, child.pid, "SIGKILL");
  await gone;
  clearTimeout(late);
}

/** Registers work for the case that the program is interrupted. The returned function removes it. */
export function onInterrupt(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop));
  for (const cleanup of [...cleanups].reverse()) cleanup();
  cleanups.clear();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
