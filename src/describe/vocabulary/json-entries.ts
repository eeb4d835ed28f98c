import { Assembler } from "stream-json/core/assembler.js";
import { jsonParser, type Token } from "stream-json/core/parser.js";
import { count } from "../../domain/numbers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";

/** A JSON object, as far as it is known. */
export type JsonObject = Record<string, unknown>;

/** An entry of a file, and where it is. */
export interface Located<T> {
  /** Such as `entry 12` or `line 5`. */
  place: string;
  value: T;
}

/** An entry or the JSON-LD context of a JSON file. */
export type JsonPart = Located<JsonObject> | { context: unknown };

/** Members of a JSON-LD document that contain its entries. */
const GRAPHS = new Set(["@graph", "graph"]);
const CONTEXT = "@context";
/** Characters that are parsed at a time. The place of an error is known as exactly as that. */
const PIECE = 8_192;
/** Maximum tokens of an entry. The largest organisations have a few thousand. */
const MOST_TOKENS = 500_000;
/** Maximum characters of the texts of an entry. */
const MOST_CHARACTERS = 5_000_000;

/**
 * Reads the objects of a JSON array, or of the member `@graph` of a JSON-LD document, one at a time.
 *
 * @throws InvalidVocabulary, and the errors of `texts`
 */
export async function* readJsonEntries(texts: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  const parse = jsonParser({ packValues: true, streamValues: false });
  const limits = new JsonLimits();
  const reader = new EntryReader();
  const take = (parsed: unknown) => {
    const tokens = typeof parsed === "object" && parsed !== null && "values" in parsed ? parsed.values : [];
    return reader.take(tokens as Token[]);
  };
  let line = 1;
  for await (const text of texts) {
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      let parsed: unknown;
      try {
        limits.check(piece);
        parsed = parse(piece);
      } catch (cause) {
        const { message } = cause as Error;
        const place = `near line ${count(line)}, after ${reader.place}`;
        if (cause instanceof InvalidVocabulary) throw new InvalidVocabulary(`${message} (${place})`, { cause });
        throw new InvalidVocabulary(`The file is not valid JSON (${place}): ${message}`, { cause });
      }
      yield* take(parsed);
      line += piece.split("\n").length - 1;
    }
  }
  if (!reader.whole) throw new InvalidVocabulary(`The JSON ends early, after ${reader.place}. Download the file again`);
  if (!reader.hasList) {
    throw new InvalidVocabulary("The JSON contains no list of entries: neither an array nor the member “@graph”");
  }
}

/** Collects the tokens of each entry to an object, and skips other members of the document. */
class EntryReader {
  #depth = 0;
  /** Depth of the list of entries; undefined outside of it. */
  #list: number | undefined;
  #key = "";
  #assembler: Assembler | undefined;
  #tokens = 0;
  #characters = 0;
  #entries = 0;
  hasList = false;
  whole = false;

  /** The last complete entry. */
  get place(): string {
    return this.#entries === 0 ? "the beginning" : `entry ${count(this.#entries)}`;
  }

  /** The parts that end within these tokens. */
  *take(tokens: readonly Token[]): Generator<JsonPart> {
    for (const token of tokens) {
      if (this.whole) throw new InvalidVocabulary("The file contains more than one JSON text");
      const begins = token.name === "startObject" || token.name === "startArray";
      const ends = token.name === "endObject" || token.name === "endArray";
      if (this.#assembler === undefined) this.#beforeValue(token);
      if (ends) this.#depth--;
      const part = this.#collect(token);
      if (part !== undefined) yield part;
      if (begins) this.#depth++;
      if (ends && this.#list !== undefined && this.#depth < this.#list) this.#list = undefined;
      if (this.#depth === 0 && token.name !== "keyValue") this.whole = true;
    }
  }

  /** Notes where the list begins, and begins an entry or the context. */
  #beforeValue(token: Token): void {
    if (token.name === "keyValue") {
      if (this.#depth === 1) this.#key = token.value;
      return;
    }
    if (token.name === "endObject" || token.name === "endArray") return;
    if (this.#list === this.#depth) {
      if (token.name !== "startObject") {
        throw new InvalidVocabulary(`Entry ${count(this.#entries + 1)} is not a JSON object`);
      }
      this.#begin();
    } else if (this.#depth === 1 && this.#list === undefined && this.#key === CONTEXT) this.#begin();
    else if (token.name === "startArray" && (this.#depth === 0 || (this.#depth === 1 && GRAPHS.has(this.#key)))) {
      this.#list = this.#depth + 1;
      this.hasList = true;
    }
  }

  #begin(): void {
    this.#assembler = new Assembler();
    this.#tokens = 0;
    this.#characters = 0;
  }

  #collect(token: Token): JsonPart | undefined {
    const assembler = this.#assembler;
    if (assembler === undefined) return undefined;
    this.#tokens++;
    if ("value" in token && typeof token.value === "string") this.#characters += token.value.length;
    if (this.#tokens > MOST_TOKENS || this.#characters > MOST_CHARACTERS)
      throw new InvalidVocabulary(`The file has a value that is too large (entry ${count(this.#entries + 1)})`);
    assembler.consume(token);
    if (!assembler.done) return undefined;
    this.#assembler = undefined;
    if (this.#list === undefined) return { context: assembler.current };
    this.#entries++;
    return { place: this.place, value: assembler.current as JsonObject };
  }
}

const MOST_LEVELS = 64;
/** Maximum characters of a text, so that a hostile file does not fill the memory. */
const LONGEST_TEXT = 1_000_000;
/** Maximum characters of a number, `true`, `false` or `null`. */
const LONGEST_OTHER = 1_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** White space, comma and colon, which end a number. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x3a]);

/**
 * Checks the nesting and the lengths of texts and numbers of a JSON text in pieces, before a parser collects them. It does not
 * check whether the text is valid JSON.
 */
class JsonLimits {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #length = 0;

  /** @throws InvalidVocabulary without a place */
  check(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charCodeAt(at);
      if (this.#isInText) this.#text(character);
      else this.#other(character);
    }
  }

  #text(character: number): void {
    this.#length++;
    if (this.#length > LONGEST_TEXT)
      throw new InvalidVocabulary(`A text has more than ${count(LONGEST_TEXT)} characters`);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === BACKSLASH) this.#isEscaped = true;
    else if (character === QUOTE) {
      this.#isInText = false;
      this.#length = 0;
    }
  }

  #other(character: number): void {
    this.#length++;
    if (character === QUOTE) {
      this.#isInText = true;
      this.#length = 0;
    } else if (OPENING.has(character)) {
      this.#length = 0;
      this.#depth++;
      if (this.#depth > MOST_LEVELS)
        throw new InvalidVocabulary(`The JSON is nested more than ${MOST_LEVELS} levels deep`);
    } else if (CLOSING.has(character)) {
      this.#length = 0;
      this.#depth--;
    } else if (BETWEEN.has(character)) this.#length = 0;
    else if (this.#length > LONGEST_OTHER) {
      throw new InvalidVocabulary(`A number has more than ${count(LONGEST_OTHER)} characters`);
    }
  }
}
