import { InvalidFileError, MAX_DEPTH, MAX_VALUES, positionIn, tooDeep, tooMany } from "./invalid-file.ts";

const SPACE = /[ \t\n\r]*/y;
const STRING = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\0-\x1f]*)*"/y;
const SIMPLE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Numbers that JSON does not have, but that Python and R write. */
const NOT_A_NUMBER = /NaN|-?Infinity/y;

/**
 * Parses JSON (RFC 8259). If a name occurs several times in an object, the last value counts. `NaN` and `Infinity` are read as
 * null.
 * @throws InvalidFileError with line and column, also beyond {@link MAX_DEPTH} and {@link MAX_VALUES}
 */
export function readJson(text: string): unknown {
  return JSON.parse(checkedJson(text));
}

/**
 * Checks syntax and limits before anything is parsed, and returns valid JSON. Messages of `JSON.parse` quote the text and
 * often lack the position.
 */
function checkedJson(text: string): string {
  let offset = 0;
  let values = 0;
  const valid: string[] = [];
  let copied = 0;
  const open: ("{" | "[")[] = [];
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  };
  const take = (character: string): boolean => {
    match(SPACE);
    if (text[offset] !== character) return false;
    offset += 1;
    return true;
  };
  const refuse = (expected: string): never => {
    throw new InvalidFileError(
      `The file is not valid JSON: ${expected} is expected${offset >= text.length ? " before the end of the file" : ""}.`,
      positionIn(text, offset),
    );
  };
  const name = (): void => {
    match(SPACE);
    if (!match(STRING)) refuse("a name in double quotes");
    if (!take(":")) refuse("a colon");
  };
  /** Reads a value up to its end or, if it is an object or list that is not empty, up to its first member. */
  const openValue = (): boolean => {
    match(SPACE);
    values += 1;
    if (values > MAX_VALUES) throw tooMany("values", MAX_VALUES);
    const start = text[offset];
    if (start !== "{" && start !== "[") {
      const begin = offset;
      if (match(start === '"' ? STRING : SIMPLE)) return false;
      if (!match(NOT_A_NUMBER)) refuse("a value");
      valid.push(text.slice(copied, begin), "null");
      copied = offset;
      return false;
    }
    if (open.length >= MAX_DEPTH) throw tooDeep(positionIn(text, offset));
    offset += 1;
    if (take(start === "{" ? "}" : "]")) return false;
    open.push(start);
    if (start === "{") name();
    return true;
  };
  /** Reads the ends of objects and lists. Returns whether another value follows. */
  const closeValues = (): boolean => {
    for (let around = open.at(-1); around !== undefined; around = open.at(-1)) {
      if (take(",")) {
        if (around === "{") name();
        return true;
      }
      const end = around === "{" ? "}" : "]";
      if (!take(end)) refuse(`a comma or “${end}”`);
      open.pop();
    }
    return false;
  };
  do while (openValue());
  while (closeValues());
  match(SPACE);
  if (offset < text.length) refuse("the end of the file");
  return valid.join("") + text.slice(copied);
}
