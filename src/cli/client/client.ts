import { readFileSync } from "node:fs";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { size } from "../terminal/numbers.ts";
import { describeProblem } from "../terminal/problem.ts";
import { show } from "../terminal/text.ts";
import type { ProblemView } from "./api.ts";

export const DEFAULT_URL = "http://127.0.0.1:8080";
/**
 * The time limit for a whole response. The service needs up to 15 s for the check of a bucket. A command must not wait for
 * more than 25 s for a service that never responds.
 */
const ANSWER_MS = 23_000;
/** The time limit grows by a second for each of these bytes of a request. The service refuses slower uploads. */
const UPLOAD_BYTES = 280 << 10;
/** The maximum size of a response in bytes. Pages and receipts are smaller. */
const ANSWER_BYTES = 128 << 20;

type Query = Record<string, string | number | undefined>;

interface Call {
  method?: "GET" | "POST" | "DELETE";
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  answerMs?: number | undefined;
}

/**
 * A request that may take longer than others: its own time limit, and a note to the user after a while. It is sent only
 * after the service has answered another request within the usual limit.
 */
export interface LongWait {
  answerMs: number;
  noteMs: number;
  note(): void;
}

/** The service as client verbs see it. Every answer that is no success becomes a {@link Failure}. */
export class Client {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #token: string | undefined;
  readonly #limits: Limits;

  constructor(url: string, token?: string, limits: Limits = { answerMs: ANSWER_MS, answerBytes: ANSWER_BYTES }) {
    this.url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#limits = limits;
  }

  /** The service that `ACCESSION_URL` names, with the token of `ACCESSION_TOKEN`, or in `ACCESSION_TOKEN_FILE`. */
  static fromEnvironment(environment: NodeJS.ProcessEnv): Client {
    const url = environment.ACCESSION_URL?.trim() || DEFAULT_URL;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash) {
      throw new Failure(2, show`ACCESSION_URL “${url}” is not an address such as ${DEFAULT_URL}`);
    }
    return new Client(url, tokenFrom(environment));
  }

  /** True when what is sent can be read on the way. */
  get isExposed(): boolean {
    const { protocol, hostname } = new URL(this.url);
    return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }

  async get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const response = await this.#call(path, { query, ...(signal && { signal }) });
    return (await this.#json(response)) as T;
  }

  async text(path: string): Promise<string> {
    return this.#text(await this.#call(path, {}));
  }

  async post<T>(path: string, body?: unknown, headers: Record<string, string> = {}, wait?: LongWait): Promise<T> {
    if (wait !== undefined) await this.#requireAnswer();
    return noting(wait, async () => {
      const response = await this.#call(path, { method: "POST", body, headers, answerMs: wait?.answerMs });
      return (await this.#json(response)) as T;
    });
  }

  async delete(path: string): Promise<void> {
    await this.#call(path, { method: "DELETE" });
  }

  /** All entries of a paged list, page after page, at most `most`. */
  async *pages<T>(path: string, query: Query, most = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
    let cursor: string | undefined;
    const seen = new Set<string>();
    for (let left = most; left > 0; ) {
      const response = await this.#call(path, { query: { ...query, limit: Math.min(left, 1_000), cursor } });
      const page = (await this.#json(response)) as T[];
      yield* page;
      left -= page.length;
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      cursor = next === undefined ? undefined : (new URL(next, this.url).searchParams.get("cursor") ?? undefined);
      if (cursor === undefined || page.length === 0) return;
      if (seen.has(cursor)) throw new Failure(3, show`The service at ${this.url} repeats a page of the list.`);
      seen.add(cursor);
    }
  }

  /** A streaming response. It must start within the time limit; `signal` ends it, and the caller limits the body. */
  async stream(path: string, headers: Record<string, string>, signal: AbortSignal, wait?: LongWait): Promise<Response> {
    if (wait !== undefined) await this.#requireAnswer(signal);
    const late = new AbortController();
    const answerMs = wait?.answerMs ?? this.#limits.answerMs;
    const timer = setTimeout(() => late.abort(timeoutError(answerMs)), answerMs);
    try {
      const either = AbortSignal.any([signal, late.signal]);
      return await noting(wait, () => this.#call(path, { headers, signal: either }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Before a request with a longer time limit: any answer, also an error, shows that the service can be reached. */
  async #requireAnswer(signal?: AbortSignal): Promise<void> {
    const late = after(this.#limits.answerMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    await this.get("/service", {}, either).catch((error: unknown) => {
      const isAnswer = error instanceof Failure && (error.data !== undefined || hasStatus(error.cause));
      if (!isAnswer) throw error;
    });
  }

  async #call(path: string, { method = "GET", query = {}, body, headers, signal, ...more }: Call): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const content = body === undefined ? undefined : JSON.stringify(body);
    const answerMs = (more.answerMs ?? this.#limits.answerMs) + ((content?.length ?? 0) / UPLOAD_BYTES) * 1_000;
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        // Followed, a redirect would take the bucket's keys to wherever the answer says.
        redirect: "manual",
        signal: signal ?? after(answerMs),
        headers: {
          accept: "application/json",
          ...(content !== undefined && { "content-type": "application/json" }),
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      });
    } catch (error) {
      if (signal?.aborted && (signal.reason as Error).name !== "TimeoutError") throw error;
      throw unreachable(this.url, error);
    }
    if (!response.ok) throw await this.#refusal(response);
    return response;
  }

  async #json(response: Response): Promise<unknown> {
    const text = await this.#text(response);
    try {
      return JSON.parse(text);
    } catch {
      throw stranger(this.url, response);
    }
  }

  /** @throws Failure 3 when the body is incomplete, late or too long */
  async #text(response: Response): Promise<string> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        bytes += piece.length;
        if (bytes > this.#limits.answerBytes) throw tooLong(this.url, this.#limits.answerBytes);
        pieces.push(piece);
      }
    } catch (error) {
      throw error instanceof Failure ? error : unreachable(this.url, error);
    }
    return Buffer.concat(pieces).toString("utf8");
  }

  /** The error for a refused request. A response without a problem does not come from Accession. */
  async #refusal(response: Response): Promise<Failure> {
    const problem = await this.#json(response).catch((error: unknown) => error);
    if (problem instanceof Failure) return problem;
    if (!isProblem(problem)) return stranger(this.url, response);
    return new Failure(response.status === 503 ? 3 : 1, describeProblem(problem), { data: { problem } });
  }
}

