import { hash } from "node:crypto";

/** Words of the key: 128 bits of the text's SHA-256, so that collisions cannot be constructed. */
const KEY = 4;
/** The key, the value, and the entry's number. */
const WIDTH = KEY + 2;

/**
 * A map from texts to numbers that stores hashes instead of the texts: about 50 bytes for each entry of any length,
 * outside the JavaScript heap. It can tell whether a text is an entry, but cannot list the texts.
 */
export class HashTable {
  readonly #words: number;
  #slots: Uint32Array;
  #size = 0;

  constructor(expected = 512) {
    this.#words = 2 ** Math.ceil(Math.log2(Math.max(1, expected) * 2)) * WIDTH;
    this.#slots = new Uint32Array(this.#words);
  }

  get size(): number {
    return this.#size;
  }

  /** The text's value; undefined if it is not in the table. */
  get(text: string): number | undefined {
    const at = this.#find(wordsOf(text));
    return this.#slots[at + KEY + 1] === 0 ? undefined : this.#slots[at + KEY];
  }

  /** The position at which the text was added, counted from 0; undefined if it is not in the table. */
  ordinal(text: string): number | undefined {
    const number = this.#slots[this.#find(wordsOf(text)) + KEY + 1] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** Sets the text's value (32 bits, unsigned) and returns the previous one; 0 for a new text. */
  set(text: string, value: number): number {
    return this.#put(text, () => value);
  }

  /** Adds bits to the text's value and returns the previous value; 0 for a new text. */
  mark(text: string, bits: number): number {
    return this.#put(text, (before) => before | bits);
  }

  /** Whether at least one value satisfies the condition. */
  some(asked: (value: number) => boolean): boolean {
    for (let at = 0; at < this.#slots.length; at += WIDTH) {
      if (this.#slots[at + KEY + 1] !== 0 && asked(this.#slots[at + KEY] ?? 0)) return true;
    }
    return false;
  }

  /** Removes all entries. The cost does not depend on earlier, larger sizes of the table. */
  clear(): void {
    if (this.#slots.length > this.#words) this.#slots = new Uint32Array(this.#words);
    else if (this.#size > 0) this.#slots.fill(0);
    this.#size = 0;
  }

  #put(text: string, change: (before: number) => number): number {
    if ((this.#size + 1) * WIDTH * 4 > this.#slots.length * 3) this.#grow();
    const words = wordsOf(text);
    const at = this.#find(words);
    if (this.#slots[at + KEY + 1] === 0) {
      for (let word = 0; word < KEY; word += 1) this.#slots[at + word] = words[word] ?? 0;
      this.#size += 1;
      this.#slots[at + KEY + 1] = this.#size;
    }
    const before = this.#slots[at + KEY] ?? 0;
    this.#slots[at + KEY] = change(before);
    return before;
  }

  /** The slot of the key, or the free slot for it. Linear probing; at least a quarter of the slots is free. */
  #find(words: Uint32Array): number {
    const slots = this.#slots;
    const count = slots.length / WIDTH;
    let slot = (words[0] ?? 0) & (count - 1);
    for (;;) {
      const at = slot * WIDTH;
      if (slots[at + KEY + 1] === 0) return at;
      if (
        slots[at] === words[0] &&
        slots[at + 1] === words[1] &&
        slots[at + 2] === words[2] &&
        slots[at + 3] === words[3]
      ) {
        return at;
      }
      slot = (slot + 1) & (count - 1);
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WIDTH) {
      if (old[at + KEY + 1] === 0) continue;
      const entry = old.subarray(at, at + WIDTH);
      this.#slots.set(entry, this.#find(entry));
    }
  }
}

/**
 * A fingerprint of a set of texts that does not depend on their order: the sum of their hashes. Compares two sets
 * without storing them.
 */
export class SetFingerprint {
  readonly #sum = new Uint32Array(KEY);
  #count = 0;

  add(text: string): void {
    const words = wordsOf(text);
    for (let word = 0; word < KEY; word += 1) this.#sum[word] = (this.#sum[word] ?? 0) + (words[word] ?? 0);
    this.#count += 1;
  }

  toString(): string {
    return `${this.#count}:${this.#sum.join(".")}`;
  }
}

const scratch = new Uint32Array(KEY);

function wordsOf(text: string): Uint32Array {
  const digest = hash("sha256", text, "buffer");
  for (let word = 0; word < KEY; word += 1) scratch[word] = digest.readUInt32LE(word * 4);
  return scratch;
}
