import { parse } from "papaparse";

const ROWS = 100;
const COLUMNS = 50;

/** The first rows and columns of a table. @param isWhole false if the last line may be incomplete */
export function rowsOf(text: string, isWhole: boolean): { rows: string[][]; isCut: boolean } {
  const { data } = parse<string[]>(text, { preview: ROWS + 1, skipEmptyLines: true });
  const rows = isWhole || data.length > ROWS ? data : data.slice(0, -1);
  const isCut = rows.length > ROWS || rows.some((row) => row.length > COLUMNS);
  return { rows: rows.slice(0, ROWS).map((row) => row.slice(0, COLUMNS)), isCut };
}
