import { errors } from "undici";

/** The head of a response. Header names are lower case; the last value of a repeated header is kept. */
export interface ReplyHead {
  status: number;
  headers: Record<string, string>;
}

/** Receives the parts of a response. */
export interface ParsedResponse {
  onHead(head: ReplyHead): void;
  /** Valid during the call only. */
  onData(chunk: Buffer): void;
}

/**
 * The state of a response. `unusual`: its head is not one that this parser accepts, and nothing was handed over.
 * `stopped`: the response is not wanted any more.
 */
export type ParserState = "head" | "body" | "complete" | "unusual" | "stopped";

/** Longest head, chunk line or trailer section. The same limit as that of undici and Node. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Bytes of a body that may arrive together with the end of a head. The size of a read. */
const READ_AHEAD_BYTES = 256 * 1024;
const START = "HTTP/1.";
const CRLF = "\r\n";
const END_OF_HEAD = "\r\n\r\n";
/** A status line and header lines of visible ASCII. undici parses all other heads. */
const PLAIN_HEAD = /^HTTP\/1\.[01] [2-5]\d\d [\t\x20-\x7e]*(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e]*)*$/;
const LINE_FEED_ALONE = /(?<!\r)\n/;
const LENGTH = /^\d{1,15}$/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** A chunk's size and its extensions (RFC 9112, section 7.1). */
const CHUNK_LINE = new RegExp(
  `^0*([0-9A-Fa-f]{1,12})(?:;${TOKEN}(?:=(?:${TOKEN}|"(?:[\\t\\x20!#-\\[\\]-~]|\\\\[\\t\\x20-~])*"))?)*$`,
);
const TRAILER = new RegExp(`^(${TOKEN}):[\\t\\x20-\\x7e\\x80-\\xff]*$`);
/** Headers that frame the message. If one is repeated, the response is unusual. */
const FRAMING = new Set(["content-length", "transfer-encoding", "connection"]);
/** An HTTP server sends few different header names. The limit protects against one that does not. */
const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 100;
const lowerCaseNames = new Map<string, string>();

/**
 * Parses one HTTP/1.1 response to a GET request (RFC 9112) from pieces of any size, without copying its body. It accepts
 * only responses whose framing allows one interpretation: a length, chunks, or the end of the connection.
 */
export class ResponseParser {
  /** Whether the connection can be used for another request after this response. */
  isPersistent = true;
  /** Value of `Keep-Alive: timeout`, in seconds. */
  keepAliveSeconds: number | undefined;
  readonly #response: ParsedResponse;
  #state: ParserState = "head";
  #framing: "length" | "chunks" | "close" = "length";
  /** Bytes of the body, or of the current chunk, that are still missing. */
  #missing = 0;
  #chunkPart: "size" | "data" | "end of data" | "trailer" = "size";
  /** The beginning of a head or of a line whose end has not arrived, at the start of a larger buffer. */
  #partial: Buffer | undefined;
  #partialBytes = 0;
  #trailerBytes = 0;

  constructor(response: ParsedResponse) {
    this.#response = response;
  }

  get state(): ParserState {
    return this.#state;
  }

