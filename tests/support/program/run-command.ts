import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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

/** Runs the real command line on a data folder, without a terminal. `onOutput` receives all standard output so far. */
export async function runCommand(
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
  const whole = stdout.slice(0, stdout.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").filter((line) => line !== "");
  return { code, stderr, lines: lines.map((line) => JSON.parse(line)) };
}

/** The text that a command prints for people on standard output. @throws Error if the command fails */
export async function textOfCommand(args: string[], data: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, "--no-json"], {
    env: { ...programEnv(), ACCESSION_DATA: data, ...env },
  });
  return stdout;
}
