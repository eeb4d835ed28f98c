import { count } from "../../domain/numbers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";

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
export class JsonLimits {
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
