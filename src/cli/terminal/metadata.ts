import type { Output } from "./output.ts";
import { pad, type Shown, show, styled } from "./text.ts";

/** Maximum number of entries of a list that are printed. */
const MOST_ENTRIES = 20;
/** Maximum characters of a text that are printed. */
const MOST_CHARACTERS = 400;

/**
 * Prints the fields of metadata in lines of text.
 *
 * @param origins where the value of a field comes from, printed after its name
 */
export function sayMetadata(
  say: (line: Shown, options: { hang: number }) => void,
  metadata: unknown,
  origins: ReadonlyMap<string, string> = new Map(),
): void {
  const fields = Object.entries(isObject(metadata) ? metadata : {}).filter(([, value]) => !isBlank(value));
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  for (const [name, value] of fields) {
    const origin = origins.get(name);
    const from = origin === undefined ? show`` : show` ${styled("dim", `(${origin})`)}`;
    if (isListOfObjects(value)) {
      say(show`  ${name}${from}`, { hang: 4 });
      for (const line of entriesOf(value)) say(show`    ${line}`, { hang: 6 });
    } else say(show`  ${pad(name, width)}  ${textOf(value)}${from}`, { hang: width + 4 });
  }
}

/** The same on standard output, for results. */
export function sayFields(output: Output, metadata: unknown): void {
  sayMetadata((line, options) => output.say(line, options), metadata);
}

function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some((entry) => typeof entry === "object");
}

function entriesOf(list: readonly unknown[]): string[] {
  const more = list.length - MOST_ENTRIES;
  const lines = list.slice(0, MOST_ENTRIES).map((entry) => `– ${textOf(entry)}`);
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return shortened(value.map((entry) => textOf(entry)).join(", "));
  if (!isObject(value)) return shortened(String(value));
  const members = Object.entries(value).filter(([, member]) => !isBlank(member));
  return shortened(
    members.map(([name, member]) => `${name}: ${isObject(member) ? `{${textOf(member)}}` : textOf(member)}`).join(", "),
  );
}

function shortened(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS).toWellFormed()}…` : plain;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value counts as not given. */
export function isBlank(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
