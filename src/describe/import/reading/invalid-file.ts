/** The file is malformed or exceeds a limit. The message never quotes the file. */
export class InvalidFileError extends Error {
  /** A JSON pointer, or a line and column. */
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.name = "InvalidFileError";
    this.place = place;
  }
}

/** Maximum depth of nested objects, lists and elements. */
export const MAX_DEPTH = 64;

/** Maximum number of values, elements or cells in a file. */
export const MAX_VALUES = 500_000;

export function tooDeep(place?: string): InvalidFileError {
  return new InvalidFileError(`The file is nested more than ${MAX_DEPTH} levels deep.`, place);
}

export function tooMany(what: string, limit: number): InvalidFileError {
  return new InvalidFileError(`The file has more than ${limit.toLocaleString("en")} ${what}.`);
}

/** The line and column of a position in a text, both counted from 1. */
export function positionIn(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", end + 1)) {
    line += 1;
    start = end + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
}
