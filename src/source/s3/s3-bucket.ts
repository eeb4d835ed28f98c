import { Problem } from "../../domain/problems.ts";
import { isAnonymous, type S3Credentials, type SourceAccess } from "../../domain/source-access/access.ts";
import { type Addressing, addressingOf, canBeVirtual, regionOfHost } from "./addressing.ts";
import { sameEtag } from "./etag.ts";
import { type Refusal, searchesFor, without } from "./refused-parts.ts";
import { withKeys } from "./roles/with-keys.ts";
import type { ServerTraits } from "./server-traits.ts";
import type { Egress } from "./transport/egress.ts";
import { type Asked, explainFailure, type Operation, understandReply } from "./transport/errors.ts";
import { type ExchangeRequest, exchange, flatten, type ResponseHandler } from "./transport/http-exchange.ts";
import { type ReplyBody, readStart } from "./transport/read-start.ts";
import type { ReplyHead } from "./transport/response-parser.ts";
import { encodeKey, encodeQuery, sign } from "./transport/signer.ts";

interface SourceRequest {
  operation: Operation;
  method?: "GET" | "HEAD";
  key?: string;
  query?: readonly (readonly [string, string])[];
  /** Lower-case names. */
  headers?: Record<string, string>;
  /** The content codings that the response may have; default `identity`. The body is never decoded. */
  acceptEncoding?: "gzip";
  signal: AbortSignal;
}

interface SourceReply {
  status: number;
  /** Lower-case names; the last value of a repeated header. */
  headers: Record<string, string>;
  /** Must be read to its end or destroyed. Never decoded: the bytes are those that the server stores. */
  body: ReplyBody;
}

/** Time limit of a request with a small response, including its body. A page of a listing has its own limit. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Maximum number of bytes of an error response that are read. */
const ERROR_BODY_BYTES = 64 * 1024;
const DEFAULT_REGION = "us-east-1";

/**
 * A caller's bucket. It is only read, with GET and HEAD. Redirects are not followed, and the environment is ignored.
 */
export class S3Bucket {
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

  /** What requests have shown about the server of this bucket. */
  get traits(): ServerTraits {
    return this.egress.servers.of(`${this.access.endpoint}/${this.access.bucket}`);
  }

