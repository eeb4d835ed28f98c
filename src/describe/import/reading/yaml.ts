import { Composer, type CST, Lexer, LineCounter, Parser } from "yaml";
import { InvalidFileError, MAX_DEPTH, tooDeep, tooMany } from "./invalid-file.ts";

/** Maximum number of values that aliases add to a file, as the library counts them. */
const MAX_ALIASES = 1_000;

/** Maximum number of lexical tokens. A token needs about 1 kB of memory. */
const MAX_TOKENS = 100_000;

/**
 * Parses the first document of a YAML 1.2 file. All scalars are strings, so that a version `1.10` does not become 1.1. Tags
 * have no effect. If a key occurs several times in a mapping, the last value counts.
 * A quoted scalar may continue at the indentation of its key, as the example of the Citation File Format does and as
 * common YAML libraries accept.
 * @throws InvalidFileError with line and column, also beyond {@link MAX_DEPTH}, {@link MAX_TOKENS} and {@link MAX_ALIASES}
 */
export function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const indented = indentedQuotes(text);
    if (!(error instanceof InvalidFileError) || indented === text) throw error;
    try {
      return parseYaml(indented);
    } catch {
      // The first message refers to the text as it is.
      throw error;
    }
  }
}

function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? undefined : `line ${line}, column ${col}`;
  };
  const composer = new Composer({
    schema: "failsafe",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    strict: false,
  });
  for (const document of composer.compose(tokensOf(text, lines, at), true, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) throw new InvalidFileError("The file is not valid YAML.", at(error.pos[0]));
    try {
      return document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      throw new InvalidFileError("The file contains too many YAML aliases (“*name”). Repeat the values instead.");
    }
  }
  return undefined;
}

/** The text with further indentation of the lines that continue a quoted scalar. */
function indentedQuotes(text: string): string {
  let quote: string | undefined;
  const lines = text.split("\n").map((line) => {
    if (quote !== undefined) {
      if (isClosed(line, quote)) quote = undefined;
      return `${" ".repeat(MAX_DEPTH)}${line}`;
    }
    const [, mark, rest = ""] = /^[ -]*(?:[\w-]{1,100}:[ \t]+)?(["'])(.*)$/.exec(line) ?? [];
    if (mark !== undefined && !isClosed(rest, mark)) quote = mark;
    return line;
  });
  return lines.join("\n");
}

/** Whether a quoted scalar ends in a line. Quotation marks can be escaped with a backslash, or doubled. */
function isClosed(line: string, quote: string): boolean {
  return line.replace(quote === '"' ? /\\./g : /''/g, "").includes(quote);
}

/** The tokens of the document. Checks the limits before a node is composed, because the composer is recursive. */
function tokensOf(text: string, lines: LineCounter, at: (offset: number) => string | undefined): CST.Token[] {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_TOKENS) throw tooMany("YAML tokens", MAX_TOKENS);
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) throw tooDeep(at(parser.offset));
  }
  tokens.push(...parser.end());
  return tokens;
}
