import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Ran, Run } from "./command-process.ts";
import { programEnv } from "./program.ts";

const PROGRAM = fileURLToPath(new URL("../../../src/cli/accession.ts", import.meta.url));

/** Exit code and output of a command. */
export interface CommandResult {
  /** Null if a signal ended it. */
  code: number | null;
  stderr: string;
  /** Lines of standard output, each a JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
  lines: any[];
}

/** A process for commands, and whether it runs one. */
interface CommandProcess {
  child: ChildProcess;
  isBusy: boolean;
}

const processes: CommandProcess[] = [];
const MODULE = fileURLToPath(new URL("command-process.ts", import.meta.url));

interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
}

/**
 * Runs the real command line, without a terminal and with only this environment, in a process that has run other commands
 * before. Processes that receive signals: {@link startCommand}.
 */
export async function runProgram(
  args: string[],
  { env = {}, cwd = process.cwd(), input = "" }: RunOptions = {},
): Promise<Ran> {
  const free = processes.find(({ isBusy }) => !isBusy) ?? startProcess();
  const { child } = free;
  free.isBusy = true;
  child.ref();
  child.channel?.ref();
  child.send({ args, env: { ...programEnv(), ...env }, cwd, input } satisfies Run);
  const ended = new AbortController();
  const answer = await Promise.race([
    once(child, "message", { signal: ended.signal }).then(([ran]) => ran as Ran),
    once(child, "exit", { signal: ended.signal }).then(() => {
      processes.splice(processes.indexOf(free), 1);
      throw new Error(`The process of the command “${args.join(" ")}” has ended`);
    }),
  ]).finally(() => ended.abort());
  child.unref();
  child.channel?.unref();
  free.isBusy = false;
  return answer;
}

function startProcess(): CommandProcess {
  const child = fork(MODULE, { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [], env: programEnv() });
  const started = { child, isBusy: true };
  processes.push(started);
  return started;
}

/** Runs a command on a data folder; see {@link runProgram}. */
export async function runCommand(args: string[], data: string, options: RunOptions = {}): Promise<CommandResult> {
  const { code, stdout, stderr } = await runProgram(args, {
    ...options,
    env: { ACCESSION_DATA: data, ...options.env },
  });
  return { code, stderr, lines: jsonLines(stdout) };
}

/** Starts the command line as a process of its own, which can receive signals. `onOutput` receives all standard output so far. */
export async function startCommand(
  args: string[],
  data: string,
  more: {
    env?: Record<string, string>;
    onStart?: (child: ChildProcess) => void;
    onOutput?: (stdout: string) => void;
  } = {},
): Promise<CommandResult> {
  const child = execFile(process.execPath, [PROGRAM, ...args], {
    env: { ...programEnv(), ACCESSION_DATA: data, ...more.env },
  });
  more.onStart?.(child);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (text: string) => {
    stdout += text;
    more.onOutput?.(stdout);
  });
  child.stderr?.on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr, lines: jsonLines(stdout.slice(0, stdout.lastIndexOf("\n") + 1)) };
}

/** The JSON values of lines of standard output. */
export function jsonLines(stdout: string): CommandResult["lines"] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

/** The text that a command prints for people on standard output. @throws Error if the command fails */
export async function textOfCommand(args: string[], data: string, env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...args, "--no-json"], { env: { ACCESSION_DATA: data, ...env } });
  if (code !== 0) throw new Error(`“${args.join(" ")}” ended with ${code}:\n${stderr}`);
  return stdout;
}
