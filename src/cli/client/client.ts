import { readFileSync } from "node:fs";
import {
  AnswerTooLongError,
  type Client as Api,
  checkBucket,
  type components,
  createClient,
  type Limits,
  limitedFetch,
  orThrow,
  type Page,
  ProblemError,
  pages,
  RepeatedPageError,
  timeLimit,
  timeoutError,
  UnexpectedAnswerError,
} from "../../../packages/client/src/index.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { size } from "../terminal/numbers.ts";
import { describeProblem } from "../terminal/problem.ts";
import { show } from "../terminal/text.ts";

const DEFAULT_URL = "http://127.0.0.1:8080";

/** Limits of calls, and of requests for which the service lists a bucket. */
interface ClientLimits extends Limits {
  /** Milliseconds that such a request may take, besides the time that the service allows for the first page of the listing. */
  sourceMs: number;
}

/**
 * A command must not wait longer than 25 s for a service that does not respond. Pages and receipts are smaller than the maximum
 * size. The service rejects slower uploads.
 */
const LIMITS: ClientLimits = {
  answerMs: 23_000,
  answerBytes: 128 << 20,
  uploadBytesPerSecond: 280 << 10,
  sourceMs: 60_000,
};

/** A note to the user of a request that takes longer than others. */
export interface WaitNote {
  noteMs: number;
  note(): void;
}

/**
 * A request with its own time limit. It is sent only after the service has answered another request within the usual limit.
 */
export interface LongWait extends WaitNote {
  answerMs: number;
}

/** The result of a call of the API client. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** An operation for which a single call has other limits than the client. */
type LimitedCall<T> = (limits: { fetch: ReturnType<typeof limitedFetch> }) => Promise<Answer<T>>;

/** Client of the service for commands: `client.ask(client.api.GET("/service"))`. All errors are {@link Failure}s. */
export class Client {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** API client with the usual limits. */
  readonly api: Api;
  /** The headers that requests of other libraries need. */
  readonly authorization: Readonly<Record<string, string>>;
  readonly #limits: ClientLimits;

  constructor(url: string, token?: string, limits: Partial<ClientLimits> = {}) {
    this.url = url.replace(/\/+$/, "");
    this.authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#limits = { ...LIMITS, ...limits };
    this.api = createClient({
      baseUrl: this.url,
      fetch: limitedFetch(this.#limits),
      ...(token !== undefined && { token }),
    });
  }

  /** The service that `ACCESSION_URL` names, with the token of `ACCESSION_TOKEN`, or in `ACCESSION_TOKEN_FILE`. */
  static fromEnvironment(environment: NodeJS.ProcessEnv): Client {
    const url = environment.ACCESSION_URL?.trim() || DEFAULT_URL;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash) {
      throw new Failure(2, show`ACCESSION_URL “${url}” is not a valid address. Use an address such as ${DEFAULT_URL}.`);
    }
    return new Client(url, tokenFrom(environment));
  }

  /** Whether requests are sent unencrypted over a network. */
  get isExposed(): boolean {
    const { protocol, hostname } = new URL(this.url);
    return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }

  /** Returns the data of a response. */
  async ask<T>(call: Promise<Answer<T>>): Promise<T> {
    return (await this.askWithHeaders(call)).data;
  }

