import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, ProxyAgent, request } from "undici";
import { Problem } from "../../domain/problems.ts";
import { type DoiAnswer, errorTitles, type Repository, readDoi, readRepository, unusable } from "./answers.ts";

export type { Repository } from "./answers.ts";

/** An account of DataCite. */
export interface DataciteAccount {
  /** Of the REST API, without a slash at the end. */
  url: string;
  repository: string;
  password: string;
  prefix: string;
}

/** Spaces requests, over all processes. */
export interface Pace {
  /** Resolves to the milliseconds until the next request may be sent. */
  next(): Promise<number>;
  /** Postpones all requests. */
  pause(milliseconds: number): Promise<void>;
}

/** An event that changes the state of a DOI. */
export type DoiEvent = "publish" | "hide";

const SILENCE_MS = 30_000;
const WHOLE_MS = 60_000;
const MOST_BYTES = 8 << 20;
/** The pause after a 429 without `Retry-After`, and the longest that is obeyed. */
const PAUSE_S = 30;
const LONGEST_PAUSE_S = 600;
const MEDIA_TYPE = "application/vnd.api+json";
/** Otherwise publisher and affiliations are returned as names only. */
const COMPLETE = "?publisher=true&affiliation=true";

/**
 * Requests to DataCite's REST API (https://support.datacite.org/docs/api) with one account. Every method may be repeated.
 * Redirects are not followed. Answers are hostile input: of limited size, and read member by member.
 *
 * All methods throw a Problem: `datacite_unreachable` also if it is unknown whether a change was made, `datacite_busy`,
 * `datacite_credentials`, `datacite_forbidden`, `datacite_domain`, `datacite_rejected`, `doi_taken`.
 */
export class DataciteClient {
  readonly #account: DataciteAccount;
  readonly #pace: Pace;
  readonly #dispatcher: Dispatcher;

