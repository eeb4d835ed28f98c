import { readFileSync } from "node:fs";
import {
  AnswerTooLongError,
  type Client as Api,
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

/**
 * The service needs up to 15 s for the check of a bucket. A command must not wait for more than 25 s for a service that
 * never responds. Pages and receipts are smaller than the maximum size. The service refuses slower uploads.
 */
const LIMITS: Limits = { answerMs: 23_000, answerBytes: 128 << 20, uploadBytesPerSecond: 280 << 10 };

/**
 * A request that may take longer than others: its own time limit, and a note to the user after a while. It is sent only
 * after the service has answered another request within the usual limit.
 */
export interface LongWait {
  answerMs: number;
  noteMs: number;
  note(): void;
}

/** What the API client resolves with. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** An operation for which a single call has other limits than the client. */
type LimitedCall<T> = (limits: { fetch: ReturnType<typeof limitedFetch> }) => Promise<Answer<T>>;

/** The service as client commands see it: `client.ask(client.api.GET("/service"))`. Every error is a {@link Failure}. */
export class Client {
  /** Without a slash at its end. */
  readonly url: string;
  /** Its calls have the usual limits. */
  readonly api: Api;
  readonly #limits: Limits;

  constructor(url: string, token?: string, limits: Partial<Limits> = {}) {
    this.url = url.replace(/\/+$/, "");
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
      throw new Failure(2, show`ACCESSION_URL “${url}” is not an address such as ${DEFAULT_URL}`);
    }
    return new Client(url, tokenFrom(environment));
  }

  /** True when what is sent can be read on the way. */
  get isExposed(): boolean {
    const { protocol, hostname } = new URL(this.url);
    return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  }

  /** The data of an answer. */
  async ask<T>(call: Promise<Answer<T>>): Promise<T> {
    try {
      const answer = await call;
      const data = orThrow(answer);
      if (data === undefined && answer.response.status !== 204) throw new UnexpectedAnswerError(answer.response);
      return data;
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /** The data of an answer that may take longer. */
  async askLong<T>(wait: LongWait, call: LimitedCall<T>): Promise<T> {
    await this.#requireAnswer();
    const fetch = limitedFetch({ ...this.#limits, answerMs: wait.answerMs });
    return noting(wait, () => this.ask(call({ fetch })));
  }

  /** All entries of a paged list, page after page, at most `most`. */
  async *pages<T>(read: (page: Page) => Promise<Answer<T[]>>, most?: number): AsyncGenerator<T> {
    try {
      yield* pages(read, most);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /**
   * A streaming response. It must start within the time limit; `signal` ends it, and the caller limits the body.
   *
   * @param path with its query; segments are encoded
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

  /** What a person is told about an error of a call. */
  failureOf(error: unknown): Failure {
    const { url } = this;
    if (error instanceof Failure) return error;
    if (error instanceof ProblemError) {
      const { problem } = error;
      return new Failure(problem.status === 503 ? 3 : 1, describeProblem(problem), { data: { problem } });
    }
    if (error instanceof UnexpectedAnswerError) return stranger(url, error);
    // A successful answer that is not JSON.
    if (error instanceof SyntaxError) return stranger(url, { status: 200, location: null });
    if (error instanceof AnswerTooLongError) {
      const most = size(error.bytes);
      return new Failure(3, show`What answers at ${url} is not Accession: a response is longer than ${most}.`);
    }
    if (error instanceof RepeatedPageError) {
      return new Failure(3, show`The service at ${url} repeats a page of the list.`);
    }
    return unreachable(url, error);
  }

  /** Before a request with a longer time limit: any answer, also an error, shows that the service can be reached. */
  async #requireAnswer(signal?: AbortSignal): Promise<void> {
    const late = timeLimit(this.#limits.answerMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    await this.ask(this.api.GET("/service", { signal: either })).catch((error: unknown) => {
      const isAnswer = error instanceof Failure && (error.data !== undefined || hasStatus(error.cause));
      if (!isAnswer) throw error;
    });
  }
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
function unreachable(url: string, error: unknown): Failure {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: unknown };
  const reason = name === "TimeoutError" && message !== undefined ? message : reasonOf(cause ?? error);
  return new Failure(
    3,
    show`The service cannot be reached at ${url} (${reason}). Is it running there? ACCESSION_URL names another address.`,
    { cause: error },
  );
}

function stranger(url: string, { status, location }: Pick<UnexpectedAnswerError, "status" | "location">): Failure {
  const elsewhere = location === null ? show`` : show`, and sends callers to ${location}`;
  return new Failure(
    3,
    show`What answers at ${url} is not Accession (status ${status}${elsewhere}). ACCESSION_URL names another address.`,
    { cause: { status } },
  );
}
