import { createReadStream } from "node:fs";
import { jsonParser, type Token } from "stream-json/core/parser.js";

/** A value of a JSON text. Numbers become `null`: an inventory has none. */
export type Leaf = string | boolean | null;

/** Receives the content of a JSON text in its order. The path array is reused: copy what must last. */
export interface JsonVisitor {
  /** An object or array begins at `path`; for an element of an array (`inArray`) the path is the array's own. */
  open(path: readonly string[], kind: "object" | "array", inArray: boolean): void;
  /** A value at `path`; for an element of an array (`inArray`) the path is the array's own. */
  value(path: readonly string[], value: Leaf, inArray: boolean): void;
  /** Called between chunks of the text: the place for asynchronous work, and for back pressure. */
  pause?(): Promise<void> | undefined;
}

/** The text is not JSON in UTF-8, or its root is no object. */
export class InvalidJson extends Error {
  override readonly name: string = "InvalidJson";
}

/** The text may be JSON, but has a part that is too large for memory. */
export class TooLarge extends InvalidJson {
  override readonly name = "TooLarge";
}

const CHUNK_BYTES = 128 << 10;
/** An inventory has six levels. */
const MAX_DEPTH = 64;
/** A text of more chunks than this (16 MiB) is neither a path nor a message. */
const MAX_CHUNKS_WITHOUT_TOKEN = 128;

/**
 * Reads a JSON file of any length in flat memory (RFC 8259, strictly; UTF-8 checked). Throws {@link InvalidJson} for a
 * text that is not a JSON object, {@link TooLarge} for one that holds a text of more than 16 MiB, and the file system's
 * errors as they are.
 */
export async function readJson(file: string, visitor: JsonVisitor, signal?: AbortSignal): Promise<void> {
  const reader = new TokenReader(visitor);
  const parse = jsonParser({ packValues: true, streamValues: false });
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES, ...(signal && { signal }) });
  let chunksWithoutToken = 0;
  for await (const chunk of stream) {
    const tokens = reader.take(attempt(() => parse(decoder.decode(chunk as Buffer, { stream: true }))));
    chunksWithoutToken = tokens > 0 ? 0 : chunksWithoutToken + 1;
    if (chunksWithoutToken > MAX_CHUNKS_WITHOUT_TOKEN) throw new TooLarge("it holds a text of more than 16 MiB");
    await visitor.pause?.();
  }
  attempt(() => decoder.decode());
  if (!reader.whole) throw new InvalidJson("the text ends early or holds no JSON object");
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new InvalidJson(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Follows the tokens and knows where in the text it is. */
class TokenReader {
  readonly #visitor: JsonVisitor;
  /** One member name for every open object whose member is being read. */
  readonly #path: string[] = [];
  readonly #open: ("object" | "array")[] = [];
  whole = false;

  constructor(visitor: JsonVisitor) {
    this.#visitor = visitor;
  }

  /** Returns how many tokens there were. */
  take(parsed: unknown): number {
    // What the parser returns for a stretch: its tokens under `values`, or a symbol for none.
    if (typeof parsed !== "object" || parsed === null || !("values" in parsed)) return 0;
    const tokens = parsed.values as Token[];
    for (const token of tokens) this.#token(token);
    return tokens.length;
  }

  #token(token: Token): void {
    switch (token.name) {
      case "startObject":
        this.#begin("object");
        break;
      case "startArray":
        this.#begin("array");
        break;
      case "endObject":
      case "endArray":
        this.#open.pop();
        this.#valueEnded();
        break;
      case "keyValue":
        this.#path.push(token.value);
        break;
      case "stringValue":
      case "trueValue":
      case "falseValue":
        this.#leaf(token.value);
        break;
      case "nullValue":
      case "numberValue":
        this.#leaf(null);
        break;
      default:
      // The parser was told to pack values: pieces of them and white space say nothing new.
    }
  }

  #begin(kind: "object" | "array"): void {
    if (this.#open.length === 0 && kind !== "object") throw new InvalidJson("the text holds no JSON object");
    if (this.#open.length >= MAX_DEPTH) throw new InvalidJson("the text is nested too deeply");
    this.#visitor.open(this.#path, kind, this.#open.at(-1) === "array");
    this.#open.push(kind);
  }

  #leaf(value: Leaf): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) throw new InvalidJson("the text holds no JSON object");
    this.#visitor.value(this.#path, value, parent === "array");
    this.#valueEnded();
  }

  /** A member's name leaves the path when its value is over. */
  #valueEnded(): void {
    const parent = this.#open.at(-1);
    if (parent === "object") this.#path.pop();
    if (parent === undefined) this.whole = true;
  }
}
