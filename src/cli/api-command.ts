import { basename, relative } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { Client } from "./client/client.ts";
import { Output } from "./terminal/output.ts";

export interface Common {
  json?: boolean;
}

/** Adds a command whose result can be text or JSON, with the options that select the format. */
export function addApiCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option("--json", "print JSON lines (default in a pipe)")
    .option("--no-json", "print text (default in a terminal)");
}

/** Option that selects a version of a dataset. It is not named `--version`, which prints the version of the program. */
export interface OfVersion {
  datasetVersion?: number;
}

export function addVersionOption(command: Command): Command {
  return command.option("--dataset-version <n>", "version of the dataset (default: latest)", wholeNumber);
}

/** The argument of commands about one dataset. */
export const DATASET = ["<dataset>", "id of the dataset (UUID or urn:uuid:…)"] as const;

const DAY_MS = 86_400_000;

/** Returns the time that is this number of days from now, as ISO 8601. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** Returns the client and the output of a client command. */
export function clientOf(options: Common): { client: Client; output: Output } {
  return { client: Client.fromEnvironment(process.env), output: new Output(options) };
}

/** Collects the values of a repeatable option. */
export function gather(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("A whole number of at least 1 is required.");
  return Number(text);
}

/** Returns the command with which this program was called, for commands to copy. */
export function commandName(): string {
  const script = process.argv[1] ?? "";
  if (script.endsWith(".ts")) return "npm run --silent accession --";
  return basename(script) === "accession.js" ? `node ${shortest(script)}` : "accession";
}

/** Returns the shorter of the absolute path and the path relative to the working directory. */
export function shortest(path: string): string {
  const here = relative(process.cwd(), path);
  return here === "" || here.startsWith("..") ? path : here;
}

/** Returns a path of the API below a submission. */
export function submissionPath(id: string, rest = ""): string {
  return `/submission/${encodeURIComponent(id)}${rest}`;
}

/** Returns a path of the API below a dataset, or a version of it. */
export function datasetPath(id: string, rest = "", version?: number): string {
  const query = version === undefined ? "" : `?version=${version}`;
  return `/dataset/${encodeURIComponent(id)}${rest}${query}`;
}