  /** Whether virtual-host addressing is possible for this endpoint. */
  get canBeVirtual(): boolean {
    return canBeVirtual(this.#endpoint, this.access.bucket);
  }

  /**
   * Sends a request and returns the response if its status is 2xx. A server that refuses an optional part of the request is
   * asked without it.
   * @throws Problem that names the failure; the signal's reason if aborted
   */
  async request(request: SourceRequest): Promise<SourceReply> {
    const first = await this.#tryRequest(this.#accepted(request));
    if ("status" in first) return first;
    const found = await this.#search(request, first, async (changed) => {
      const again = await this.#tryRequest(changed);
      if (!("status" in again)) return undefined;
      // An object that was overwritten has another ETag, and shows nothing about If-Match.
      const isListed = sameEtag(again.headers.etag ?? "", request.headers?.["if-match"] ?? "");
      return first.refusedWith !== 412 || isListed ? { result: again, isProof: true } : undefined;
    });
    if (found !== undefined) return found;
    throw this.failed(first.problem);
  }

  async #tryRequest(request: SourceRequest): Promise<SourceReply | Refusal> {
    const outcome = await this.#withKeys(request.signal, (keys) => this.#requestWith(keys, request));
    if (outcome instanceof Problem) throw this.failed(outcome);
    return outcome;
  }

  async #requestWith(keys: S3Credentials | undefined, request: SourceRequest): Promise<SourceReply | Refusal> {
    const reply = await this.#send(this.origin, request, keys);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const body = await readStart(reply.body, ERROR_BODY_BYTES);
    return { refusedWith: reply.status, ...(await understandReply({ ...reply, body }, this.asked(request))) };
  }

  /** The request without the parts that the server refuses. */
  #accepted(request: SourceRequest): SourceRequest {
    const { refused } = this.traits;
    return refused.length === 0 ? request : without(request, refused);
  }

  /**
   * Repeats a refused request without some of its optional parts, until an attempt has a result. What the server refuses is
   * remembered if that result proves that it accepts the rest, after it has refused the whole request twice.
   * @returns undefined if the parts are not the cause
   */
  async #search<T>(
    request: SourceRequest,
    refusal: Refusal,
    attempt: (changed: SourceRequest) => Promise<{ result: T; isProof: boolean } | undefined>,
  ): Promise<T | undefined> {
    const { traits } = this;
    const current = this.#accepted(request);
    // A refusal of HEAD has no body that explains it, and callers read the object instead.
    const searches = request.method === "HEAD" ? [] : searchesFor(current, refusal);
    if (searches.length === 0 || !traits.maySearch) return undefined;
    // Any refusal but that of a precondition can be a momentary fault of a server that accepts all parts.
    const again = refusal.refusedWith === 412 ? [] : [[]];
    for (const parts of [...again, ...searches]) {
      request.signal.throwIfAborted();
      const found = await attempt(without(current, parts));
      if (found === undefined) continue;
      if (found.isProof && parts.length > 0) traits.refuse(parts);
      return found.result;
    }
    traits.searchFailed();
    return undefined;
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
      anonymous: isAnonymous(this.access),
      pays: this.access.requesterPays === true,
      ...(request.key !== undefined && { key: request.key }),
    };
  }

  /**
   * Sends a request and hands a successful response (2xx) to the handler as it arrives; see {@link exchange}. As in
   * {@link request}, optional parts that the server refuses are omitted.
   *
   * @returns undefined after the last byte, or the Problem if the server refused or the connection failed
   * @throws what the handler threw; the signal's reason
   */
  async stream(request: SourceRequest, handler: ResponseHandler): Promise<Problem | undefined> {
    const first = await this.#tryStream(this.#accepted(request), handler);
    if (first === undefined || first instanceof Problem) return first && this.failed(first);
    let isAccepted = false;
    const withEtag: ResponseHandler = {
      onHead: (head) => {
        // Without a precondition, only the ETag shows that the object is the listed one.
        if (first.refusedWith === 412 && head.headers.etag === undefined) throw first.problem;
        handler.onHead(head);
        isAccepted = true;
      },
      onData: (chunk) => handler.onData(chunk),
    };
    const found = await this.#search(request, first, async (changed) => {
      const again = await this.#tryStream(changed, withEtag);
      if (again !== undefined && !(again instanceof Problem)) return undefined;
      // A connection that fails before the response begins shows nothing about the part.
      return { result: { problem: again }, isProof: isAccepted };
    });
    const problem = found === undefined ? first.problem : found.problem;
    return problem && this.failed(problem);
  }

  async #tryStream(request: SourceRequest, handler: ResponseHandler): Promise<Problem | Refusal | undefined> {
    return this.#withKeys(request.signal, (keys) => this.#streamWith(keys, request, handler));
  }

  #withKeys<T>(signal: AbortSignal, attempt: (keys: S3Credentials | undefined) => Promise<T>): Promise<T | Problem> {
    return withKeys(this.access, { roles: this.egress.roles, signal }, attempt);
  }

  async #streamWith(
    keys: S3Credentials | undefined,
    request: SourceRequest,
    handler: ResponseHandler,
  ): Promise<Problem | Refusal | undefined> {
    let refusal: { head: ReplyHead; parts: Buffer[]; size: number } | undefined;
    const failure = await exchange(this.egress, this.#options(request, keys), request.signal, {
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
      const { status } = refusal.head;
      return { refusedWith: status, ...(await understandReply({ ...refusal.head, body }, this.asked(request))) };
    }
    if (failure === undefined) return undefined;
    if (failure.from === "transport") return explainFailure(failure.error, this.origin, failure.phase);
    throw failure.error instanceof Problem ? this.failed(failure.error) : failure.error;
  }

  async #send(origin: URL, request: SourceRequest, keys: S3Credentials | undefined): Promise<SourceReply> {
    try {
      const isListing = request.operation === "list";
      const limitMs = isListing ? this.egress.listingTimeoutMs : REQUEST_TIMEOUT_MS;
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]);
      // A server can prepare a listing for long. Once it answers, it must not fall silent.
      const silence = isListing ? { headersTimeout: limitMs } : {};
      const options = { ...this.#options(request, keys), ...silence, origin: origin.origin };
      const { statusCode, headers, body } = await this.egress.dispatcher.request({ ...options, signal });
      // The reader of the body receives its errors. The error of an unread, destroyed body is ignored.
      body.on("error", () => undefined);
      return { status: statusCode, headers: flatten(headers), body };
    } catch (error) {
      request.signal.throwIfAborted();
      throw this.failed(explainFailure(error, origin));
    }
  }

  #options(request: SourceRequest, keys: S3Credentials | undefined): ExchangeRequest {
    const { origin, host, base } = this.#where();
    const method = request.method ?? "GET";
    const path = `${base}/${request.key === undefined ? "" : encodeKey(request.key)}`;
    const query = request.query ?? [];
    const sent = this.access.requesterPays
      ? { ...request.headers, "x-amz-request-payer": "requester" }
      : (request.headers ?? {});
    const plain = {
      ...sent,
      "accept-encoding": request.acceptEncoding ?? "identity",
      "user-agent": "Accession",
    };
    const signed =
      keys === undefined
        ? undefined
        : sign({ method, host, path, query, headers: sent, region: this.region, at: new Date() }, keys);
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
      const base = addressing === "path" ? `${folder}/${encodeKey(this.access.bucket)}` : folder;
      this.#target = { addressing, region, origin, host, base };
    }
    return this.#target;
  }
}
