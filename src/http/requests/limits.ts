import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Code, Problem } from "../../domain/problems.ts";
import type { Server } from "../fastify.ts";
import { type Closing, closing } from "../fastify.ts";
import { AtOnce } from "./connections.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Work that a disconnect does not cancel; null if a disconnect ends the request. */
    work: Promise<unknown> | null;
  }
}

/** Requests per minute. 0 means no limit. */
export interface RateLimits {
  /** Requests of one caller. */
  requests: number;
  /** Requests of one caller that make the service connect to one host. Four times as many are allowed for all hosts together. */
  checks: number;
  /** Requests with invalid tokens from one address, and requests for access to files. */
  signIn: number;
}

export interface Limits {
  /** Counts a request. @throws Problem `rate_limited` */
  request(request: FastifyRequest, reply: FastifyReply, caller: string): Promise<void>;
  /** Counts a connection to an endpoint that the caller named. It prevents network scans. @throws Problem `rate_limited` */
  target(request: FastifyRequest, reply: FastifyReply, caller: string, endpoint: string): Promise<void>;
  /** Counts a request for access to files, which people read, by its address. @throws Problem `rate_limited` */
  ask(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts an event stream until its connection ends. @throws Problem `rate_limited` */
  stream(reply: FastifyReply, caller: string): void;
  /** Counts a download of a file or package until it ends. @throws Problem `rate_limited` */
  download(reply: FastifyReply, caller: string): void;
  /** Counts a large or streamed body until its request is answered. @throws Problem `rate_limited` */
  body(request: FastifyRequest, reply: FastifyReply, caller: string): void;
  /**
   * Runs a search that reads much, when those before it have ended: they leave time for other requests. One whose client has left is
   * not begun. @param run learns by `isOver` that the client has left @throws Problem `rate_limited`
   */
  search<T>(reply: FastifyReply, caller: string, run: (isOver: () => boolean) => Promise<T>): Promise<T | undefined>;
  /** Counts failed sign-ins. @throws Problem `rate_limited`, and the errors of `signIn` */
  signIn<T>(request: FastifyRequest, reply: FastifyReply, signIn: () => Promise<T>): Promise<T>;
}

/** Codes of requests with a secret that is not valid, or no longer valid. */
const REFUSED: ReadonlySet<Code> = new Set([
  "token_invalid",
  "reviewer_link_unknown",
  "reviewer_link_expired",
  "reviewer_link_revoked",
]);
const WINDOW_MS = 60_000;
/** Maximum number of counters (callers, addresses, pairs of caller and host) in memory; about 200 bytes each. */
const REMEMBERED = 20_000;
const HOSTS_AT_ONCE = 4;
/** Maximum number of event streams of one caller at once. */
const STREAMS = 100;
const STREAM_RETRY_SECONDS = 30;
/** Maximum number of downloads of one caller at once. */
const DOWNLOADS = 32;
const DOWNLOAD_RETRY_SECONDS = 5;
/** Maximum number of bodies of one caller at once that are larger than {@link BODY_BYTES} or have an unknown length. */
const BODIES = 16;
const BODY_BYTES = 256 * 1024;
const BODY_RETRY_SECONDS = 5;

/** Maximum number of searches of one caller at once. */
const SEARCHES = 2;
const SEARCH_RETRY_SECONDS = 2;
/** Maximum number of searches of all callers that have not ended. Each takes a fraction of a second. */
const WAITING_SEARCHES = 20;

/** Creates the limits of a server. Counters are in memory, so each process counts separately. */
export async function rateLimits(server: Server, most: RateLimits): Promise<Limits> {
  await server.register(rateLimit, { global: false });
  server.decorateRequest("work", null);
  const requests = limit(server, most.requests);
  const hosts = limit(server, most.checks);
  const targets = limit(server, most.checks * HOSTS_AT_ONCE);
  const failures = limit(server, most.signIn);
  const asked = limit(server, most.signIn);
  const streams = atOnce(STREAMS, "event streams", STREAM_RETRY_SECONDS);
  const downloads = atOnce(DOWNLOADS, "downloads", DOWNLOAD_RETRY_SECONDS);
  const bodies = atOnce(BODIES, "large requests", BODY_RETRY_SECONDS);
  const searches = atOnce(SEARCHES, "searches", SEARCH_RETRY_SECONDS);
  let lastSearch: Promise<unknown> = Promise.resolve();
  let waitingSearches = 0;
  return {
    request: (request, reply, caller) => requests(request, reply, caller),
    async target(request, reply, caller, endpoint) {
      await targets(request, reply, caller);
      await hosts(request, reply, `${new URL(endpoint).hostname} ${caller}`);
    },
    ask: (request, reply) => asked(request, reply, clientAddressOf(request)),
    stream: most.requests === 0 ? () => undefined : (reply, caller) => streams(closing(reply.raw), caller),
    download: (reply, caller) => downloads(closing(reply.raw), caller),
    body(request, reply, caller) {
      const { headers } = request;
      const bytes = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
      // A streamed body takes as long as its client wants.
      const isStreamed = request.routeOptions.config.streamed === true;
      if (bytes > BODY_BYTES || (isStreamed && bytes > 0)) bodies(untilDone(request, reply), caller);
    },
    async search(reply, caller, run) {
      searches(closing(reply.raw), caller);
      if (waitingSearches >= WAITING_SEARCHES) {
        throw new Problem("rate_limited", "Too many searches wait", { retryAfter: SEARCH_RETRY_SECONDS });
      }
      waitingSearches++;
      const isOver = () => reply.raw.destroyed;
      const search = lastSearch.then(() => (isOver() ? undefined : run(isOver)));
      // The caller gets its error.
      lastSearch = search.catch(() => undefined).finally(() => waitingSearches--);
      return search;
    },
    async signIn(request, reply, signIn) {
      try {
        return await signIn();
      } catch (error) {
        // Only failed requests are limited, because one address can have many callers with valid tokens.
        if (error instanceof Problem && REFUSED.has(error.code)) {
          await failures(request, reply, clientAddressOf(request));
        }
        throw error;
      }
    },
  };
}

/** Returns the address of the client, as reported by a trusted proxy. For IPv6, the /64 network, which usually has one owner. */
export function clientAddressOf(request: FastifyRequest): string {
  return normalizeIP(request.ip, 64);
}

/** Limits how many of something a caller has at once. */
export function atOnce(most: number, what: string, retryAfter: number): (until: Closing, caller: string) => void {
  const open = new AtOnce(most);
  return (until, caller) => {
    if (open.begin(caller, until)) return;
    const detail = `The limit of ${most} concurrent ${what} per caller has been reached`;
    throw new Problem("rate_limited", detail, { retryAfter });
  };
}

/** The end of a request: the response is sent and its work is done, which can take longer than the connection. */
function untilDone(request: FastifyRequest, reply: FastifyReply): Closing {
  return (run) =>
    closing(reply.raw)(() => {
      if (request.work === null) run();
      else request.work.then(run, run);
    });
}

type Limit = (request: FastifyRequest, reply: FastifyReply, key: string) => Promise<void>;

function limit(server: Server, max: number): Limit {
  if (max === 0) return async () => undefined;
  const keys = new WeakMap<FastifyRequest, string>();
  const count = server.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    // Missing in the types of the plug-in.
    ...({ cache: REMEMBERED } as object),
    keyGenerator: (request) => keys.get(request) ?? "",
  });
  return async (request, reply, key) => {
    keys.set(request, key);
    const counted = await count(request);
    if (counted.isAllowed) return;
    const { remaining, ttlInSeconds, isExceeded } = counted;
    reply
      .header("ratelimit-limit", max)
      .header("ratelimit-remaining", remaining)
      .header("ratelimit-reset", ttlInSeconds);
    if (isExceeded) {
      throw new Problem("rate_limited", `The limit of ${max} such requests per minute has been reached`, {
        retryAfter: Math.max(1, ttlInSeconds),
      });
    }
  };
}
