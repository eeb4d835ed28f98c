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
    return givenText(this.#rows.get(label)?.cells[column + 1]);
  }

  place(label: string): string {
    return `line ${this.#rows.get(label)?.line ?? this.line}`;
  }

  /** A reader of the values of each column, up to the last one in which one of the labels has a value. */
  columns(...labels: string[]): IsaColumn[] {
    const last = labels.map((label) => this.#rows.get(label)?.cells.findLastIndex((cell) => cell !== "") ?? 0);
    return Array.from({ length: Math.max(0, ...last) }, (_, column) => (label) => this.value(label, column));
  }
}

/** Returns the value of a label in a column. */
type IsaColumn = (label: string) => string | undefined;

/** “Study Person Last Name” becomes “person last name”, and “Comment[Study Person ORCID]” becomes “person orcid”. */
function foldLabel(label: string): string {
  const comment = /^comment ?\[([^[\]]*)\]$/i.exec(label.slice(0, 200))?.[1];
  return (comment ?? label)
    .trim()
    .toLowerCase()
    .replace(/^(?:investigation|study) /, "");
}
