import type { SourceAccess } from "../domain/access.ts";
import { Problem } from "../domain/problems.ts";
import type { Egress } from "./transport/egress.ts";
import { type Asked, explainFailure, explainReply, type Operation } from "./transport/errors.ts";
import { type ExchangeRequest, exchange, flatten, type ResponseHandler } from "./transport/http-exchange.ts";
import type { ReplyHead } from "./transport/response-parser.ts";
import { encodeKey, encodeQuery, sign } from "./transport/signer.ts";

/** How a bucket is named in a URL: in the path, or as the first label of the host. */
export type Addressing = "path" | "virtual";

interface SourceRequest {
  operation: Operation;
  method?: "GET" | "HEAD";
  key?: string;
  query?: readonly (readonly [string, string])[];
  /** Lower-case names. */
  headers?: Record<string, string>;
  signal: AbortSignal;
}

interface SourceReply {
  status: number;
  /** Lower-case names; the last value of a repeated header. */
  headers: Record<string, string>;
  /** Must be read to its end or destroyed. Never decoded: the bytes are those that the server stores. */
  body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };
}

/** Time limit of a request with a small response, such as a page of a listing, including its body. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Maximum number of bytes of an error response that are read. */
const ERROR_BODY_BYTES = 64 * 1024;
const DEFAULT_REGION = "us-east-1";

/**
 * A caller's bucket. It is only read, with GET and HEAD. Redirects are not followed, and the environment is ignored.
 */
export class Source {
  readonly access: SourceAccess;
  readonly egress: Egress;
  readonly addressing: Addressing;
  region: string;
  readonly #endpoint: URL;
  #target: { addressing: Addressing; region: string; origin: URL; host: string; base: string } | undefined;

  constructor(access: SourceAccess, egress: Egress) {
    this.access = access;
    this.egress = egress;
    this.#endpoint = new URL(access.endpoint);
    this.region = access.region ?? regionOfHost(this.#endpoint.hostname) ?? DEFAULT_REGION;
    this.addressing = addressingOf(access);
  }

  /** Scheme, host and port that requests go to. */
  get origin(): URL {
    const origin = new URL(this.#endpoint.origin);
    // Amazon's global host name serves us-east-1 and redirects for other regions, which have their own names.
    if (origin.hostname === "s3.amazonaws.com" && this.region !== DEFAULT_REGION) {
      origin.hostname = `s3.${this.region}.amazonaws.com`;
    }
    if (this.addressing === "virtual") origin.hostname = `${this.access.bucket}.${origin.hostname}`;
    return origin;
  }

  /** Whether virtual-host addressing is possible for this endpoint. */
  get canBeVirtual(): boolean {
    const { hostname } = this.#endpoint;
    return !/^[\d.]+$|^\[/.test(hostname) && hostname.includes(".") && this.#endpoint.pathname === "/";
  }

  /**
   * Sends one request and returns the response if its status is 2xx.
   * @throws Problem that names the failure; the signal's reason if aborted
   */
  async request(request: SourceRequest): Promise<SourceReply> {
    const origin = this.origin;
    const reply = await this.#send(origin, request);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const body = await readStart(reply.body, ERROR_BODY_BYTES);
    throw this.failed(await explainReply({ status: reply.status, headers: reply.headers, body }, this.asked(request)));
  }

  /** Counts a problem of a request, and returns it. */
  failed(problem: Problem): Problem {
    this.egress.failed(problem.code);
    return problem;
  }

  /** The subject of a request, for error messages. */
  asked(request: Pick<SourceRequest, "operation" | "key">): Asked {
    return {
      operation: request.operation,
      url: this.origin,
      bucket: this.access.bucket,
      anonymous: this.access.credentials === undefined,
      ...(request.key !== undefined && { key: request.key }),
    };
  }

  /**
   * Sends one request and hands a successful response (2xx) to the handler as it arrives; see {@link exchange}.
   *
   * @returns undefined after the last byte, or the Problem if the server refused or the connection failed
   * @throws what the handler threw; the signal's reason
   */
  async stream(request: SourceRequest, handler: ResponseHandler): Promise<Problem | undefined> {
    let refusal: { head: ReplyHead; parts: Buffer[]; size: number } | undefined;
    const failure = await exchange(this.egress, this.#options(request), request.signal, {
      onHead: (head) => {
        if (head.status >= 300) refusal = { head, parts: [], size: 0 };
        else handler.onHead(head);
      },
      onData: (chunk) => {
        if (refusal === undefined) handler.onData(chunk);
        else if (refusal.size >= ERROR_BODY_BYTES) throw new Error("Enough of the refusal's body has been read");
        else {
          refusal.parts.push(Buffer.from(chunk));
          refusal.size += chunk.length;
        }
      },
    });
    if (failure?.from === "signal") throw failure.error;
    if (refusal !== undefined) {
      // An incomplete body is used, too, to explain the refusal.
      const body = Buffer.concat(refusal.parts).subarray(0, ERROR_BODY_BYTES);
      return this.failed(await explainReply({ ...refusal.head, body }, this.asked(request)));
    }
    if (failure === undefined) return undefined;
    if (failure.from === "transport") return this.failed(explainFailure(failure.error, this.origin, failure.phase));
    throw failure.error instanceof Problem ? this.failed(failure.error) : failure.error;
  }

  async #send(origin: URL, request: SourceRequest): Promise<SourceReply> {
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
      const options = { ...this.#options(request), origin: origin.origin };
      const { statusCode, headers, body } = await this.egress.dispatcher.request({ ...options, signal });
      // The reader of the body receives its errors. The error of an unread, destroyed body is ignored.
      body.on("error", () => undefined);
      return { status: statusCode, headers: flatten(headers), body };
    } catch (error) {
      request.signal.throwIfAborted();
      throw this.failed(explainFailure(error, origin));
    }
  }

  #options(request: SourceRequest): ExchangeRequest {
    const { origin, host, base } = this.#where();
    const method = request.method ?? "GET";
    const path = `${base}/${request.key === undefined ? "" : encodeKey(request.key)}`;
    const query = request.query ?? [];
    const plain = { ...request.headers, "accept-encoding": "identity", "user-agent": "Accession" };
    const { credentials } = this.access;
    const signed =
      credentials === undefined
        ? undefined
        : sign(
            { method, host, path, query, headers: request.headers ?? {}, region: this.region, at: new Date() },
            credentials,
          );
    return {
      origin,
      path: query.length === 0 ? path : `${path}?${encodeQuery(query)}`,
      method,
      headers: signed === undefined ? plain : Object.assign(plain, signed),
    };
  }