  /**
   * Parses further bytes. Returns the number of bytes that belong to this response; fewer than given only if it is complete.
   * @throws errors.HTTPParserError if the body is not framed as announced; what the response's functions throw
   */
  parse(bytes: Buffer): number {
    let at = 0;
    if (this.#state === "head") at = this.#parseHead(bytes);
    if (this.#state !== "body") return at;
    if (this.#framing === "chunks") return this.#parseChunks(bytes, at);
    const end = this.#framing === "close" ? bytes.length : Math.min(bytes.length, at + this.#missing);
    this.#missing -= end - at;
    if (end > at) this.#response.onData(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    if (this.#state === "body" && this.#framing === "length" && this.#missing === 0) this.#state = "complete";
    return end;
  }

  /** The server has closed the connection in order, which can complete the response. */
  end(): void {
    if (this.#state === "body" && this.#framing === "close") this.#state = "complete";
    // undici reports whether the incomplete head is HTTP.
    else if (this.#state === "head" && this.#partialBytes > 0) this.#state = "unusual";
  }

  /** Hands over nothing more. */
  stop(): void {
    if (this.#state === "head" || this.#state === "body") this.#state = "stopped";
  }

  /** Returns the position behind the head. */
  #parseHead(bytes: Buffer): number {
    const before = this.#partialBytes;
    const all = before === 0 ? bytes : this.#append(bytes);
    const end = all?.indexOf(END_OF_HEAD, Math.max(0, before - END_OF_HEAD.length)) ?? -1;
    if (all !== undefined && end < 0 && mayBecomeHead(all, before)) {
      if (before === 0) this.#append(bytes);
      return bytes.length;
    }
    const text = end < 0 || end > MAX_HEAD_BYTES ? undefined : all?.toString("latin1", 0, end);
    this.#partialBytes = 0;
    const head = text === undefined ? undefined : this.#readHead(text);
    this.#state = head === undefined ? "unusual" : "body";
    if (head === undefined) return bytes.length;
    this.#response.onHead(head);
    return end + END_OF_HEAD.length - before;
  }

  /** Adds bytes to the incomplete head or line. Returns all of it, or undefined if it is too long. */
  #append(bytes: Buffer): Buffer | undefined {
    const length = this.#partialBytes + bytes.length;
    if (length > MAX_HEAD_BYTES + READ_AHEAD_BYTES) return undefined;
    if (this.#partial === undefined || this.#partial.length < length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * length + 1_024, MAX_HEAD_BYTES + READ_AHEAD_BYTES));
      this.#partial?.copy(larger, 0, 0, this.#partialBytes);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = length;
    return this.#partial.subarray(0, length);
  }

  /** Reads a head and determines the framing. Undefined if it is unusual. */
  #readHead(text: string): ReplyHead | undefined {
    if (!PLAIN_HEAD.test(text)) return undefined;
    const status = Number(text.slice(9, 12));
    // Special rules determine the length of their bodies (RFC 9112, section 6.3).
    if (status === 204 || status === 304) return undefined;
    const headers: Record<string, string> = Object.create(null);
    for (let at = text.indexOf(CRLF); at >= 0; ) {
      const colon = text.indexOf(":", at);
      const end = text.indexOf(CRLF, colon);
      const name = lowerCase(text.slice(at + CRLF.length, colon));
      if (FRAMING.has(name) && name in headers) return undefined;
      headers[name] = text.slice(colon + 1, end < 0 ? text.length : end).trimStart();
      at = end;
    }
    return this.#frame(headers, text[7] === "0") ? { status, headers } : undefined;
  }

  #frame(headers: Readonly<Record<string, string>>, isOld: boolean): boolean {
    const connection = headers.connection?.toLowerCase();
    if (connection !== undefined && connection !== "keep-alive" && connection !== "close") return false;
    this.isPersistent = isOld ? connection === "keep-alive" : connection !== "close";
    const timeout = /(?:^|[\s,;])timeout=(\d{1,6})/i.exec(headers["keep-alive"] ?? "")?.[1];
    if (timeout !== undefined) this.keepAliveSeconds = Number(timeout);
    const length = headers["content-length"];
    const coding = headers["transfer-encoding"];
    if (coding !== undefined) {
      this.#framing = "chunks";
      return length === undefined && !isOld && coding.toLowerCase() === "chunked";
    }
    if (length === undefined) {
      this.#framing = "close";
      this.isPersistent = false;
      return true;
    }
    this.#missing = Number(length);
    return LENGTH.test(length);
  }

  #parseChunks(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; ) {
      if (this.#chunkPart === "data") {
        const end = Math.min(bytes.length, at + this.#missing);
        this.#missing -= end - at;
        if (this.#missing === 0) this.#chunkPart = "end of data";
        this.#response.onData(bytes.subarray(at, end));
        at = end;
        // The receiver can abort the request.
        if (this.#state !== "body") return at;
        continue;
      }
      const end = bytes.indexOf("\n", at);
      const piece = bytes.subarray(at, end < 0 ? bytes.length : end + 1);
      if (this.#chunkPart === "trailer") this.#trailerBytes += piece.length;
      if (Math.max(this.#partialBytes + piece.length, this.#trailerBytes) > MAX_HEAD_BYTES) {
        throw invalidBody("A line between chunks is too long");
      }
      at += piece.length;
      const line = this.#partialBytes > 0 || end < 0 ? this.#append(piece) : piece;
      if (end < 0) return at;
      this.#partialBytes = 0;
      this.#readLine(line?.toString("latin1") ?? "");
      if (this.#state === "complete") return at;
    }
    return bytes.length;
  }

  /** Reads a line between chunks, with its end. */
  #readLine(text: string): void {
    if (!text.endsWith(CRLF)) throw invalidBody("A line between chunks does not end with CR LF");
    const line = text.slice(0, -CRLF.length);
    if (this.#chunkPart === "end of data") {
      if (line !== "") throw invalidBody("A chunk is longer than announced");
      this.#chunkPart = "size";
    } else if (this.#chunkPart === "size") {
      const size = CHUNK_LINE.exec(line)?.[1];
      if (size === undefined) throw invalidBody("A chunk has no valid size");
      this.#missing = Number.parseInt(size, 16);
      this.#chunkPart = this.#missing === 0 ? "trailer" : "data";
    } else if (line === "") this.#state = "complete";
    else {
      const name = TRAILER.exec(line)?.[1];
      if (name === undefined || FRAMING.has(name.toLowerCase())) throw invalidBody("A trailer is not valid");
    }
  }
}

/** Whether more bytes can complete a head that this parser accepts. @param checked number of bytes that were checked before */
function mayBecomeHead(bytes: Buffer, checked: number): boolean {
  if (bytes.length > MAX_HEAD_BYTES) return false;
  if (checked < START.length && !START.startsWith(bytes.toString("latin1", 0, START.length))) return false;
  return !LINE_FEED_ALONE.test(bytes.toString("latin1", Math.max(0, checked - 1)));
}

function lowerCase(name: string): string {
  const known = lowerCaseNames.get(name);
  if (known !== undefined) return known;
  // A copy: a part of a string keeps the whole string in memory, here the head of a response.
  const copy = Buffer.from(name, "latin1").toString("latin1");
  const lower = copy.toLowerCase();
  if (lowerCaseNames.size < MAX_NAMES && copy.length <= MAX_NAME_LENGTH) lowerCaseNames.set(copy, lower);
  return lower;
}

function invalidBody(message: string): Error {
  return new errors.HTTPParserError(message);
}
