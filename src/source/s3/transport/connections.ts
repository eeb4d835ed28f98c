import type { Socket } from "node:net";
import { type buildConnector, errors } from "undici";
import { Connection, type PendingRequest, type ResponseReceiver, type SentRequest } from "./connection.ts";

const TICK_MS = 1_000;
/**
 * Cycles of the event loop between the end of a response and the next request on its connection. Surplus bytes or the end
 * of the connection arrive within them if the server sent them together with the response.
 */
const SETTLING_CYCLES = 2;
/** Number of unusual responses in succession after which an origin counts as unusual. */
const UNUSUAL_RESPONSES = 4;
/** Time after which an unusual origin is tried again. */
const UNUSUAL_MS = 5 * 60_000;
/** Submitters choose origins, so the number of remembered ones is limited. */
const MAX_ORIGINS = 1_000;

/** The connections to one origin. */
interface Pool {
  origin: URL;
  idle: Connection[];
  /** Number of connections that are established or being established. */
  openCount: number;
  /** Number of connections that become idle in a moment. */
  settlingCount: number;
  waiting: PendingRequest[];
}

/**
 * Persistent HTTP/1.1 connections for GET requests, one request at a time on each. All of them read into one buffer, so
 * a body is copied only by the code that keeps it.
 */
export class Connections {
  readonly #connect: buildConnector.connector;
  readonly #maxConnections: number;
  readonly #silenceSeconds: number;
  readonly #pools = new Map<string, Pool>();
  readonly #connections = new Set<Connection>();
  /** Connections whose last response has just ended, with the cycles to wait. */
  #settling: { connection: Connection; pool: Pool; cycles: number }[] = [];
  /** Number of unusual responses in succession, and the time of the last one, by origin. */
  readonly #unusual = new Map<string, { count: number; at: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param connect opens a socket that reads into {@link sharedBuffer}; it applies the address policy
   * @param maxConnections maximum number of connections to one origin
   * @param silenceMs time within which the whole head must arrive, and after it each next byte of the body
   */
  constructor(connect: buildConnector.connector, maxConnections: number, silenceMs: number) {
    this.#connect = connect;
    this.#maxConnections = maxConnections;
    this.#silenceSeconds = silenceMs / 1000;
  }

  /** Whether requests to this origin should be sent by other means, because its responses are always unusual. */
  isUnusual(origin: string): boolean {
    const found = this.#unusual.get(origin);
    return found !== undefined && found.count >= UNUSUAL_RESPONSES && performance.now() - found.at < UNUSUAL_MS;
  }

  /**
   * Sends a request to an origin.
   * @param head the request line and headers, with the empty line, in visible ASCII
   */
  send(origin: URL, head: string, receiver: ResponseReceiver): SentRequest {
    const pool = this.#poolOf(origin);
    const request: PendingRequest = {
      head,
      receiver,
      connection: undefined,
      abort: () => {
        const index = pool.waiting.indexOf(request);
        if (index >= 0) pool.waiting.splice(index, 1);
        request.connection?.close();
      },
    };
    if (this.#isClosed) {
      receiver.onFailure(new errors.ClientDestroyedError());
      return request;
    }
    const idle = pool.idle.pop();
    if (idle !== undefined) idle.send(request);
    else {
      pool.waiting.push(request);
      if (pool.waiting.length > pool.settlingCount) this.#open(pool);
    }
    return request;
  }

  /** Closes all connections. Requests that wait or are in progress fail. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.fail(new errors.ClientDestroyedError());
    for (const pool of this.#pools.values()) {
      for (const { receiver } of pool.waiting.splice(0)) receiver.onFailure(new errors.ClientDestroyedError());
    }
    this.#pools.clear();
  }

  #poolOf(origin: URL): Pool {
    const known = this.#pools.get(origin.origin);
    if (known !== undefined) return known;
    const pool = { origin, idle: [], openCount: 0, settlingCount: 0, waiting: [] };
    if (!this.#isClosed) this.#pools.set(origin.origin, pool);
    return pool;
  }

  /** Opens a connection, unless there are enough. It serves the request that has waited longest when it is established. */
  #open(pool: Pool): void {
    if (pool.openCount >= this.#maxConnections) return;
    const { hostname, host, protocol, port } = pool.origin;
    pool.openCount++;
    this.#connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null && this.#isClosed) socket.destroy();
      else if (error === null) this.#add(pool, socket as Socket);
      else {
        const request = pool.waiting.shift();
        this.#connectionEnded(pool);
        request?.receiver.onFailure(error);
      }
    });
  }

  #add(pool: Pool, socket: Socket): void {
    const connection: Connection = new Connection(socket, {
      onResponseEnd: () => {
        this.#countUnusual(pool.origin.origin, false);
        this.#settle(pool, connection);
      },
      onUnusual: () => this.#countUnusual(pool.origin.origin, true),
      onClosed: () => {
        this.#connections.delete(connection);
        const index = pool.idle.indexOf(connection);
        if (index >= 0) pool.idle.splice(index, 1);
        this.#connectionEnded(pool);
      },
    });
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    this.#makeAvailable(pool, connection);
  }

  #makeAvailable(pool: Pool, connection: Connection): void {
    if (connection.isClosed) return;
    const next = pool.waiting.shift();
    if (next === undefined) pool.idle.push(connection);
    else connection.send(next);
  }

  /** Makes a connection available after {@link SETTLING_CYCLES}. One callback serves all connections. */
  #settle(pool: Pool, connection: Connection): void {
    if (this.#settling.length === 0) setImmediate(() => this.#endCycle());
    this.#settling.push({ connection, pool, cycles: SETTLING_CYCLES });
    pool.settlingCount++;
  }

  #endCycle(): void {
    const settling = this.#settling;
    this.#settling = settling.filter((one) => --one.cycles > 0);
    if (this.#settling.length > 0) setImmediate(() => this.#endCycle());
    for (const { connection, pool, cycles } of settling) {
      if (cycles > 0) continue;
      pool.settlingCount--;
      if (connection.isClosed) this.#replace(pool);
      else this.#makeAvailable(pool, connection);
    }
  }

  /** Another connection has ended, or could not be established. */
  #connectionEnded(pool: Pool): void {
    pool.openCount--;
    this.#replace(pool);
  }

  /** Opens a connection if requests wait for one. Forgets a pool that is not used. */
  #replace(pool: Pool): void {
    if (this.#isClosed) return;
    const { waiting, openCount, settlingCount, origin } = pool;
    if (waiting.length > settlingCount) this.#open(pool);
    else if (openCount === 0 && waiting.length === 0) this.#pools.delete(origin.origin);
  }

  #countUnusual(origin: string, isUnusual: boolean): void {
    if (!isUnusual) {
      if (this.#unusual.size > 0) this.#unusual.delete(origin);
      return;
    }
    const count = (this.#unusual.get(origin)?.count ?? 0) + 1;
    this.#unusual.delete(origin);
    const [oldest] = this.#unusual.keys();
    if (this.#unusual.size >= MAX_ORIGINS && oldest !== undefined) this.#unusual.delete(oldest);
    this.#unusual.set(origin, { count, at: performance.now() });
  }

  #tick(): void {
    for (const connection of this.#connections) connection.tick(this.#silenceSeconds);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
