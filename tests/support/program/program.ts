import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Api } from "../api/api.ts";

const program = fileURLToPath(new URL("../../../src/cli/accession.ts", import.meta.url));

/** The environment variables that a program needs: the search path, and the compile cache. */
export function programEnv(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

/** A process of the real program, so that it can be killed. */
export interface Worker {
  process: ChildProcess;
  /** Everything it has logged so far. */
  log(): string;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** One that serves. */
export interface Program extends Worker {
  url: string;
  api: Api;
}

/** How a program is started, where that is not the usual way. */
export interface StartOptions {
  /** The module of the command line; default: that of the sources. */
  module?: string;
  /** A command that runs the program as its last arguments, such as `prlimit --nofile=50`. */
  through?: readonly string[];
  /** Told of the process at once, long before it listens. */
  spawned?: (child: ChildProcess) => void;
}

/** Starts `accession serve` on a data folder and waits until it listens. */
export async function startProgram(
  data: string,
  settings: Record<string, string> = {},
  options: StartOptions = {},
): Promise<Program> {
  const { up, ...running } = await begin("serve", /"url":"([^"]+)"[^\n]*"the service is up"/, data, settings, options);
  return { url: up, api: new Api(up), ...running };
}

/** Starts `accession worker` on a data folder of its own and waits until it works. */
export async function startWorker(
  data: string,
  settings: Record<string, string>,
  options: StartOptions = {},
): Promise<Worker> {
  const { up: _, ...running } = await begin("worker", /("the worker is up")/, data, settings, options);
  return running;
}

/** @param isUp finds in the log that it is up, and as what */
async function begin(
  verb: string,
  isUp: RegExp,
  data: string,
  settings: Record<string, string>,
  options: StartOptions,
): Promise<Worker & { up: string }> {
  const [command = "", ...args] = [...(options.through ?? []), process.execPath, options.module ?? program, verb];
  const child = spawn(command, args, {
    env: {
      ...programEnv(),
      ACCESSION_DATA: data,
      ACCESSION_PORT: "0",
      ACCESSION_LOG_LEVEL: "debug",
      ACCESSION_RATE_LIMIT_CHECKS: "0",
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  options.spawned?.(child);
  let log = "";
  const up = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const found = isUp.exec(log)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`The program ended with ${code}:\n${log}`)));
  });
  return {
    up,
    process: child,
    log: () => log,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const gone = once(child, "exit");
      child.kill(signal);
      const [code] = (await gone) as [number | null];
      return code;
    },
  };
}
