import { Composer, CST, Lexer, LineCounter, Parser } from "yaml";
import { InvalidFileError, MAX_DEPTH, tooDeep, tooMany } from "./invalid-file.ts";

/** Maximum number of lexical tokens. A token needs about 1 kB of memory. */
const MAX_TOKENS = 100_000;

/**
 * Parses the first document of a YAML 1.2 file. All scalars are strings, so that a version `1.10` does not become 1.1. Tags
 * have no effect. If a key occurs several times in a mapping, the last value counts.
 * @throws InvalidFileError with line and column, also for aliases and beyond {@link MAX_DEPTH} and {@link MAX_TOKENS}
 */
export function readYaml(text: string): unknown {
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
    return document.toJS({ maxAliasCount: 0 });
  }
  return undefined;
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
    if (CST.tokenType(lexeme) === "alias") {
      throw new InvalidFileError(
        "The file contains a YAML alias (“*name”). Aliases are not supported. Repeat the value instead.",
        at(parser.offset),
      );
    }
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) throw tooDeep(at(parser.offset));
  }
  tokens.push(...parser.end());
  return tokens;
}
