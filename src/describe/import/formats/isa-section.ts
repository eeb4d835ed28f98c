import { givenText } from "../../../domain/blank.ts";
import type { TableRow } from "../reading/table.ts";

/** A section of the file: for each label the values of its columns. */
export class IsaSection {
  readonly name: string;
  readonly line: number;
  readonly #rows = new Map<string, TableRow>();

  constructor(name: string, line: number) {
    this.name = name;
    this.line = line;
  }

  add(row: TableRow): void {
    const label = foldLabel(row.cells[0] ?? "");
    if (!this.#rows.has(label)) this.#rows.set(label, row);
  }

  /** The value of a label, without the prefix “Investigation” or “Study”. */
  value(label: string, column = 0): string | undefined {
    return givenText(this.#row(label)?.cells[column + 1]);
  }

  place(label: string): string {
    return `line ${this.#row(label)?.line ?? this.line}`;
  }

  /** The number of the last column in which one of the labels has a value. */
  columns(...labels: string[]): number {
    return Math.max(0, ...labels.map((label) => this.#row(label)?.cells.findLastIndex((cell) => cell !== "") ?? 0));
  }

  #row(label: string): TableRow | undefined {
    return this.#rows.get(label);
  }
}

/** “Study Person Last Name” becomes “person last name”, and “Comment[Study Person ORCID]” becomes “person orcid”. */
function foldLabel(label: string): string {
  const comment = /^comment ?\[([^[\]]*)\]$/i.exec(label.slice(0, 200))?.[1];
  return (comment ?? label)
    .trim()
    .toLowerCase()
    .replace(/^(?:investigation|study) /, "");
}