  /** @param proxy URL of an HTTP proxy */
  constructor(account: DataciteAccount, pace: Pace, proxy?: string) {
    this.#account = account;
    this.#pace = pace;
    const limits = { connections: 8, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
    this.#dispatcher = proxy === undefined ? new Agent(limits) : new ProxyAgent({ uri: proxy, ...limits });
  }

  /** The prefix of the account's DOIs. */
  get prefix(): string {
    return this.#account.prefix;
  }

  /** Whether a DOI belongs to this account. */
  owns({ repository }: DoiAnswer): boolean {
    return repository === undefined || repository === this.#account.repository.toLowerCase();
  }

  /** Creates a DOI. @throws Problem `doi_taken` if it exists, also in another account */
  async create(doi: string, attributes: object, event: DoiEvent | undefined, signal: AbortSignal): Promise<DoiAnswer> {
    const body = bodyOf({ doi, ...attributes, ...(event !== undefined && { event }) });
    return readDoi(doi, await this.#send({ method: "POST", path: `/dois${COMPLETE}`, body }, signal));
  }

  /** Changes the attributes that are sent. Without `event`, the state stays. */
  async update(doi: string, attributes: object, event: DoiEvent | undefined, signal: AbortSignal): Promise<DoiAnswer> {
    const body = bodyOf({ ...attributes, ...(event !== undefined && { event }) });
    return readDoi(doi, await this.#send({ method: "PUT", path: `${pathOf(doi)}${COMPLETE}`, body }, signal));
  }

  /** Undefined if the DOI does not exist. */
  async get(doi: string, signal: AbortSignal): Promise<DoiAnswer | undefined> {
    const document = await this.#send({ method: "GET", path: `${pathOf(doi)}${COMPLETE}` }, signal);
    return document === undefined ? undefined : readDoi(doi, document);
  }

  /** Deletes a draft. DOIs that exist in another state are never deleted, and a missing one is deleted already. */
  async removeDraft(doi: string, signal: AbortSignal): Promise<void> {
    await this.#send({ method: "DELETE", path: pathOf(doi) }, signal);
  }

  /** What DataCite knows about the account. @throws Problem `datacite_credentials` also if it does not know the account */
  async repository(signal: AbortSignal): Promise<Repository> {
    const path = `/repositories/${encodeURIComponent(this.#account.repository.toLowerCase())}`;
    const document = await this.#send({ method: "GET", path }, signal);
    if (document === undefined)
      throw new Problem("datacite_credentials", "DataCite does not know the repository account");
    return readRepository(document);
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  /** @returns the JSON of the answer; undefined for 404 */
  async #send({ method, path, body }: Sending, signal: AbortSignal): Promise<unknown> {
    await sleep(await this.#pace.next(), undefined, { signal });
    const { url, repository, password } = this.#account;
    const basic = Buffer.from(`${repository}:${password}`).toString("base64");
    const late = AbortSignal.timeout(WHOLE_MS);
    let status: number;
    let text: string;
    let retryAfter: string | undefined;
    try {
      const answer = await request(`${url}${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: {
          accept: MEDIA_TYPE,
          "content-type": MEDIA_TYPE,
          authorization: `Basic ${basic}`,
        },
        dispatcher: this.#dispatcher,
        signal: AbortSignal.any([signal, late]),
      });
      status = answer.statusCode;
      retryAfter = [answer.headers["retry-after"]].flat()[0];
      text = await limitedText(answer.body);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem) throw error;
      const why = late.aborted ? "in time" : `(${(error as NodeJS.ErrnoException).code ?? "connection lost"})`;
      throw new Problem("datacite_unreachable", `DataCite did not answer ${why}`, { cause: error });
    }
    if (status === 404 && (method === "GET" || method === "DELETE")) return undefined;
    if (method === "DELETE" && (status === 204 || status === 405)) return undefined;
    const document = parsed(text);
    if (status >= 200 && status < 300) return document ?? Promise.reject(unusable());
    if (status === 429) await this.#pace.pause(pauseOf(retryAfter) * 1_000);
    throw problemOf(status, errorTitles(document, [basic, password]));
  }
}

interface Sending {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: string;
}

function bodyOf(attributes: object): string {
  return JSON.stringify({ data: { type: "dois", attributes } });
}

function pathOf(doi: string): string {
  return `/dois/${encodeURIComponent(doi)}`;
}

async function limitedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Problem("datacite_unreachable", "DataCite’s answer exceeds 8 MiB");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is not JSON has no error titles; callers refuse it where they need its content.
    return undefined;
  }
}

function pauseOf(retryAfter: string | undefined): number {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) : PAUSE_S;
  return Math.min(Math.max(seconds, 1), LONGEST_PAUSE_S);
}

function problemOf(status: number, titles: string): Problem {
  const detail = `DataCite answered with HTTP ${status}${titles === "" ? "" : `: ${titles}`}`;
  if (status === 401) return new Problem("datacite_credentials", detail);
  if (status === 403) return new Problem("datacite_forbidden", detail);
  if (status === 429) return new Problem("datacite_busy", detail);
  // An answer without errors of DataCite comes from a proxy, and says nothing about the request.
  const isUnknown = status === 409 || status === 408 || status === 425 || titles === "";
  if (isUnknown || status >= 500 || status < 400) return new Problem("datacite_unreachable", detail);
  if (/already been taken/i.test(titles)) return new Problem("doi_taken", detail);
  if (/domain/i.test(titles)) return new Problem("datacite_domain", detail);
  return new Problem("datacite_rejected", detail);
}

/** Whether DataCite has refused a change for certain. Otherwise it may have been made. */
export function isRefusal({ code }: Problem): boolean {
  return (
    code === "datacite_credentials" ||
    code === "datacite_forbidden" ||
    code === "datacite_domain" ||
    code === "datacite_rejected" ||
    code === "doi_taken" ||
    code === "datacite_busy"
  );
}
