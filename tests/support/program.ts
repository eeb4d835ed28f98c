import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Api } from "./api.ts";

const program = fileURLToPath(new URL("../../src/cli/accession.ts", import.meta.url));

/** The real program as a process of its own, so that it can be killed. */
export interface Program {
  url: string;
  api: Api;
  process: ChildProcess;
  /** Everything it has logged so far. */
  log(): string;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `accession serve` on a data folder and waits until it listens. */
export async function startProgram(data: string, settings: Record<string, string> = {}): Promise<Program> {
  const child = spawn(process.execPath, [program, "serve"], {
    env: {
      PATH: process.env.PATH,
      ACCESSION_DATA: data,
      ACCESSION_PORT: "0",
      ACCESSION_LOG_LEVEL: "debug",
      ACCESSION_RATE_LIMIT_CHECKS: "0",
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const found = /"url":"([^"]+)"[^\n]*"the service is up"/.exec(log)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`The program ended with ${code}:\n${log}`)));
  });
  return {
    url,
    api: new Api(url),
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
