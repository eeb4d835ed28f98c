#!/usr/bin/env -S node --max-semi-space-size=2
// First: it ends the process if Node.js is too old.
import "./node-version.ts";

import { readFileSync } from "node:fs";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { addMail } from "./commands/account/mail.ts";
import { addArchive } from "./commands/archive/archive-copy.ts";
import { addReceipt } from "./commands/archive/receipt.ts";
import { addVerify } from "./commands/archive/verify.ts";
import { addCompare } from "./commands/dataset/compare.ts";
import { addDataset } from "./commands/dataset/dataset.ts";
import { addExport } from "./commands/dataset/export.ts";
import { addAccess } from "./commands/publication/access.ts";
import { addCollection } from "./commands/publication/collection.ts";
import { addDoi } from "./commands/publication/doi.ts";
import { addPublish } from "./commands/publication/publish.ts";
import { addReview } from "./commands/publication/review.ts";
import { addAdminToken } from "./commands/service/admin-token.ts";
import { addConfig } from "./commands/service/config.ts";
import { addDemo } from "./commands/service/demo.ts";
import { addKeys } from "./commands/service/keys.ts";
import { addMigrate } from "./commands/service/migrate.ts";
import { addRebuild } from "./commands/service/rebuild.ts";
import { addServe } from "./commands/service/serve.ts";
import { addToken } from "./commands/service/token.ts";
import { addVocabulary } from "./commands/service/vocabulary.ts";
import { addWorker } from "./commands/service/worker.ts";
import { addCancel } from "./commands/submission/cancel.ts";
import { addCheck } from "./commands/submission/check.ts";
import { addCredentials } from "./commands/submission/credentials.ts";
import { addExclude } from "./commands/submission/exclude.ts";
import { addList } from "./commands/submission/list.ts";
import { addPreview } from "./commands/submission/preview.ts";
import { addRetry } from "./commands/submission/retry.ts";
import { addStatus } from "./commands/submission/status.ts";
import { addSubmit } from "./commands/submission/submit.ts";
import { addWatch } from "./commands/submission/watch.ts";
import { addUpload } from "./commands/upload/upload.ts";
import { addUploads } from "./commands/upload/uploads.ts";
import { Failure } from "./terminal/failure.ts";
import { Output } from "./terminal/output.ts";
import { show } from "./terminal/text.ts";

const WRONG_USAGE = 2;
/** The error of writing to a closed terminal. The process also receives SIGHUP. */
const TERMINAL_CLOSED = "EIO";

const groups: [heading: string, commands: ((program: Command) => void)[]][] = [
  [
    "Service:",
    [addDemo, addServe, addWorker, addConfig, addKeys, addMigrate, addRebuild, addAdminToken, addVocabulary],
  ],
  [
    "Submissions (of the service at ACCESSION_URL):",
    [
      addCheck,
      addPreview,
      addSubmit,
      addUpload,
      addUploads,
      addList,
      addStatus,
      addWatch,
      addCancel,
      addRetry,
      addCredentials,
      addExclude,
    ],
  ],
  ["Datasets (of the service at ACCESSION_URL):", [addDataset, addExport, addCompare]],
  ["Publication (of the service at ACCESSION_URL):", [addPublish, addReview, addAccess, addDoi, addCollection]],
  ["Account (of the service at ACCESSION_URL):", [addMail]],
  ["Tokens (of the service at ACCESSION_URL, as an admin):", [addToken]],
  ["Archive (without a running service, except for “receipt get”):", [addVerify, addReceipt, addArchive]],
];

/** Builds the program with all commands, grouped by headings. */
export function build(): Command {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve("#package")), "utf8")) as { version: string };
  const program = new Command("accession")
    .description("Archives datasets from S3-compatible buckets, verifies them and issues signed receipts.")
    .version(version)
    // Otherwise “--version 1” after a command would be the option of the program.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(Run “accession --help” or “accession COMMAND --help” for help.)")
    .configureOutput({ outputError: (text, write) => write(withoutSecrets(text)) })
    .addHelpText("after", HELP);
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  nameHelp(program, "accession");
  return program;
}

/** Errors of a command name its own help. */
function nameHelp(parent: Command, name: string): void {
  for (const command of parent.commands as Command[]) {
    const own = `${name} ${command.name()}`;
    command.showHelpAfterError(`(Run “${own} --help” for help.)`);
    nameHelp(command, own);
  }
}

const HELP = `
The commands for submissions, datasets, publication and tokens, and “receipt get”, connect to
ACCESSION_URL (default: http://127.0.0.1:8080) with the token in ACCESSION_TOKEN
or in the file ACCESSION_TOKEN_FILE. Output is text in a terminal and JSON lines
in a pipe. --json and --no-json select the format. Exit codes: 0 done, 1 failed,
2 invalid usage, 3 service not reachable.

Examples:
  accession demo
  accession check https://s3.example.org barley-roots
  accession submit https://s3.example.org barley-roots --metadata dataset.json --watch
  accession receipt get 0198f0c2-… --output receipt.jws
  accession receipt verify receipt.jws --archive /srv/accession/archive`;

/** Replaces the error about an option that names a secret, which could print the secret, by advice on how to pass it. */
function withoutSecrets(text: string): string {
  if (!/unknown option '--?(secret|access|session|token|key|password)/i.test(text)) return text;
  return "error: secrets cannot be part of the command line. For the credentials of a bucket, use ACCESSION_ACCESS_KEY and ACCESSION_SECRET_KEY, --credentials-file FILE or the prompt. For a token, use ACCESSION_TOKEN or ACCESSION_TOKEN_FILE.\n";
}

/** Runs the command of `process.argv`. Returns the exit code if it differs from `process.exitCode`. */
export async function main(): Promise<number | undefined> {
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

// Not when imported: docs/commands.md is generated from this module.
if (import.meta.main) {
  // A reader that closes the pipe early, such as “head”, is not a failure.
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
