import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { BlockList, isIPv6 } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { ConnectionError } from "fastify";
import { type Code, Problem } from "../../domain/problems.ts";
import type { Closing, Server } from "../fastify.ts";
import { closing } from "../fastify.ts";
import { bodyOf } from "../responses/problem-answers.ts";

/** Limits how many connections, requests or responses each caller or address has at once. */
export class AtOnce {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more until its connection or response closes.
   * @returns false, without counting, if the caller has reached the maximum
   */
  begin(who: string, until: Closing): boolean {
    const count = this.#open.get(who) ?? 0;
    if (count >= this.#most) return false;
    this.#open.set(who, count + 1);
    until(() => {
      const left = (this.#open.get(who) ?? 1) - 1;
      if (left === 0) this.#open.delete(who);
      else this.#open.set(who, left);
    });
    return true;
  }
}

/** Maximum time for the headers of a request in milliseconds, from its first byte or the start of the connection. */
const HEADERS_MS = 15_000;
/** Maximum time for the whole request in milliseconds. 8 MiB need at least 280 KiB/s. */
const REQUEST_MS = 30_000;
/** Maximum time without data in either direction in milliseconds. Event streams send data more often. */
const SILENCE_MS = 120_000;
/** Interval at which connections are checked for these limits. */
const LOOK_MS = 1_000;
/** Maximum idle time in milliseconds. Longer than the minute of common reverse proxies, so that they close connections first. */
const IDLE_MS = 72_000;
/** Maximum number of connections. An idle one needs about 10 kB. Further ones are closed at once, so that all others remain fast. */
const CONNECTIONS = 10_000;
/** Maximum number of connections from one address or IPv6 network, so that one client cannot block all others. */
const CONNECTIONS_OF_ONE = 1_000;

/** Time limits that prevent slow and idle clients from blocking the service. */
export const connectionLimits = {
  // Node has one limit for all requests; see limitBodies.
  requestTimeout: 0,
  keepAliveTimeout: IDLE_MS,
  connectionTimeout: SILENCE_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
};

/**
 * Applies the limits that Node’s server must enforce. `100 Continue` (`Expect: 100-continue`, RFC 9110, section 10.1.1) is
 * sent when the body is about to be read, after authentication.
 */
export function limitConnections(server: Server, trustedProxies: readonly string[]): void {
  server.server.maxConnections = CONNECTIONS;
  server.server.on("connection", sharer(trustedProxies));
  server.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.routing(request, response);
  });
  limitBodies(server);
  server.addHook("preParsing", async (request, reply) => {
    if (request.headers.expect?.toLowerCase() === "100-continue") reply.raw.writeContinue();
  });
}

/** Ends requests whose bodies do not arrive in time, unless they may have any size. */
function limitBodies(server: Server): void {
  server.addHook("onRequest", async ({ raw, headers, routeOptions }) => {
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (!hasBody || routeOptions.config.streamed === true) return;
    const timer = setTimeout(() => {
      if (!raw.complete) answerAndClose(raw.socket, "request_timeout");
    }, REQUEST_MS);
    const end = () => clearTimeout(timer);
    raw.once("end", end).once("close", end);
  });
}

/**
 * Closes connections from an address that has reached its maximum. Trusted and local reverse proxies are exempt, because
 * they forward the connections of many clients.
 */
function sharer(trustedProxies: readonly string[]): (socket: Socket) => void {
  const isProxy = networkMatcher(["127.0.0.0/8", "::1/128", ...trustedProxies]);
  const open = new AtOnce(CONNECTIONS_OF_ONE);
  return (socket) => {
    const { remoteAddress = "" } = socket;
    if (isProxy(remoteAddress)) return;
    if (!open.begin(normalizeIP(remoteAddress, 64), closing(socket))) socket.destroy();
  };
}

const CODES: Record<string, Code> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/** Answers malformed and incomplete requests with a problem, and closes the connection. */
export function answerBroken(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET") socket.destroy();
  else answerAndClose(socket, CODES[error.code] ?? "bad_request");
}

function answerAndClose(socket: Socket, code: Code): void {
  // The client disconnected, or already has its response.
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(code);
  const body = JSON.stringify(bodyOf(problem));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
    // Destroyed, because a client that does not read would keep the connection open.
    () => socket.destroy(),
  );
}

/** Returns a function that tells whether an address is in one of the networks. A network without a prefix length is one address. */
export function networkMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address = "") => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
