#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { advice, codes, isError, type OcflCode } from "./codes.ts";
import { type Finding, findingRecord, findingsByCode } from "./findings.ts";
import { identifyFolder } from "./identify-folder.ts";
import { validateObject } from "./validate-object.ts";
import { validateStorageRoot } from "./validate-storage-root.ts";

const HELP = `Usage: ocfl validate [--json] <folder>

Validates an OCFL 1.0 or 1.1 object or storage root: every rule of the specification, and every byte of the content.
Nothing is written. The findings have the codes of https://ocfl.io/1.1/spec/validation-codes.html.

Options:
  --json     print one JSON object: {valid, type, folder, objects, versions, files, bytes, findings}
  --version  print the version of this program
  --help     print this help

Exit codes:
  0  valid; there can be warnings
  1  invalid
  2  the folder cannot be read, or is neither an object nor a storage root
`;

/** Maximum number of findings that are printed for each code; --json prints all. */
const MAX_PRINTED = 10;

/** A message for the user of the command. The exit code is 2. */
class UsageError extends Error {}

interface Result {
  valid: boolean;
  type: "object" | "storage root";
  folder: string;
  objects: number;
  versions: number;
  files: number;
  bytes: number;
  findings: Finding[];
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) return print(HELP, 0);
  if (values.version) return print(`${packageVersion()}\n`, 0);
  const [command, folder, ...others] = positionals;
  if (command !== "validate" || folder === undefined || others.length > 0) throw new UsageError(HELP);
  const result = await validate(folder);
  print(values.json ? `${JSON.stringify(asJson(result))}\n` : asText(result), 0);
  return result.valid ? 0 : 1;
}

function parse(args: string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options: { json: flag, help: flag, version: flag } });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

async function validate(folder: string): Promise<Result> {
  try {
    const found = await identifyFolder(folder);
    if (found === undefined) {
      throw new UsageError(`${folder} is neither an OCFL object nor a storage root: it has no declaration (0=ocfl…)\n`);
    }
    const { type } = found;
    const { ok, ...report } =
      type === "object" ? { objects: 1, ...(await validateObject(folder)) } : await validateStorageRoot(folder);
    return { valid: ok, type, folder, ...report };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`${folder} cannot be read: ${message}\n`);
  }
}

function asJson({ findings, ...result }: Result): object {
  return { ...result, findings: findings.map(findingRecord) };
}

function asText(result: Result): string {
  const { valid, type, folder, findings } = result;
  const lines = findingsByCode(findings).flatMap(([code, group]) => linesOf(code, group));
  const errors = findings.filter(({ code }) => isError(code)).length;
  const counts = [
    [result.objects, "object"],
    [result.versions, "version"],
    [result.files, "file"],
    [result.bytes, "byte"],
    [errors, "error"],
    [findings.length - errors, "warning"],
  ] as const;
  const summary = counts.map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`).join(", ");
  return `${lines.join("")}The ${type} ${folder} is ${valid ? "valid" : "not valid"} (${summary}).\n`;
}

function linesOf(code: OcflCode, group: readonly Finding[]): string[] {
  const { means, advice: what } = codes[code];
  const hidden = group.length - MAX_PRINTED;
  return [
    `${code} ${means} (${group.length})\n`,
    ...group.slice(0, MAX_PRINTED).map(({ path, detail }) => `  ${printable(path || ".")}: ${printable(detail)}\n`),
    ...(hidden > 0 ? [`  … and ${hidden} more; --json prints all\n`] : []),
    `  → ${advice[what]}\n\n`,
  ];
}

/** Escapes characters that control the terminal: paths and ids are untrusted. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}

function packageVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(error instanceof UsageError ? error.message : `${(error as Error).stack}\n`);
  process.exitCode = 2;
}
