import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";

/** A part of a table. */
export interface Table {
  rows: string[][];
  /** Whether the table has more rows or columns, or longer cells. */
  isCut: boolean;
}

const ROWS = 50;
const COLUMNS = 50;
const LONGEST_CELL = 300;
/** Separators of columns. The one that occurs most in the first line is that of the table. */
const SEPARATORS = [",", ";", "\t", "|"];
/** Characters of a line in which separators are counted. */
const LONGEST_LINE = 10_000;

/** Whether the name of a file is that of a table. */
export function isTable(path: string): boolean {
  return /\.(?:csv|tsv|tab)$/i.test(path);
}

/**
 * The first rows and columns of a table.
 *
 * @param isWhole false if the text is the beginning of the file
 * @returns undefined if the text is no table
 */
export function tableOf(path: string, text: string, isWhole: boolean): Table | undefined {
  const { rows, isAll } = rowsOf(text, separatorOf(path, text));
  // Its last row may be incomplete.
  const complete = isWhole || !isAll || rows.length < 2 ? rows : rows.slice(0, -1);
  if (complete.length === 0) return undefined;
  const shown = complete.slice(0, ROWS).map((row) => row.slice(0, COLUMNS).map(shortened));
  const isCut =
    !isWhole ||
    !isAll ||
    complete.length > ROWS ||
    complete.some((row) => row.length > COLUMNS || row.some((cell) => cell.length > LONGEST_CELL));
  return { rows: shown, isCut };
}

/** The rows up to one more than are shown. `isAll` is false if there may be more. */
function rowsOf(text: string, delimiter: string): { rows: string[][]; isAll: boolean } {
  const rows: string[][] = [];
  const options = {
    delimiter,
    to: ROWS + 1,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (row: string[]) => {
      rows.push(row);
      return null;
    },
  };
  try {
    parse(text, options);
    return { rows, isAll: rows.length <= ROWS };
  } catch (error) {
    // Such as a quotation mark that is never closed. The rows before it are a table.
    if (error instanceof CsvError) return { rows, isAll: false };
    throw error;
  }
}

function separatorOf(path: string, text: string): string {
  if (!/\.csv$/i.test(path)) return "\t";
  const [line = ""] = text.slice(0, LONGEST_LINE).split(/\r?\n|\r/, 1);
  const counts = SEPARATORS.map((separator) => line.replace(/"[^"]*"/g, "").split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}

function shortened(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
}
