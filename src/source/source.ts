import type { SourceAccess } from "../domain/access.ts";
import { Problem } from "../domain/problems.ts";
import type { Egress } from "./transport/egress.ts";
import { type Asked, explainFailure, explainReply, type Operation } from "./transport/errors.ts";
import { exchange, flatten, type ReplyHead, type Taker } from "./transport/http-exchange.ts";
import { encodeKey, encodeQuery, type SigningKeys, sign } from "./transport/signer.ts";

/** How a bucket is named in a URL: in the path, or as the first label of the host. */
export type Addressing = "path" | "virtual";

export interface SourceRequest {
  operation: Operation;
  method?: "GET" | "HEAD";
  key?: string;
  query?: readonly (readonly [string, string])[];
  /** Lower-case names. */
  headers?: Record<string, string>;
  signal: AbortSignal;
}

export interface SourceReply {
  status: number;
  /** Lower-case names; the last value of a repeated header. */
  headers: Record<string, string>;
  /** To be read to its end or destroyed. Never decoded: what the server stores is what arrives. */
  body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };
}

/** For an answer that is small, such as a page of a listing, from first to last. */
const WHOLE_MS = 120_000;
/** Enough of an error's body to name it. */
const ERROR_BODY_BYTES = 64 * 1024;
const DEFAULT_REGION = "us-east-1";

/**
 * A caller's bucket. It is only ever read: the two methods are GET and HEAD. Redirects are never followed, and
 * nothing is taken from the environment.
 */
export class Source {
  readonly access: SourceAccess;
  readonly egress: Egress;
  addressing: Addressing;
  region: string;
  readonly #endpoint: URL;
  /** Undefined where requests are not signed. */
  readonly #keys: SigningKeys | undefined;
  #target: { addressing: Addressing; region: string; origin: string; host: string; base: string } | undefined;

  constructor(access: SourceAccess, egress: Egress, known: { addressing?: Addressing; region?: string } = {}) {
    this.access = access;
    this.egress = egress;
    this.#endpoint = new URL(access.endpoint);
    const { accessKey, secretKey, sessionToken } = access;
    if (accessKey !== undefined && secretKey !== undefined) {
      this.#keys = { accessKey, secretKey, ...(sessionToken !== undefined && { sessionToken }) };
    }
    this.region = known.region ?? access.region ?? regionOfHost(this.#endpoint.hostname) ?? DEFAULT_REGION;
    this.addressing = known.addressing ?? (access.pathStyle === undefined ? guess(this) : style(access.pathStyle));
  }

  /** Scheme, host and port that requests go to. */
  get origin(): URL {
    const origin = new URL(this.#endpoint.origin);
    // Amazon's global name answers for us-east-1 and redirects for the rest; each region has its own name.
    if (origin.hostname === "s3.amazonaws.com" && this.region !== DEFAULT_REGION) {
      origin.hostname = `s3.${this.region}.amazonaws.com`;
    }
    if (this.addressing === "virtual") origin.hostname = `${this.access.bucket}.${origin.hostname}`;
    return origin;
  }

  /** Whether the other way of addressing makes sense for this endpoint at all. */
  get canBeVirtual(): boolean {
    const { hostname } = this.#endpoint;
    return !/^[\d.]+$|^\[/.test(hostname) && hostname.includes(".") && this.#endpoint.pathname === "/";
  }

  /**
   * Sends one request and gives the reply if it is a success (2xx).
   * @throws Problem that names what went wrong; the signal's reason when aborted
   */
  async request(request: SourceRequest): Promise<SourceReply> {
    const origin = this.origin;
    const reply = await this.#send(origin, request);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const body = await readStart(reply.body, ERROR_BODY_BYTES);
    throw this.failed(await explainReply({ status: reply.status, headers: reply.headers, body }, this.asked(request)));
  }

  /** Has a problem of a request counted, and gives it back. */
  failed(problem: Problem): Problem {
    this.egress.failed(problem.code);
    return problem;
  }

  /** What a request asks for, as errors name it. */
  asked(request: Pick<SourceRequest, "operation" | "key">): Asked {
    return {
      operation: request.operation,
      url: this.origin,
      bucket: this.access.bucket,
      anonymous: this.access.anonymous,
      ...(request.key !== undefined && { key: request.key }),
    };
  }

  /**
   * Sends one request and hands the body of a success over as it comes; see {@link exchange}.
   * @throws Problem that names what went wrong; what the taker threw; the signal's reason when aborted
   */
  async stream(request: SourceRequest, taker: Taker): Promise<void> {
    let refusal: { head: ReplyHead; parts: Buffer[]; size: number } | undefined;
    let ours: { error: unknown } | undefined;
    let phase: "head" | "body" = "head";
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        ours = { error };
        throw error;
      }
    };
    const begin = (head: ReplyHead) => {
      phase = "body";
      if (head.status >= 300) refusal = { head, parts: [], size: 0 };
      else guarded(() => taker.begin(head));
    };
    const take = (chunk: Buffer) => {
      if (refusal === undefined) guarded(() => taker.take(chunk));
      else if (refusal.size >= ERROR_BODY_BYTES) throw new Error("Enough of a refusal");
      else {
        refusal.parts.push(Buffer.from(chunk));
        refusal.size += chunk.length;
      }
    };
    try {
      const { streaming, slowness } = this.egress;
      await exchange(streaming, this.#options(request), request.signal, slowness, { begin, take });
    } catch (error) {
      if (ours !== undefined) throw ours.error instanceof Problem ? this.failed(ours.error) : ours.error;
      request.signal.throwIfAborted();
      // Half a body explains a refusal as well as it can.
      if (refusal === undefined) throw this.failed(explainFailure(error, this.origin, phase));
    }
    if (refusal === undefined) return;
    const body = Buffer.concat(refusal.parts).subarray(0, ERROR_BODY_BYTES);
    throw this.failed(await explainReply({ ...refusal.head, body }, this.asked(request)));
  }

  async #send(origin: URL, request: SourceRequest): Promise<SourceReply> {
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(WHOLE_MS)]);
      const { statusCode, headers, body } = await this.egress.dispatcher.request({ ...this.#options(request), signal });
      // Whoever reads the body is told by the reading; that an unread one is destroyed is no news to anybody.
      body.on("error", () => undefined);
      return { status: statusCode, headers: flatten(headers), body };
    } catch (error) {
      request.signal.throwIfAborted();
      throw this.failed(explainFailure(error, origin));
    }
  }