  /** The target of requests. Computed once, because a submission sends millions of them. */
  #where(): { origin: URL; host: string; base: string } {
    const { addressing, region } = this;
    if (this.#target?.addressing !== addressing || this.#target.region !== region) {
      const { origin } = this;
      const { host } = origin;
      const folder = this.#endpoint.pathname.replace(/\/$/, "");
      const base = addressing === "path" ? `${folder}/${this.access.bucket}` : folder;
      this.#target = { addressing, region, origin, host, base };
    }
    return this.#target;
  }
}

/**
 * Default addressing: virtual host for Amazon's endpoints, because new buckets there do not support paths, except for
 * bucket names with dots, which would not match the certificate. All other servers support paths.
 */
function addressingOf({ endpoint, bucket, pathStyle }: SourceAccess): Addressing {
  const isVirtual = new URL(endpoint).hostname.endsWith(".amazonaws.com") && !bucket.includes(".");
  return (pathStyle ?? !isVirtual) ? "path" : "virtual";
}

function regionOfHost(hostname: string): string | undefined {
  return /^s3[.-](?:dualstack\.)?([a-z]{2}-[a-z0-9-]+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1];
}

/**
 * At most `limit` bytes of a body; the rest is not awaited. An interrupted body is returned as far as it was received.
 */
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
    // The status already shows that the request failed. An incomplete body is used, too, to explain it.
    if (error instanceof Problem) throw error;
  }
  body.destroy();
  return Buffer.concat(parts).subarray(0, limit);
}

/**
 * The least-privilege policy for ingesting this bucket, in the policy language of AWS, which Ceph and MinIO support
 * too.
 */
export function minimalBucketPolicy(bucket: string, prefix: string | undefined): object {
  const condition = prefix === undefined ? {} : { Condition: { StringLike: { "s3:prefix": [`${prefix}*`] } } };
  return {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["s3:ListBucket"], Resource: [`arn:aws:s3:::${bucket}`], ...condition },
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: [`arn:aws:s3:::${bucket}/${prefix ?? ""}*`] },
    ],
  };
}
