import { execFileSync, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./children.ts";

/** The resources that one run used. */
export interface Measured {
  /** Wall time. */
  seconds: number;
  /** User and system time of the processes of the contestant, without the S3 server. */
  cpuSeconds: number;
  /** Maximum resident memory. */
  peakMib: number;
}

/** CPU seconds of the threads of a process by their names. Threads of the same name are added. */
export type ThreadSeconds = Record<string, number>;

const SAMPLE_MS = 20;
const KIB_PER_MIB = 1024;
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/**
 * Runs a program to its end. CPU time includes all processes that the program waited for. The system adds it to this process
 * when the program ends, so only one program can be measured at a time.
 *
 * @throws Error with its standard error if it fails
 */
export async function runMeasured(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Measured & { output: string }> {
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  const cpuBefore = cpuOfEnded();
  const since = performance.now();
  const child = start(command, args, { stdio, env: { PATH: process.env.PATH, ...environment } });
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  let seconds = 0;
  child.once("exit", () => {
    seconds = (performance.now() - since) / 1000;
  });
  const ended = new AbortController();
  const closed = once(child, "close").finally(() => ended.abort());
  const peak = watchPeak(child.pid ?? 0, ended.signal);
  const [code, signal] = await closed;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code ?? signal}:\n${errors}`);
  return { seconds, cpuSeconds: cpuOfEnded() - cpuBefore, peakMib: await peak, output };
}

/** Polls the peak memory, because it is not available after the process has ended. */
async function watchPeak(pid: number, ended: AbortSignal): Promise<number> {
  let most = 0;
  while (!ended.aborted) {
    most = Math.max(most, memoryOf(pid).peakMib);
    await sleep(SAMPLE_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  return most;
}

/** Returns the CPU seconds of a process and its child processes, including ended ones. */
export function cpuOf(pid: number): number {
  return processTree(pid).reduce((sum, one) => {
    const [user = 0, system = 0, usersEnded = 0, systemEnded = 0] = times(one);
    return sum + user + system + usersEnded + systemEnded;
  }, 0);
}

/** Returns the CPU seconds of the current threads of a process, without its child processes. */
export function cpuByThread(pid: number): ThreadSeconds {
  const sum: ThreadSeconds = {};
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readProcess(`${pid}/task/${thread}/stat`);
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const [user = 0, system = 0] = timesOf(stat);
    sum[name] = (sum[name] ?? 0) + user + system;
  }
  return sum;
}

/** Returns the resident memory of a process and its child processes: current, and maximum since {@link resetPeak}. */
export function memoryOf(pid: number): { residentMib: number; peakMib: number } {
  let residentMib = 0;
  let peakMib = 0;
  for (const one of processTree(pid)) {
    const status = readProcess(`${one}/status`);
    residentMib += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
    peakMib += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
  }
  return { residentMib, peakMib };
}

/** Resets the peak to the current resident memory. */
export function resetPeak(pid: number): void {
  for (const one of processTree(pid)) writeFileSync(`/proc/${one}/clear_refs`, "5");
}

/** Returns the CPU seconds of the processes that this process has waited for. */
function cpuOfEnded(): number {
  const [, , user = 0, system = 0] = times("self");
  return user + system;
}

/** User and system seconds of the process, then of its ended children; fields 14 to 17 of `stat`. */
function times(pid: number | "self"): number[] {
  return timesOf(readProcess(`${pid}/stat`));
}

function timesOf(stat: string): number[] {
  // The name, in parentheses, can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map((ticks) => Number(ticks) / ticksPerSecond);
}

/** Returns a process and all its running descendants. */
function processTree(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = threads.flatMap((thread) => readProcess(`${pid}/task/${thread}/children`).match(/\d+/g) ?? []);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** Returns an empty text if the process has ended. */
function readProcess(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