  /** Returns the data and the headers of a response. */
  async askWithHeaders<T>(call: Promise<Answer<T>>): Promise<{ data: T; headers: Headers }> {
    try {
      const answer = await call;
      const data = orThrow(answer);
      if (data === undefined && answer.response.status !== 204) throw new UnexpectedAnswerError(answer.response);
      return { data, headers: answer.response.headers };
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /** Checks a bucket. Each step is reported when it ends, and a listing that takes long is reported meanwhile. */
  async check(
    body: components["schemas"]["CheckRequest"],
    onStep: (step: components["schemas"]["ReportStep"]) => void,
  ): Promise<components["schemas"]["Report"]> {
    const listingMs = (await this.#requireAnswer()) * 1_000;
    const signal = timeLimit(listingMs + this.#limits.sourceMs);
    return checkBucket(this.api, body, { onStep, signal }).catch((error: unknown) => {
      throw this.failureOf(error);
    });
  }

  /** Returns the data and the headers of a response for which the service lists a bucket. */
  async askSource<T>(wait: WaitNote, call: LimitedCall<T>): Promise<{ data: T; headers: Headers }> {
    const listingMs = (await this.#requireAnswer()) * 1_000;
    const fetch = limitedFetch({ ...this.#limits, answerMs: listingMs + this.#limits.sourceMs });
    return noting(wait, () => this.askWithHeaders(call({ fetch })));
  }

  /** Yields the entries of all pages of a list, at most `most`. */
  async *pages<T>(read: (page: Page) => Promise<Answer<T[]>>, most?: number): AsyncGenerator<T> {
    try {
      yield* pages(read, most);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /**
   * Opens a streaming response. It must start within the time limit. `signal` ends it, and the caller limits the body.
   *
   * @param path with its query, with encoded segments
   */
  async stream(path: string, headers: Record<string, string>, signal: AbortSignal, wait?: LongWait): Promise<Response> {
    if (wait !== undefined) await this.#requireAnswer(signal);
    const late = new AbortController();
    const answerMs = wait?.answerMs ?? this.#limits.answerMs;
    const timer = setTimeout(() => late.abort(timeoutError(answerMs)), answerMs);
    const init = {
      headers,
      parseAs: "stream",
      signal: AbortSignal.any([signal, late.signal]),
      fetch: (request: Request) => fetch(request),
    } as const;
    // The types know templates of paths only.
    const call = () => this.api.GET(path as "/service", init);
    try {
      const answer = await noting(wait, call);
      orThrow(answer);
      return answer.response;
    } catch (error) {
      throw this.failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Converts an error of a call into a {@link Failure} with a message for the user. */
  failureOf(error: unknown): Failure {
    const { url } = this;
    if (error instanceof Failure) return error;
    if (error instanceof ProblemError) {
      const { problem } = error;
      return new Failure(problem.status === 503 ? 3 : 1, describeProblem(problem), { data: { problem } });
    }
    if (error instanceof UnexpectedAnswerError) return stranger(url, error);
    // A successful response that is not JSON.
    if (error instanceof SyntaxError) return stranger(url, { status: 200, location: null });
    if (error instanceof AnswerTooLongError) {
      const most = size(error.bytes);
      return new Failure(3, show`The server at ${url} is not an Accession service: a response is longer than ${most}.`);
    }
    if (error instanceof RepeatedPageError) {
      return new Failure(3, show`The service at ${url} repeats a page of the list. Inform the operator.`);
    }
    return unreachable(url, error);
  }

  /**
   * Checks that the service responds, before a request with a longer time limit. Error responses count too.
   *
   * @returns number of seconds that the service waits for a listing; 0 if it does not state that
   */
  async #requireAnswer(signal?: AbortSignal): Promise<number> {
    const late = timeLimit(this.#limits.answerMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    try {
      const { listingTimeout = 0 } = await this.ask(this.api.GET("/service", { signal: either }));
      return listingTimeout;
    } catch (error) {
      const isAnswer = error instanceof Failure && (error.data !== undefined || hasStatus(error.cause));
      if (!isAnswer) throw error;
      return 0;
    }
  }
}

/** Runs a request, and calls `note` once if it takes longer than `noteMs`. */
async function noting<T>(wait: WaitNote | undefined, request: () => Promise<T>): Promise<T> {
  const timer = wait && setTimeout(wait.note, wait.noteMs);
  try {
    return await request();
  } finally {
    clearTimeout(timer);
  }
}

/** The service itself answers it with a problem. */
const CONTENT_TOO_LARGE = 413;
/** Errors of a connection over which the request may have arrived. */
const MAY_HAVE_ARRIVED = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"];

function hasStatus(cause: unknown): boolean {
  return (cause as { status?: unknown } | undefined)?.status !== undefined;
}

/** Whether a request failed without a response, so that the service may have received and processed it. */
export function isUncertain(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false;
  const { name, status, cause } = (error.cause ?? {}) as { name?: string; status?: number; cause?: { code?: string } };
  if (name === "TimeoutError") return true;
  // A proxy returns these if its connection to the service failed.
  if (status === 502 || status === 504) return true;
  return MAY_HAVE_ARRIVED.includes(cause?.code ?? "");
}

/** Reads the token from the environment. It is never an argument, because all users of the machine can read those. */
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

/** The failure of a service that does not respond or whose connection fails: exit code 3. */
function unreachable(url: string, error: unknown): Failure {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: unknown };
  const reason = name === "TimeoutError" && message !== undefined ? message : reasonOf(cause ?? error);
  return new Failure(
    3,
    show`The service cannot be reached at ${url} (${reason}). Check that it is running, or set ACCESSION_URL to its address.`,
    { cause: error },
  );
}

function stranger(url: string, { status, location }: Pick<UnexpectedAnswerError, "status" | "location">): Failure {
  if (status === CONTENT_TOO_LARGE) {
    return new Failure(
      3,
      show`A proxy in front of the service at ${url} refuses large requests (status 413). The operator must adapt it: docs/how-to/nginx.md.`,
      { cause: { status } },
    );
  }
  const elsewhere = location === null ? show`` : show`, redirect to ${location}`;
  return new Failure(
    3,
    show`The server at ${url} is not an Accession service (status ${status}${elsewhere}). Set ACCESSION_URL to the address of the service.`,
    { cause: { status } },
  );
}
