import { stripVTControlCharacters } from "node:util";
import { cut, pad, type Showable, type Shown, show, wrap } from "./text.ts";

const NARROW = 40;
const CLEAR_LINE = "\r\x1b[2K";

/**
 * The output of a command: text, or JSON lines for `--json` and pipes (docs/commands.md). A command calls both {@link say}
 * and {@link data}; only one of them prints.
 */
export class Output {
  readonly json: boolean;
  #live: Shown | undefined;

  constructor(options: { json?: boolean | undefined }) {
    this.json = options.json ?? !process.stdout.isTTY;
  }

  /** Whether the last line can be overwritten. */
  get isLive(): boolean {
    return !this.json && process.stdout.isTTY === true && process.env.TERM !== "dumb";
  }

  get columns(): number {
    return Math.max(NARROW, process.stdout.columns ?? 80);
  }

  /** Prints a line of text. With `hang`, it is wrapped to the width of the terminal, with this indent. */
  say(line: Shown, options: { hang?: number } = {}): void {
    if (!this.json) this.#write(process.stdout, line, options.hang);
  }

  /** Returns a function that prints a name and a value in two columns. The first has this width. */
  rows(width: number): (name: string, value: Showable) => void {
    return (name, value) => this.say(show`  ${pad(name, width)} ${value}`, { hang: width + 3 });
  }

  /** Prints a value as a JSON line. */
  data(value: unknown): void {
    if (this.json) process.stdout.write(`${jsonLine(value)}\n`);
  }

  /** Prints a line of text in both formats. */
  line(text: string): void {
    process.stdout.write(`${show`${text}`.text}\n`);
  }

  /** Prints a line of text that is not a result: on standard error, also in pipes. */
  note(line: Shown, options: { hang?: number } = {}): void {
    this.#write(process.stderr, line, options.hang);
  }

  /** Overwrites or removes the last line. Prints nothing if lines cannot be overwritten. */
  live(line: Shown | undefined): void {
    if (!this.isLive) return;
    this.#live = line;
    process.stdout.write(CLEAR_LINE + (line === undefined ? "" : colours(process.stdout, cut(line, this.columns - 1))));
  }

  #write(stream: NodeJS.WriteStream, line: Shown, hang: number | undefined): void {
    const wraps = hang !== undefined && stream.isTTY;
    const text = colours(stream, wraps ? wrap(line, Math.min(this.columns, 120), hang) : line);
    if (this.#live === undefined) {
      stream.write(`${text}\n`);
      return;
    }
    process.stdout.write(CLEAR_LINE);
    stream.write(`${text}\n`);
    this.live(this.#live);
  }
}

/** Serialises JSON that is safe in a terminal: C1 controls and DEL, which JSON does not escape, are escaped too. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function colours(stream: NodeJS.WriteStream, { text }: Shown): string {
  return stream.isTTY && stream.hasColors() ? text : stripVTControlCharacters(text);
}