/** Limits for a whole response. */
interface Limits {
  answerMs: number;
  answerBytes: number;
}

/** Like `AbortSignal.timeout`, with a message for the user. */
export function after(ms: number): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(timeoutError(ms)), ms).unref();
  return late.signal;
}

/** Runs a request, and calls `note` once if it takes longer than `noteMs`. */
async function noting<T>(wait: LongWait | undefined, request: () => Promise<T>): Promise<T> {
  const timer = wait && setTimeout(wait.note, wait.noteMs);
  try {
    return await request();
  } finally {
    clearTimeout(timer);
  }
}

/** Errors of a connection over which the request may have arrived. */
const MAY_HAVE_ARRIVED = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"];

function hasStatus(cause: unknown): boolean {
  return (cause as { status?: unknown } | undefined)?.status !== undefined;
}

/** Whether a request failed without an answer of the service, which may have received and processed it. */
export function isUncertain(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  const { name, status, cause } = (error.cause ?? {}) as { name?: string; status?: number; cause?: { code?: string } };
  if (name === "TimeoutError") return true;
  // A proxy in front of the service answers like this when its own connection to the service broke.
  if (status === 502 || status === 504) return true;
  return MAY_HAVE_ARRIVED.includes(cause?.code ?? "");
}

function timeoutError(ms: number): DOMException {
  return new DOMException(`no complete answer within ${Math.round(ms / 1_000)} s`, "TimeoutError");
}

function tooLong(url: string, bytes: number): Failure {
  return new Failure(3, show`What answers at ${url} is not Accession: a response is longer than ${size(bytes)}.`);
}

/** Never an argument: those can be read by everybody on the machine. */
function tokenFrom(environment: NodeJS.ProcessEnv): string | undefined {
  const token = environment.ACCESSION_TOKEN?.trim();
  const file = environment.ACCESSION_TOKEN_FILE?.trim();
  if (token || !file) return token || undefined;
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    throw new Failure(2, show`The token in ACCESSION_TOKEN_FILE, ${file}, cannot be read: ${reasonOf(error)}`);
  }
}

/** The service does not answer, or breaks off: exit code 3. */
export function unreachable(url: string, error: unknown): Failure {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: unknown };
  const reason = name === "TimeoutError" && message !== undefined ? message : reasonOf(cause ?? error);
  return new Failure(
    3,
    show`The service cannot be reached at ${url} (${reason}). Is it running there? ACCESSION_URL names another address.`,
    { cause: error },
  );
}

function stranger(url: string, response: Response): Failure {
  const location = response.headers.get("location");
  const elsewhere = location === null ? show`` : show`, and sends callers to ${location}`;
  return new Failure(
    3,
    show`What answers at ${url} is not Accession (status ${response.status}${elsewhere}). ACCESSION_URL names another address.`,
    { cause: { status: response.status } },
  );
}

function isProblem(body: unknown): body is ProblemView {
  const { title, code } = (body ?? {}) as { title?: unknown; code?: unknown };
  return typeof title === "string" && typeof code === "string";
}
