import { InvalidVocabulary } from "./invalid-vocabulary.ts";

/** Maximum characters that are read of a refused file, to find out whether it is damaged. */
const MOST_AFTER_REFUSAL = 64 << 20;

/**
 * Texts of a file whose content may be refused before the file is known to be readable. A damaged compressed file can
 * begin with any text, so the damage is reported instead of the text.
 */
export class ReadErrors {
  readonly #texts: AsyncGenerator<string>;
  #error: unknown;

  constructor(texts: AsyncGenerator<string>) {
    this.#texts = texts;
  }

  /** The texts. Ending the loop over them early does not close the file. */
  texts(): AsyncGenerator<string> {
    const texts = { next: () => this.#next(), [Symbol.asyncIterator]: () => texts };
    return texts as AsyncGenerator<string>;
  }

  /** The error to report for a refused content: that of reading the file, if it has one. */
  async explain(refusal: unknown): Promise<unknown> {
    if (!(refusal instanceof InvalidVocabulary)) return refusal;
    try {
      for (let read = 0; read < MOST_AFTER_REFUSAL && this.#error === undefined; ) {
        const next = await this.#next();
        if (next.done) break;
        read += next.value.length;
      }
      await this.#texts.return(undefined);
    } catch {
      // Noted by #next.
    }
    return this.#error ?? refusal;
  }

  async #next(): Promise<IteratorResult<string>> {
    try {
      return await this.#texts.next();
    } catch (error) {
      this.#error ??= error;
      throw error;
    }
  }
}
