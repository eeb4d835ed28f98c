/** The separators of tables, most usual first. */
const SEPARATORS = [",", ";", "\t"];

/** The separator of a table, from its header: the one that occurs most often. */
export function separatorOf(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Splits a table (RFC 4180) into records. Each line is scanned once, also if a quoted cell has many lines. */
export class RecordReader {
  readonly separator: string;
  #cells: string[] = [];
  /** The parts of a quoted cell that continues in the next line. */
  #open: string[] | undefined;
  #length = 0;

  constructor(separator: string) {
    this.separator = separator;
  }

  /** Whether a quoted cell continues in the next line. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Characters of the record that is open. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds a line, without its line feed. A carriage return at the end of a record is removed.
   * @returns the cells of the record that ends with this line; “open” if it continues; “invalid” if text follows a closing quote
   */
  take(line: string): string[] | "open" | "invalid" {
    const text = this.isOpen ? `\n${line}` : line;
    this.#length += text.length;
    for (let at = 0; ; at++) {
      if (this.isOpen || text[at] === '"') {
        at = this.#quoted(text, this.isOpen ? at : at + 1);
        if (this.isOpen) return "open";
        if (at === text.length || (at === text.length - 1 && text.endsWith("\r"))) return this.reset();
        if (text[at] === this.separator) continue;
        this.reset();
        return "invalid";
      }
      const end = text.indexOf(this.separator, at);
      this.#cells.push(end < 0 ? text.slice(at).replace(/\r$/, "") : text.slice(at, end));
      if (end < 0) return this.reset();
      at = end;
    }
  }

  /** Ends the record. @returns its complete cells */
  reset(): string[] {
    const cells = this.#cells;
    this.#cells = [];
    this.#open = undefined;
    this.#length = 0;
    return cells;
  }

  /** Reads a quoted cell from behind its quote. @returns the position behind the closing quote, which can be missing */
  #quoted(text: string, from: number): number {
    const parts = this.#open ?? [];
    for (let at = from; ; ) {
      const end = text.indexOf('"', at);
      parts.push(text.slice(at, end < 0 ? undefined : end));
      this.#open = parts;
      if (end < 0) return text.length;
      at = end + 2;
      if (text[end + 1] === '"') {
        parts.push('"');
        continue;
      }
      this.#cells.push(parts.join(""));
      this.#open = undefined;
      return end + 1;
    }
  }
}
