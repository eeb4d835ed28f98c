import { basename, relative } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { Client } from "./client/client.ts";
import { Output } from "./terminal/output.ts";

export interface Common {
  json?: boolean;
}

/** A command whose result is for people and programs: `--json` in a terminal, `--no-json` in a pipe. */
export function addApiCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option("--json", "print JSON lines, as in a pipe")
    .option("--no-json", "print text for people, also in a pipe");
}

/** Which version of a dataset is meant. `--version` is the program’s own. */
export interface OfVersion {
  datasetVersion?: number;
}

export function addVersionOption(command: Command): Command {
  return command.option("--dataset-version <n>", "this version of it; default: the latest one", wholeNumber);
}

/** What a client command works with. */
export function clientOf(options: Common): { client: Client; output: Output } {
  return { client: Client.fromEnvironment(process.env), output: new Output(options) };
}

/** Gathers a repeatable option. */
export function gather(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("A whole number of at least 1 is needed.");
  return Number(text);
}

/** How this program was called, for commands that a person can copy. */
export function commandName(): string {
  const script = process.argv[1] ?? "";
  if (script.endsWith(".ts")) return "npm run --silent accession --";
  return basename(script) === "accession.js" ? `node ${shortest(script)}` : "accession";
}

/** A path as a person would type it here. */
export function shortest(path: string): string {
  const here = relative(process.cwd(), path);
  return here === "" || here.startsWith("..") ? path : here;
}

/** A path under an address, ids and all. */
export function submissionPath(id: string, rest = ""): string {
  return `/submission/${encodeURIComponent(id)}${rest}`;
}

/** The same of a dataset, or of a version of it. */
export function datasetPath(id: string, rest = "", version?: number): string {
  const query = version === undefined ? "" : `?version=${version}`;
  return `/dataset/${encodeURIComponent(id)}${rest}${query}`;
}
