import type { OnReadOpts, Socket } from "node:net";
import { type buildConnector, errors } from "undici";
import { type ParsedResponse, ResponseParser } from "./response-parser.ts";

/** Large enough for several reads, so that one system call reads a whole small object. */
const READ_BYTES = 256 * 1024;
const TICK_MS = 1_000;
/** Number of unusual responses in succession after which an origin counts as unusual. */
const UNUSUAL_RESPONSES = 4;
/** Submitters choose origins, so the number of remembered ones is limited. */
const MAX_ORIGINS = 1_000;
/** How long an idle connection is kept if the server does not say, and at most. */
const IDLE_SECONDS = 4;
const LONGEST_IDLE_SECONDS = 600;
/** An idle connection is closed this long before the server closes it. */
const IDLE_MARGIN_SECONDS = 2;

/** Receives the outcome of one request; exactly one of the last three is called, and only once. */
export interface ResponseReceiver extends ParsedResponse {
  onComplete(): void;
  /** The connection failed, or the server violated the protocol in the body. */
  onFailure(error: Error): void;
  /** The response is not one that {@link ResponseParser} accepts. The request may be sent again by other means. */
  onUnusual(): void;
}

/** A request in progress. */
export interface SentRequest {
  /** Closes its connection. None of the receiver's functions is called afterwards. */
  abort(): void;
}

interface Queued extends SentRequest {
  head: string;
  receiver: ResponseReceiver;
  /** Set while a connection serves the request. */
  connection: Connection | undefined;
  isAborted: boolean;
}

/** The connections to one destination. */
interface Pool {
  idle: Connection[];
  open: number;
  waiting: Queued[];
}

/**
 * Persistent HTTP/1.1 connections for GET requests, one request at a time on each. All of them read into one buffer, so
 * a body is copied only by the code that keeps it.
 */
export class Connections {
  readonly #connect: buildConnector.connector;
  readonly #most: number;
  readonly #silenceSeconds: number;
  readonly #pools = new Map<string, Pool>();
  readonly #connections = new Set<Connection>();
  /** Number of unusual responses in succession, by origin. */
  readonly #unusual = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param connect opens a socket that reads into {@link sharedBuffer}; it applies the address policy
   * @param most maximum number of connections to one destination
   * @param silenceMs time without a byte after which a request fails
   */
  constructor(connect: buildConnector.connector, most: number, silenceMs: number) {
    this.#connect = connect;
    this.#most = most;
    this.#silenceSeconds = silenceMs / 1000;
  }

  /** Whether requests to this origin should be sent by other means, because its responses are always unusual. */
  isUnusual(origin: string): boolean {
    return (this.#unusual.get(origin) ?? 0) >= UNUSUAL_RESPONSES;
  }

  /**
   * Sends a request to an origin.
   * @param head the request line and headers, with the empty line, in visible ASCII
   */
  send(to: URL, head: string, receiver: ResponseReceiver): SentRequest {
    const queued: Queued = {
      head,
      receiver,
      connection: undefined,
      isAborted: false,
      abort: () => {
        queued.isAborted = true;
        queued.connection?.abort();
      },
    };
    if (this.#isClosed) {
      receiver.onFailure(new errors.ClientDestroyedError());
      return queued;
    }
    let pool = this.#pools.get(to.origin);
    if (pool === undefined) {
      pool = { idle: [], open: 0, waiting: [] };
      this.#pools.set(to.origin, pool);
    }
    const idle = pool.idle.pop();
    if (idle !== undefined) idle.send(queued);
    else {
      pool.waiting.push(queued);
      if (pool.open < this.#most) this.#open(pool, to);
    }
    return queued;
  }

  /** Closes all connections. Requests in progress fail. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.fail(new errors.ClientDestroyedError());
    for (const pool of this.#pools.values()) {
      for (const { receiver } of pool.waiting.splice(0)) receiver.onFailure(new errors.ClientDestroyedError());
    }
    this.#pools.clear();
  }

  /** Opens a connection for the request that has waited longest when it is established. */
  #open(pool: Pool, to: URL): void {
    const { hostname, host, protocol, port } = to;
    pool.open++;
    this.#connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null && this.#isClosed) socket.destroy();
      else if (error === null) this.#add(pool, to, socket as Socket);
      else {
        const request = shiftWanted(pool);
        this.#left(pool, to);
        request?.receiver.onFailure(error);
      }
    });
  }

  #add(pool: Pool, to: URL, socket: Socket): void {
    const connection: Connection = new Connection(socket, {
      isFree: () => {
        const next = shiftWanted(pool);
        if (next === undefined) pool.idle.push(connection);
        else connection.send(next);
      },
      isUsual: (isUsual) => this.#count(to.origin, isUsual),
      isGone: () => {
        this.#connections.delete(connection);
        const index = pool.idle.indexOf(connection);
        if (index >= 0) pool.idle.splice(index, 1);
        this.#left(pool, to);
      },
    });
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    connection.offer();
  }

  /** A connection has ended. Another one is opened if requests wait for it. */
  #left(pool: Pool, to: URL): void {
    pool.open--;
    const isNeeded = pool.waiting.some(({ isAborted }) => !isAborted);
    if (isNeeded && !this.#isClosed) this.#open(pool, to);
    else if (pool.open === 0 && pool.waiting.length === 0) this.#pools.delete(to.origin);
  }

  #count(origin: string, isUsual: boolean): void {
    if (isUsual) {
      if (this.#unusual.size > 0) this.#unusual.delete(origin);
      return;
    }
    const [oldest] = this.#unusual.keys();
    if (this.#unusual.size >= MAX_ORIGINS && oldest !== undefined) this.#unusual.delete(oldest);
    this.#unusual.set(origin, (this.#unusual.get(origin) ?? 0) + 1);
  }

  #tick(): void {
    for (const connection of this.#connections) connection.tick(this.#silenceSeconds);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function shiftWanted(pool: Pool): Queued | undefined {
  for (;;) {
    const next = pool.waiting.shift();
    if (next === undefined || !next.isAborted) return next;
  }
}

const connectionOf = new WeakMap<Socket, Connection>();

/** The buffer into which all connections of a dispatcher read. A chunk is valid until the next read of any of them. */
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
  /** It can send a request. */
  isFree(): void;
  isUsual(isUsual: boolean): void;
  isGone(): void;
}

