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
  /** Its log so far. */
  log(): string;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A process that serves the API. */
export interface Program extends Worker {
  url: string;
  api: Api;
}

/** Differences from the usual start of a program. */
export interface StartOptions {
  /** The module of the command line; default: that of the sources. */
  module?: string;
  /** A command that runs the program as its last arguments, such as `prlimit --nofile=50`. */
  through?: readonly string[];
  /** Called with the process as soon as it is created, before it listens. */
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

/** Starts `accession worker` on a separate data folder and waits until it is ready. */
export async function startWorker(
  data: string,
  settings: Record<string, string>,
  options: StartOptions = {},
): Promise<Worker> {
  const { up: _, ...running } = await begin("worker", /("the worker is up")/, data, settings, options);
  return running;
}

/** @param isUp matches the log line after which the program is ready; group 1 is returned as `up` */
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
