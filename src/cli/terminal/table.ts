import type { Output } from "./output.ts";
import { cut, join, pad, type Showable, type Shown, show } from "./text.ts";

export interface Column<T> {
  title: string;
  cell: (row: T) => Showable;
  side?: "right";
  /** Order in which columns are omitted if the terminal is too narrow, highest first. Columns without it are always shown. */
  dispensable?: number;
  /** The column fills the remaining width. Its texts are cut. */
  fills?: true;
}

const GAP = 2;
/** Minimum width of the column that fills. */
const LEAST = 20;

/** Formats rows under their titles for a terminal of this width. */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[], width: number): Shown[] {
  const measured = columns.map((column) => {
    const cells = rows.map((row) => show`${column.cell(row)}`);
    return { ...column, cells, width: Math.max(column.title.length, ...cells.map((cell) => cell.width)) };
  });
  const chosen = fitting(measured, width);
  const filler = chosen.find((column) => column.fills);
  if (filler !== undefined) {
    const others = chosen.reduce((sum, column) => sum + (column === filler ? 0 : column.width + GAP), 0);
    filler.width = Math.min(filler.width, Math.max(LEAST, width - others));
  }
  const line = (cellOf: (column: (typeof chosen)[number]) => Showable) =>
    chosen
      .map((column) => pad(cut(cellOf(column), column.width), column.width, column.side === "right" ? "right" : "left"))
      .reduce((before, cell) => show`${before}${" ".repeat(GAP)}${cell}`);
  return [
    line((column) => column.title.toUpperCase()),
    ...rows.map((_, index) => line(({ cells }) => cells[index] ?? "")),
  ];
}

/**
 * Formats rows as {@link table} does. Columns that do not fit are not omitted: their values are in a second line of each row,
 * with their titles.
 */
export function fullTable<T>(columns: readonly Column<T>[], rows: readonly T[], width: number): Shown[] {
  const all = columns.map(({ title, cell, ...rest }) => {
    const widest = Math.max(title.length, ...rows.map((row) => show`${cell(row)}`.width));
    return { ...rest, title, cell, width: widest };
  });
  const chosen = fitting(all, width);
  const below = all.filter((column) => !chosen.includes(column));
  const [heading, ...lines] = table(chosen, rows, width);
  if (heading === undefined) return [];
  const details = (row: T) =>
    below
      .map(({ title, cell }) => ({ title, value: show`${cell(row)}` }))
      .filter(({ value }) => value.width > 0)
      .map(({ title, value }) => show`${title}: ${value}`);
  const second = (row: T): Shown[] => {
    const found = details(row);
    return found.length === 0 ? [] : [show`  ${join(found, ", ")}`];
  };
  return [heading, ...rows.flatMap((row, index) => [...lines.slice(index, index + 1), ...second(row)])];
}

function fitting<T extends { width: number; fills?: true; dispensable?: number }>(columns: T[], width: number): T[] {
  const needs = (kept: T[]) =>
    kept.reduce((sum, column) => sum + GAP + (column.fills ? Math.min(column.width, LEAST) : column.width), -GAP);
  let kept = columns;
  while (needs(kept) > width) {
    const worst = Math.max(...kept.map(({ dispensable = 0 }) => dispensable));
    if (worst === 0) break;
    kept = kept.filter(({ dispensable = 0 }) => dispensable !== worst);
  }
  return kept;
}

/** Prints entries as JSON lines or as a table. Without entries the text is `none`, if it is given, instead of the titles. */
export async function sayTable<T>(
  output: Output,
  entries: Iterable<T> | AsyncIterable<T>,
  { columns, none, format = table }: { columns: readonly Column<T>[]; none?: Shown; format?: typeof table },
): Promise<void> {
  const found: T[] = [];
  for await (const entry of entries) {
    output.data(entry);
    if (!output.json) found.push(entry);
  }
  if (found.length === 0 && none !== undefined) output.say(none);
  else for (const line of format(columns, found, output.columns)) output.say(line);
}

const AT_ONCE = 1_000;

/** Prints files as JSON lines or as a table, in batches while they are read, because there can be a million. */
export async function sayPages<T>(
  output: Output,
  files: AsyncIterable<T>,
  columns: readonly Column<T>[],
): Promise<void> {
  let page: T[] = [];
  let seen = 0;
  const flush = () => {
    const lines = table(columns, page, output.columns);
    for (const line of seen === 0 ? lines : lines.slice(1)) output.say(line);
    seen += page.length;
    page = [];
  };
  output.say(show``);
  for await (const file of files) {
    output.data(file);
    if (!output.json) page.push(file);
    if (page.length >= AT_ONCE) flush();
  }
  if (page.length > 0) flush();
  if (seen === 0) output.say(show`No files match`);
}