/** One socket and the request that it serves. */
class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #serving: Queued | undefined;
  #parser: ResponseParser | undefined;
  #error: Error | undefined;
  /** Seconds without a byte: the response is silent, or no request is in progress. */
  #quiet = 0;
  #idleSeconds = IDLE_SECONDS;
  #isGone = false;

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

  /** Makes the connection available. */
  offer(): void {
    // The connection can have ended while it was established.
    if (!this.#isGone) this.#events.isFree();
  }

  send(request: Queued): void {
    request.connection = this;
    this.#serving = request;
    this.#parser = new ResponseParser(request.receiver);
    this.#quiet = 0;
    this.#socket.write(request.head, "latin1");
  }

  receive(bytes: Buffer): void {
    const parser = this.#parser;
    // Bytes that no request asked for: the connection is not in a known state.
    if (parser === undefined) {
      this.fail(new errors.SocketError("The server sent bytes that were not requested"));
      return;
    }
    this.#quiet = 0;
    let used: number;
    try {
      used = parser.parse(bytes);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    if (parser.state === "complete") this.#complete(parser, used === bytes.length);
    else if (parser.state === "unusual") {
      this.#events.isUsual(false);
      this.#reject();
    }
  }

  /** Ends the connection. The receiver of a request in progress learns the reason. */
  fail(error: Error): void {
    this.#leave(({ receiver }) => receiver.onFailure(error));
  }

  /** Ends the connection without a notification. */
  abort(): void {
    this.#leave(() => undefined);
  }

  /** Called once a second. A suspended process does not count the time in which it could not read. */
  tick(silenceSeconds: number): void {
    this.#quiet++;
    if (this.#serving === undefined) {
      if (this.#quiet > this.#idleSeconds) this.abort();
    } else if (this.#quiet > silenceSeconds) {
      const isHead = this.#parser?.state === "head";
      this.fail(isHead ? new errors.HeadersTimeoutError() : new errors.BodyTimeoutError());
    }
  }

  #ended(): void {
    const parser = this.#parser;
    parser?.end();
    if (parser?.state === "complete") this.#complete(parser, true);
    else if (parser?.state === "unusual") this.#reject();
    else this.fail(new errors.SocketError("The server closed the connection"));
  }

  #complete(parser: ResponseParser, isClean: boolean): void {
    const request = this.#serving;
    const { isPersistent, keepAliveSeconds } = parser;
    this.#forget();
    this.#events.isUsual(true);
    if (keepAliveSeconds !== undefined) {
      this.#idleSeconds = Math.min(keepAliveSeconds, LONGEST_IDLE_SECONDS) - IDLE_MARGIN_SECONDS;
    }
    const isReusable = isPersistent && isClean && this.#idleSeconds > 0 && !this.#isGone;
    if (!isReusable) this.abort();
    request?.receiver.onComplete();
    if (isReusable && this.#serving === undefined) this.offer();
  }

  #reject(): void {
    this.#leave(({ receiver }) => receiver.onUnusual());
  }

  #leave(notify: (request: Queued) => void): void {
    const request = this.#serving;
    this.#forget();
    if (!this.#isGone) {
      this.#isGone = true;
      this.#socket.destroy();
      this.#events.isGone();
    }
    if (request !== undefined && !request.isAborted) notify(request);
  }

  #forget(): void {
    if (this.#serving !== undefined) this.#serving.connection = undefined;
    this.#serving = undefined;
    this.#parser = undefined;
    this.#quiet = 0;
  }
}
