import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { BlockList, isIPv6 } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { ConnectionError } from "fastify";
import { type Code, Problem } from "../../domain/problems.ts";
import type { Closing, Server } from "../fastify.ts";
import { closing } from "../fastify.ts";
import { bodyOf } from "../responses/problem-answers.ts";

/** Counts what each caller or address has at a time. */
export class AtOnce {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more until its connection or answer closes.
   * @returns false if the caller has the maximum already; then nothing is counted
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

/** Milliseconds in which the headers of a request must have come, from its first byte, or from the connection's start. */
const HEADERS_MS = 15_000;
/** Milliseconds in which the whole request must have come: 8 MiB are then 280 KiB/s. */
const REQUEST_MS = 30_000;
/** Milliseconds without a byte in either direction: whoever does not read an answer any more is gone. Live logs say more. */
const SILENCE_MS = 120_000;
/** How often connections are looked at for those that are late. */
const LOOK_MS = 1_000;
/** Longer than the minute that reverse proxies keep a connection, so that it is they who close it. */
const IDLE_MS = 72_000;
/** Of about 10 kB each when nothing comes. More are closed at once, rather than that all become slow. */
const CONNECTIONS = 10_000;
/** Of these, from one address, or one network of IPv6: nobody can keep all the others away. */
const CONNECTIONS_OF_ONE = 1_000;

/** What keeps slow and idle callers from taking the service away from the others. */
export const connectionLimits = {
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: IDLE_MS,
  connectionTimeout: SILENCE_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
};

/**
 * Applies what can only be said to the server itself. Whoever asks whether to send a body (`Expect: 100-continue`, RFC
 * 9110, section 10.1.1) is told so when it is about to be read, and not before it is known who asks.
 */
export function limitConnections(server: Server, trustedProxies: readonly string[]): void {
  server.server.maxConnections = CONNECTIONS;
  server.server.on("connection", sharer(trustedProxies));
  server.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.routing(request, response);
  });
  server.addHook("preParsing", async (request, reply) => {
    if (request.headers.expect?.toLowerCase() === "100-continue") reply.raw.writeContinue();
  });
}

/** Closes connections of an address that has its share. Reverse proxies, trusted or on this machine, bring those of many. */
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

/** Answers what is not even a request, or not all of one, as a problem too, and ends the connection. */
export function answerBroken(error: ConnectionError, socket: Socket): void {
  // The caller went away, or has its answer.
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(CODES[error.code] ?? "bad_request");
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
    // One who does not read would keep the connection for ever.
    () => socket.destroy(),
  );
}

/** Tells whether an address lies in one of these networks; one without bits is a single address. */
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