  #options(request: SourceRequest): { origin: string; path: string; method: "GET" | "HEAD"; headers: Headers } {
    const { origin, host, base } = this.#where();
    const method = request.method ?? "GET";
    const path = `${base}/${request.key === undefined ? "" : encodeKey(request.key)}`;
    const query = request.query ?? [];
    const plain = { ...request.headers, "accept-encoding": "identity", "user-agent": "Accession" };
    const signed =
      this.#keys === undefined
        ? undefined
        : sign(
            { method, host, path, query, headers: request.headers ?? {}, region: this.region, at: new Date() },
            this.#keys,
          );
    return {
      origin,
      path: query.length === 0 ? path : `${path}?${encodeQuery(query)}`,
      method,
      headers: signed === undefined ? plain : Object.assign(plain, signed),
    };
  }

  /** Where requests go: put together once, because a submission makes millions of them. */
  #where(): { origin: string; host: string; base: string } {
    const { addressing, region } = this;
    if (this.#target?.addressing !== addressing || this.#target.region !== region) {
      const { origin, host } = this.origin;
      const folder = this.#endpoint.pathname.replace(/\/$/, "");
      const base = addressing === "path" ? `${folder}/${this.access.bucket}` : folder;
      this.#target = { addressing, region, origin, host, base };
    }
    return this.#target;
  }
}

type Headers = Record<string, string>;

function style(pathStyle: boolean): Addressing {
  return pathStyle ? "path" : "virtual";
}

/** Amazon has given up on paths for new buckets; every other server understands them. Dots would break its TLS. */
function guess(source: Source): Addressing {
  const { hostname } = new URL(source.access.endpoint);
  return hostname.endsWith(".amazonaws.com") && !source.access.bucket.includes(".") ? "virtual" : "path";
}

function regionOfHost(hostname: string): string | undefined {
  return /^s3[.-](?:dualstack\.)?([a-z]{2}-[a-z0-9-]+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1];
}

/** At most `limit` bytes of a body; the rest is not waited for. A body that breaks off counts as it came. */
async function readStart(body: SourceReply["body"], limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size >= limit) break;
    }
  } catch (error) {
    // The status has already told that the request failed; half a body explains it as well as it can.
    if (error instanceof Problem) throw error;
  }
  body.destroy();
  return Buffer.concat(parts).subarray(0, limit);
}

/** The least rights that taking in this bucket needs, as a policy in AWS's language that Ceph and MinIO read too. */
export function strictestPolicy(bucket: string, prefix: string | undefined): object {
  const condition = prefix === undefined ? {} : { Condition: { StringLike: { "s3:prefix": [`${prefix}*`] } } };
  return {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["s3:ListBucket"], Resource: [`arn:aws:s3:::${bucket}`], ...condition },
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: [`arn:aws:s3:::${bucket}/${prefix ?? ""}*`] },
    ],
  };
}
