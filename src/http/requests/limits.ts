import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/problems.ts";
import type { Server } from "../fastify.ts";
import { type Closing, closing } from "../fastify.ts";
import { AtOnce } from "./connections.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Work that a disconnect does not cancel; null if a disconnect ends the request. */
    work: Promise<unknown> | null;
  }
}

/** Requests a minute; 0 is no limit. */
export interface RateLimits {
  /** Of one caller. */
  requests: number;
  /** Of one caller to one host, by whatever makes the service call it; four times as many to all hosts. */
  checks: number;
  /** With tokens that are not valid, from one address. */
  signIn: number;
}

export interface Limits {
  /** Counts a request. @throws Problem `rate_limited` */
  request(request: FastifyRequest, reply: FastifyReply, caller: string): Promise<void>;
  /** Counts a call to an endpoint that the caller names, so that nobody scans networks with it. @throws Problem `rate_limited` */
  target(request: FastifyRequest, reply: FastifyReply, caller: string, endpoint: string): Promise<void>;
  /** Counts what goes on and on, until the connection ends. @throws Problem `rate_limited` */
  stream(reply: FastifyReply, caller: string): void;
  /** Counts a file or package that is handed out, until it is. @throws Problem `rate_limited` */
  download(reply: FastifyReply, caller: string): void;
  /** Counts a large body until its request is answered: all of them are in memory at a time. @throws Problem `rate_limited` */
  body(request: FastifyRequest, reply: FastifyReply, caller: string): void;
  /** Counts a large answer until it is sent: slow callers must not fill the memory. @throws Problem `rate_limited` */
  answer(reply: FastifyReply, caller: string, bytes: number): void;
  /** Counts attempts to sign in that fail. @throws Problem `rate_limited`, and what `signIn` throws */
  signIn<T>(request: FastifyRequest, reply: FastifyReply, signIn: () => Promise<T>): Promise<T>;
}

const WINDOW_MS = 60_000;
/** Callers, addresses or pairs of caller and host that are remembered at a time; about 200 bytes each. */
const REMEMBERED = 20_000;
const HOSTS_AT_ONCE = 4;
/** Logs that one caller follows at a time; each asks the database twice a second. */
const STREAMS = 100;
const STREAM_RETRY_SECONDS = 30;
/** Files and packages that one caller is sent at a time. */
const DOWNLOADS = 32;
const DOWNLOAD_RETRY_SECONDS = 5;
/** Bodies of more bytes, or of unknown length, that one caller sends at a time. */
const BODIES = 16;
const BODY_BYTES = 256 * 1024;
const BODY_RETRY_SECONDS = 5;

/** Answers of about more bytes than this that one caller is sent at a time. */
const ANSWERS = 16;
const ANSWER_BYTES = 256 * 1024;
const ANSWER_RETRY_SECONDS = 5;

/** The limits of a server, kept in memory: each process counts for itself. */
export async function rateLimits(server: Server, most: RateLimits): Promise<Limits> {
  await server.register(rateLimit, { global: false });
  server.decorateRequest("work", null);
  const requests = limit(server, most.requests);
  const hosts = limit(server, most.checks);
  const targets = limit(server, most.checks * HOSTS_AT_ONCE);
  const failures = limit(server, most.signIn);
  const streams = atOnce(STREAMS, "followed logs", STREAM_RETRY_SECONDS);
  const downloads = atOnce(DOWNLOADS, "downloads", DOWNLOAD_RETRY_SECONDS);
  const bodies = atOnce(BODIES, "large requests", BODY_RETRY_SECONDS);
  const answers = atOnce(ANSWERS, "large answers", ANSWER_RETRY_SECONDS);
  return {
    request: (request, reply, caller) => requests(request, reply, caller),
    async target(request, reply, caller, endpoint) {
      await targets(request, reply, caller);
      await hosts(request, reply, `${new URL(endpoint).hostname} ${caller}`);
    },
    stream: most.requests === 0 ? () => undefined : (reply, caller) => streams(closing(reply.raw), caller),
    download: (reply, caller) => downloads(closing(reply.raw), caller),
    body(request, reply, caller) {
      const { headers } = request;
      const bytes = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
      if (bytes > BODY_BYTES) bodies(untilDone(request, reply), caller);
    },
    answer(reply, caller, bytes) {
      if (bytes > ANSWER_BYTES) answers(closing(reply.raw), caller);
    },
    async signIn(request, reply, signIn) {
      try {
        return await signIn();
      } catch (error) {
        // Only those who fail are sent away: behind one address there may be many who have good tokens.
        if (error instanceof Problem && error.code === "token_invalid") {
          await failures(request, reply, clientAddressOf(request));
        }
        throw error;
      }
    },
  };
}

/** Where a request comes from: behind a trusted proxy what that says. Of IPv6 the network, which belongs to one person. */
export function clientAddressOf(request: FastifyRequest): string {
  return normalizeIP(request.ip, 64);
}

/** What a caller may have so many of at a time. */
function atOnce(most: number, what: string, retryAfter: number): (until: Closing, caller: string) => void {
  const open = new AtOnce(most);
  return (until, caller) => {
    if (open.begin(caller, until)) return;
    const detail = `More than ${most} ${what} of one caller at a time are not served`;
    throw new Problem("rate_limited", detail, { retryAfter });
  };
}

/** The end of a request: it is answered and its work is done, which can outlast the connection. */
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
    // Its types leave it out.
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
      throw new Problem("rate_limited", `More than ${max} such requests a minute are not answered`, {
        retryAfter: Math.max(1, ttlInSeconds),
      });
    }
  };
}
