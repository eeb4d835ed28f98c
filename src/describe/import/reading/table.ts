import { InvalidFileError, tooMany } from "./invalid-file.ts";

/** Maximum number of cells. */
const MAX_CELLS = 200_000;

export interface TableRow {
  cells: string[];
  line: number;
}

/**
 * Parses tab-separated values. A cell can be in double quotes and then contain tabs, line breaks and doubled quotes. Lines
 * end with LF, CR LF or CR. Empty lines are skipped.
 * @throws InvalidFileError beyond {@link MAX_CELLS}, and with the line of a quote that is not closed
 */
export function readTable(text: string): TableRow[] {
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let count = 0;
  let line = 1;
  let rowLine = 1;
  const endRow = () => {
    if (cells.some((cell) => cell !== "")) rows.push({ cells, line: rowLine });
    cells = [];
  };
  // Every match is not empty, except that at the end of the text, and starts where the previous one ended.
  for (const [, quoted, plain = "", end = ""] of text.matchAll(
    /(?:"([^"]*(?:""[^"]*)*)"[^\t\r\n]*|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy,
  )) {
    count += 1;
    if (count > MAX_CELLS) throw tooMany("cells", MAX_CELLS);
    if (cells.length === 0) rowLine = line;
    if (quoted === undefined && plain.startsWith('"')) {
      throw new InvalidFileError("A double quote is not closed.", `line ${line}`);
    }
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    cells.push(cell.trim());
    if (end === "\t") continue;
    line += lineBreaks(cell) + 1;
    endRow();
  }
  return rows;
}

function lineBreaks(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}
