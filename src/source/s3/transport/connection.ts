import type { OnReadOpts, Socket } from "node:net";
import { errors } from "undici";
import { type ParsedResponse, ResponseParser } from "./response-parser.ts";

/** Large enough for several reads, so that one system call reads a whole small object. */
const READ_BYTES = 256 * 1024;
/** Idle time of a connection without a Keep-Alive header. */
const IDLE_SECONDS = 4;
/** Maximum idle time with a Keep-Alive header. */
const MAX_IDLE_SECONDS = 600;
/** An idle connection is closed this long before the server closes it. */
const IDLE_MARGIN_SECONDS = 2;

/** Receives the outcome of one request. Unless it is aborted, exactly one of the last three is called, once. */
export interface ResponseReceiver extends ParsedResponse {
  /** The request is written. */
  onSent(): void;
  onComplete(): void;
  /** The connection failed, or the server violated the protocol in the body. */
  onFailure(error: Error): void;
  /** The response is not one that {@link ResponseParser} accepts. The request may be sent again by other means. */
  onUnusual(): void;
}

/** A request that waits or is in progress. */
export interface SentRequest {
  /** Closes its connection. None of the receiver's functions is called afterwards. */
  abort(): void;
}

export interface PendingRequest extends SentRequest {
  head: string;
  receiver: ResponseReceiver;
  /** Set while a connection serves the request. */
  connection: Connection | undefined;
}

const connectionOf = new WeakMap<Socket, Connection>();

/** The buffer into which the sockets of a thread read. A chunk is valid until the next read of any of them. */
export function sharedBuffer(): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return {
    buffer,
    callback(this: Socket, bytes: number): boolean {
      connectionOf.get(this)?.receive(buffer.subarray(0, bytes));
      return true;
    },
  } as OnReadOpts;
}

interface ConnectionEvents {
  /** A response is complete, and the server keeps the connection open. */
  onResponseEnd(): void;
  onUnusual(): void;
  onClosed(): void;
}

/** One socket and the request that it serves. */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #request: PendingRequest | undefined;
  #parser: ResponseParser | undefined;
  #error: Error | undefined;
  /** Seconds since the request was sent, the last byte of a body was received, or the connection became idle. */
  #silentSeconds = 0;
  #idleSeconds = IDLE_SECONDS;
  #isClosed = false;

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    connectionOf.set(socket, this);
    // Sockets through a proxy do not read into the shared buffer.
    socket.on("data", (bytes: Buffer) => this.receive(bytes));
    socket.on("end", () => this.#ended());
    socket.on("error", (error: Error) => {
      this.#error = error;
    });
    socket.on("close", () => this.fail(this.#error ?? new errors.SocketError("The server closed the connection")));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(request: PendingRequest): void {
    request.connection = this;
    this.#request = request;
    this.#parser = new ResponseParser(request.receiver);
    this.#silentSeconds = 0;
    this.#socket.write(request.head, "latin1");
    request.receiver.onSent();
  }

  receive(bytes: Buffer): void {
    const parser = this.#parser;
    // Bytes that no request asked for: the connection is not in a known state.
    if (parser === undefined) {
      this.fail(new errors.SocketError("The server sent bytes that were not requested"));
      return;
    }
    let used: number;
    try {
      used = parser.parse(bytes);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    // The limit applies to the whole head, so that a server cannot hold a connection by sending it byte by byte.
    if (parser.state !== "head") this.#silentSeconds = 0;
    if (parser.state === "complete") this.#complete(parser, used === bytes.length);
    else if (parser.state === "unusual") {
      this.#events.onUnusual();
      this.#close(({ receiver }) => receiver.onUnusual());
    }
  }

  /** Ends the connection. The receiver of a request in progress learns the reason. */
  fail(error: Error): void {
    this.#close(({ receiver }) => receiver.onFailure(error));
  }

  /** Ends the connection without a notification. */
  close(): void {
    this.#close(() => undefined);
  }

  /** Called once a second. A suspended process does not count the time in which it could not read. */
  tick(silenceSeconds: number): void {
    this.#silentSeconds++;
    if (this.#request === undefined) {
      if (this.#silentSeconds > this.#idleSeconds) this.close();
    } else if (this.#silentSeconds > silenceSeconds) {
      const isHead = this.#parser?.state === "head";
      this.fail(isHead ? new errors.HeadersTimeoutError() : new errors.BodyTimeoutError());
    }
  }

  #ended(): void {
    const parser = this.#parser;
    parser?.end();
    if (parser?.state === "complete") this.#complete(parser, false);
    else if (parser?.state === "unusual") this.#close(({ receiver }) => receiver.onUnusual());
    else this.fail(new errors.SocketError("The server closed the connection"));
  }

  /** @param isOpen no bytes followed, and the server has not closed the connection */
  #complete(parser: ResponseParser, isOpen: boolean): void {
    const request = this.#request;
    const { isPersistent, keepAliveSeconds } = parser;
    this.#clearRequest();
    if (keepAliveSeconds !== undefined) {
      this.#idleSeconds = Math.min(keepAliveSeconds, MAX_IDLE_SECONDS) - IDLE_MARGIN_SECONDS;
    }
    if (isPersistent && isOpen && this.#idleSeconds > 0 && !this.#isClosed) this.#events.onResponseEnd();
    else this.close();
    request?.receiver.onComplete();
  }

  #close(notify: (request: PendingRequest) => void): void {
    const request = this.#request;
    this.#clearRequest();
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#socket.destroy();
      this.#events.onClosed();
    }
    if (request !== undefined) notify(request);
  }

  #clearRequest(): void {
    if (this.#request !== undefined) this.#request.connection = undefined;
    this.#parser?.stop();
    this.#request = undefined;
    this.#parser = undefined;
    this.#silentSeconds = 0;
  }
}
