#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addArchive } from "./commands/archive-copy.ts";
import { addCancel } from "./commands/cancel.ts";
import { addCheck } from "./commands/check.ts";
import { addConfig } from "./commands/config.ts";
import { addCredentials } from "./commands/credentials.ts";
import { addDataset } from "./commands/dataset.ts";
import { addDemo } from "./commands/demo.ts";
import { addExclude } from "./commands/exclude.ts";
import { addExport } from "./commands/export.ts";
import { addKeys } from "./commands/keys.ts";
import { addList } from "./commands/list.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addPreview } from "./commands/preview.ts";
import { addRebuild } from "./commands/rebuild.ts";
import { addReceipt } from "./commands/receipt.ts";
import { addRetry } from "./commands/retry.ts";
import { addServe } from "./commands/serve.ts";
import { addStatus } from "./commands/status.ts";
import { addSubmit } from "./commands/submit.ts";
import { addToken } from "./commands/token.ts";
import { addVerify } from "./commands/verify.ts";
import { addWatch } from "./commands/watch.ts";
import { addWorker } from "./commands/worker.ts";
import { Failure } from "./terminal/failure.ts";
import { Output } from "./terminal/output.ts";
import { show } from "./terminal/text.ts";

const WRONG_USAGE = 2;
/** The error of writing to a closed terminal. The process also receives SIGHUP. */
const TERMINAL_CLOSED = "EIO";

const groups: [heading: string, commands: ((program: Command) => void)[]][] = [
  ["The service:", [addDemo, addServe, addWorker, addConfig, addKeys, addMigrate, addRebuild]],
  [
    "Submitting (to the service at ACCESSION_URL):",
    [addCheck, addPreview, addSubmit, addList, addStatus, addWatch, addCancel, addRetry, addCredentials, addExclude],
  ],
  ["What is archived (at the service at ACCESSION_URL):", [addDataset, addExport]],
  ["Who may come in (to the service at ACCESSION_URL, as an admin):", [addToken]],
  ["Checking and copying the archive (no service needed):", [addVerify, addReceipt, addArchive]],
];

/** The program: every command by its heading. */
export function build(): Command {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve("#package")), "utf8")) as { version: string };
  const program = new Command("accession")
    .description("Takes custody of a dataset that lies in an S3-compatible bucket.")
    .version(version)
    // Otherwise a command’s “--version 1” would be this one.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(“accession --help” and “accession VERB --help” say more)")
    .configureOutput({ outputError: (text, write) => write(withoutSecrets(text)) })
    .addHelpText("after", HELP);
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  return program;
}

const HELP = `
Client commands read ACCESSION_URL (http://127.0.0.1:8080 unless set) and ACCESSION_TOKEN, or the file that ACCESSION_TOKEN_FILE names.
In a pipe results are JSON lines; --json and --no-json choose.
Exit codes: 0 done, 1 the work failed, 2 wrong usage, 3 the service cannot be reached.

Examples:
  accession demo
  accession check https://s3.example.org barley-roots
  accession submit https://s3.example.org barley-roots --metadata dataset.json --watch
  accession receipt get 0198f0c2-… --output receipt.jws
  accession receipt verify receipt.jws --archive /srv/archive`;

/** A secret that was tried as an option is not printed, and the person learns where it belongs. */
function withoutSecrets(text: string): string {
  if (!/unknown option '--?(secret|access|session|token|key|password)/i.test(text)) return text;
  return "error: secrets are never arguments: use ACCESSION_ACCESS_KEY and ACCESSION_SECRET_KEY, --credentials-file FILE, or the prompt; ACCESSION_TOKEN or ACCESSION_TOKEN_FILE for a token\n";
}

async function main(): Promise<number | undefined> {
  try {
    await build().parseAsync();
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? undefined : WRONG_USAGE;
    return explain(error);
  }
}

function explain(error: unknown): number {
  const wish = process.argv.findLast((argument) => argument === "--json" || argument === "--no-json");
  const output = new Output({ json: wish === undefined ? undefined : wish === "--json" });
  if (error instanceof Failure) {
    for (const line of error.lines) output.note(line, { hang: line.text.startsWith(" ") ? 4 : 0 });
    if (error.data !== undefined) output.data(error.data);
    return error.exitCode;
  }
  output.note(show`accession failed unexpectedly: ${(error as Error)?.message ?? String(error)}`);
  if (/^(debug|trace)$/.test(process.env.ACCESSION_LOG_LEVEL ?? "")) console.error(error);
  return 1;
}

// Its help is also read for docs/commands.md.
if (import.meta.main) {
  // A reader that has seen enough (“| head”) is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    if (error.code !== TERMINAL_CLOSED) throw error;
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== TERMINAL_CLOSED) throw error;
  });
  const code = await main();
  if (code !== undefined) process.exitCode = code;
}
