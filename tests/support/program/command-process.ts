/**
 * A process that runs commands of the real command line one after the other, because loading its modules takes longer than
 * most commands. It ends with the process that started it.
 */
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { main } from "../../../src/cli/accession.ts";

export interface Run {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The working directory. */
  cwd: string;
  /** Standard input. */
  input: string;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const PROGRAM = fileURLToPath(new URL("../../../src/cli/accession.ts", import.meta.url));
let ran: Ran = { code: 0, stdout: "", stderr: "" };

for (const name of ["stdout", "stderr"] as const) {
  const write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    ran[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = more.findLast((argument) => typeof argument === "function");
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  Object.assign(process[name], { write });
}

process.on("message", async ({ args, env, cwd, input }: Run) => {
  ran = { code: 0, stdout: "", stderr: "" };
  process.argv = [process.execPath, PROGRAM, ...args];
  process.env = env;
  process.exitCode = undefined;
  process.chdir(cwd);
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  const code = await main();
  // A command leaves its listeners to the end of its process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1"]) process.removeAllListeners(signal);
  process.send?.({ ...ran, code: code ?? Number(process.exitCode ?? 0) } satisfies Ran);
});
process.on("disconnect", () => process.exit());
