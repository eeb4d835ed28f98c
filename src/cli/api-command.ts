import { basename, dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Argument, type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { Client } from "./client/client.ts";
import { Output } from "./terminal/output.ts";

/** Adds a command whose result can be text or JSON, with the options that select the format. */
export function addApiCommand(parent: Command, name: string, description: string) {
  return parent
    .command(name)
    .description(description)
    .option("--json", "print JSON lines (default in a pipe)")
    .option("--no-json", "print text (default in a terminal)");
}

/** The options of the commands that `add` adds. */
export type OptionsOf<Add extends (...parameters: never[]) => { opts(): unknown }> = ReturnType<
  ReturnType<Add>["opts"]
>;

/** Option that selects a version of a dataset. It is not named `--version`, which prints the version of the program. */
export const VERSION = new Option("--dataset-version <n>", "version of the dataset (default: latest)").argParser(
  wholeNumber,
);

/** The version of a dataset in the query of a request. */
export function versionQuery({ datasetVersion }: { datasetVersion?: number }): { version?: number } {
  return given({ version: datasetVersion });
}

/** The argument of commands about one dataset. */
export const DATASET = new Argument("<dataset>", "id of the dataset (UUID or urn:uuid:…)");

/** The argument of commands about one submission. */
export const SUBMISSION = new Argument("<id>", "id of the submission");

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that are not undefined, for optional members of a request. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;
}

const DAY_MS = 86_400_000;

/** Returns the time that is this number of days from now, as ISO 8601. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** Returns the client and the output of a client command. */
export function clientOf(options: { json?: boolean }): { client: Client; output: Output } {
  return { client: Client.fromEnvironment(process.env), output: new Output(options) };
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("A whole number of at least 1 is required.");
  return Number(text);
}

/** Returns the command with which this program can be called in the working directory, for commands to copy. */
export function commandName(): string {
  const script = process.argv[1] ?? "";
  if (script.endsWith(".ts")) return isInCheckout() ? "npm run --silent accession --" : "accession";
  return basename(script) === "accession.js" ? `node ${shortest(script)}` : "accession";
}

/** npm finds its scripts below the folder of `package.json` only. Elsewhere, the program of docs/how-to/own-bucket.md is used. */
function isInCheckout(): boolean {
  const checkout = dirname(fileURLToPath(import.meta.resolve("#package")));
  return !relative(checkout, process.cwd()).startsWith("..");
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
