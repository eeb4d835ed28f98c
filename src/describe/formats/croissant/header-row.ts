import { isUtf8 } from "node:buffer";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";

/** Bytes from the beginning of a file in which the first row must end. */
export const HEAD_BYTES = 64 << 10;
/** More columns are data, and not something that people read. */
const MOST_COLUMNS = 500;
const LONGEST_TITLE = 300;

const SEPARATORS = new Map([
  ["csv", ","],
  ["tsv", "\t"],
  ["tab", "\t"],
]);

/** Whether the name of a file is that of a table. */
export function isTable(path: string): boolean {
  return separatorOf(path) !== undefined;
}

/**
 * The titles of the columns of a table as they are written, from the beginning of the file (RFC 4180). Undefined if its first row is
 * probably no header: each cell of a header has a text that is no number or date, and occurs once. Files with other separators than
 * their names state are no tables for the programs that read Croissant.
 *
 * @param head the first {@link HEAD_BYTES} of the file, or all of it
 */
export function headerRow(path: string, head: Uint8Array): string[] | undefined {
  const delimiter = separatorOf(path);
  const line = firstLine(head);
  if (delimiter === undefined || line === undefined) return undefined;
  const [cells = []] = parsed(line, delimiter) ?? [];
  const titles = cells.map((cell) => cell.trim());
  if (titles.length < 2 || titles.length > MOST_COLUMNS || new Set(titles).size < titles.length) return undefined;
  return titles.every(isTitle) ? cells : undefined;
}

function separatorOf(path: string): string | undefined {
  return SEPARATORS.get(/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** The first row, which can contain line ends in quotes; undefined if it is not UTF-8, or does not end within the bytes. */
function firstLine(head: Uint8Array): string | undefined {
  let isQuoted = false;
  const end = head.findIndex((byte) => {
    if (byte === QUOTE) isQuoted = !isQuoted;
    return !isQuoted && (byte === LINE_FEED || byte === CARRIAGE_RETURN);
  });
  if (end < 0 && head.length >= HEAD_BYTES) return undefined;
  const row = end < 0 ? head : head.subarray(0, end);
  return isUtf8(row) ? new TextDecoder().decode(row) : undefined;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function parsed(line: string, delimiter: string): string[][] | undefined {
  try {
    return parse(line, { delimiter, to: 1 });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

function isTitle(cell: string): boolean {
  return cell !== "" && cell.length <= LONGEST_TITLE && !DATA.test(cell) && !CONTROL.test(cell);
}

/** Numbers and dates. */
const DATA = /^[+-]?(?:\d[\d.,]*(?:e[+-]?\d+)?|\.\d+|\d{4}-\d\d.*|\d\d?[./]\d\d?[./]\d{2,4})$/i;
const CONTROL = /\p{Cc}/u;
