import { createReadStream } from "node:fs";
import { jsonParser, type Token } from "stream-json/core/parser.js";

/** A value of a JSON text. Numbers become `null`, because inventories contain none. */
export type Leaf = string | boolean | null;

/** Receives the content of a JSON text in order. The path array is reused, so copy it if it must last. */
export interface JsonVisitor {
  /** An object or array begins at `path`. For an element of an array (`inArray`) the path is that of the array. */
  open(path: readonly string[], kind: "object" | "array", inArray: boolean): void;
  /** A value at `path`. For an element of an array (`inArray`) the path is that of the array. */
  value(path: readonly string[], value: Leaf, inArray: boolean): void;
  /** Called between chunks of the text. For asynchronous work and back pressure. */
  pause?(): Promise<void> | undefined;
}

/** The text is not JSON in UTF-8, or its root is not an object. */
export class InvalidJson extends Error {
  override readonly name: string = "InvalidJson";
}

/** The text may be JSON, but contains a part that is too large for memory. */
export class TooLarge extends InvalidJson {
  override readonly name = "TooLarge";
}

const CHUNK_BYTES = 128 << 10;
/** An inventory has six levels. */
const MAX_DEPTH = 64;
/** Maximum number of chunks without a token. A text of more chunks (16 MiB) is neither a path nor a message. */
const MAX_CHUNKS_WITHOUT_TOKEN = 128;

/**
 * Reads a JSON file of any length with constant memory (RFC 8259, strictly; UTF-8 is verified). Throws {@link
 * InvalidJson} for a text that is not a JSON object, {@link TooLarge} for one with a string of more than 16 MiB, and
 * the file system's errors unchanged.
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
    if (chunksWithoutToken > MAX_CHUNKS_WITHOUT_TOKEN) throw new TooLarge("it contains a text of more than 16 MiB");
    await visitor.pause?.();
  }
  attempt(() => decoder.decode());
  if (!reader.whole) throw new InvalidJson("the text ends early or does not contain a JSON object");
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new InvalidJson(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Processes the tokens and keeps the current position in the text. */
class TokenReader {
  readonly #visitor: JsonVisitor;
  /** A member name for every open object. */
  readonly #path: string[] = [];
  readonly #open: ("object" | "array")[] = [];
  whole = false;

  constructor(visitor: JsonVisitor) {
    this.#visitor = visitor;
  }

  /** Processes a result of the parser. Returns the number of tokens. */
  take(parsed: unknown): number {
    // The parser returns the tokens of a chunk under `values`, or a symbol if there are none.
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
      // The parser packs values, so pieces of values and white space contain nothing new.
    }
  }

  #begin(kind: "object" | "array"): void {
    if (this.#open.length === 0 && kind !== "object") throw new InvalidJson("the text does not contain a JSON object");
    if (this.#open.length >= MAX_DEPTH) throw new InvalidJson("the text is nested too deeply");
    this.#visitor.open(this.#path, kind, this.#open.at(-1) === "array");
    this.#open.push(kind);
  }

  #leaf(value: Leaf): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) throw new InvalidJson("the text does not contain a JSON object");
    this.#visitor.value(this.#path, value, parent === "array");
    this.#valueEnded();
  }

  /** Removes a member's name from the path when its value ends. */
  #valueEnded(): void {
    const parent = this.#open.at(-1);
    if (parent === "object") this.#path.pop();
    if (parent === undefined) this.whole = true;
  }
}
