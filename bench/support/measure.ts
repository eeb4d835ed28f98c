import { execFileSync, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./children.ts";

/** What one run took. */
export interface Measured {
  /** Wall time. */
  seconds: number;
  /** User and system time of the contestant's processes; not of the server that is read from. */
  cpuSeconds: number;
  /** Most resident memory. */
  peakMib: number;
}

const SAMPLE_MS = 20;
const KIB_PER_MIB = 1024;
const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/**
 * Runs a program to its end. CPU time is that of all processes it waited for, as this process is told when it ends;
 * so only one may be measured at a time.
 *
 * @throws Error with its standard error when it does not end well
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

/** Looks now and then, because the number is gone with the process. */
async function watchPeak(pid: number, ended: AbortSignal): Promise<number> {
  let most = 0;
  while (!ended.aborted) {
    most = Math.max(most, memoryOf(pid).peakMib);
    await sleep(SAMPLE_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  return most;
}

/** CPU seconds of a process and of those it has started, those that have ended among them. */
export function cpuOf(pid: number): number {
  return family(pid).reduce((sum, one) => {
    const [user = 0, system = 0, usersEnded = 0, systemEnded = 0] = times(one);
    return sum + user + system + usersEnded + systemEnded;
  }, 0);
}

/** Resident memory of a process and of those it has started, now and at most since {@link forgetPeak}. */
export function memoryOf(pid: number): { residentMib: number; peakMib: number } {
  let residentMib = 0;
  let peakMib = 0;
  for (const one of family(pid)) {
    const status = readProcess(`${one}/status`);
    residentMib += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
    peakMib += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
  }
  return { residentMib, peakMib };
}

/** Lets the peak begin again at what is resident now. */
export function forgetPeak(pid: number): void {
  for (const one of family(pid)) writeFileSync(`/proc/${one}/clear_refs`, "5");
}

/** CPU seconds of the processes that this one has waited for. */
function cpuOfEnded(): number {
  const [, , user = 0, system = 0] = times("self");
  return user + system;
}

/** Own user and system seconds, then those of children that have ended; fields 14 to 17 of `stat`. */
function times(pid: number | "self"): number[] {
  const stat = readProcess(`${pid}/stat`);
  // The name, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map((ticks) => Number(ticks) / ticksPerSecond);
}

/** A process and all that live below it. */
function family(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = threads.flatMap((thread) => readProcess(`${pid}/task/${thread}/children`).match(/\d+/g) ?? []);
  return [pid, ...children.flatMap((child) => family(Number(child)))];
}

/** Empty when the process is gone. */
function readProcess(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
