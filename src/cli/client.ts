import { readFileSync } from "node:fs";
import type { ProblemView } from "./api.ts";
import { Failure, reasonOf } from "./failure.ts";
import { describeProblem } from "./problem.ts";
import { show } from "./text.ts";

export const DEFAULT_URL = "http://127.0.0.1:8080";
/** The longest that an operation takes is the check of a bucket, 15 s. */
const ANSWER_MS = 60_000;

type Query = Record<string, string | number | undefined>;

interface Call {
  method?: "GET" | "POST" | "DELETE";
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The service as client verbs see it. Every answer that is no success becomes a {@link Failure}. */
export class Client {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url.replace(/\/+$/, "");
    this.#token = token;
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
    return (await readBody(this.url, response, () => response.json())) as T;
  }

  async text(path: string): Promise<string> {
    const response = await this.#call(path, {});
    return readBody(this.url, response, () => response.text());
  }

  async post<T>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const response = await this.#call(path, { method: "POST", body, headers });
    return (await readBody(this.url, response, () => response.json())) as T;
  }

  async delete(path: string): Promise<void> {
    await this.#call(path, { method: "DELETE" });
  }

  /** All entries of a paged list, page after page, at most `most`. */
  async *pages<T>(path: string, query: Query, most = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
    let cursor: string | undefined;
    for (let left = most; left > 0; ) {
      const response = await this.#call(path, { query: { ...query, limit: Math.min(left, 1_000), cursor } });
      const page = (await readBody(this.url, response, () => response.json())) as T[];
      yield* page;
      left -= page.length;
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      cursor = next === undefined ? undefined : (new URL(next, this.url).searchParams.get("cursor") ?? undefined);
      if (cursor === undefined || page.length === 0) return;
    }
  }

  /** An answer that goes on until `signal` ends it. */
  async stream(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    return this.#call(path, { headers, signal });
  }

  async #call(path: string, { method = "GET", query = {}, body, headers, signal }: Call): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        // Followed, a redirect would take the bucket's keys to wherever the answer says.
        redirect: "manual",
        signal: signal ?? AbortSignal.timeout(ANSWER_MS),
        headers: {
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (signal?.aborted && (signal.reason as Error).name !== "TimeoutError") throw error;
      throw unreachable(this.url, error);
    }
    if (!response.ok) throw await refusal(this.url, response);
    return response;
  }
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
  const { name, cause } = error as { name?: string; cause?: unknown };
  const reason = name === "TimeoutError" ? "no answer in time" : reasonOf(cause ?? error);
  return new Failure(
    3,
    show`The service cannot be reached at ${url} (${reason}). Is it running there? ACCESSION_URL names another address.`,
    { cause: error },
  );
}

async function readBody<T>(url: string, response: Response, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SyntaxError) throw stranger(url, response);
    throw unreachable(url, error);
  }
}

/** A refused request; what answers without a problem is not the service. */
async function refusal(url: string, response: Response): Promise<Failure> {
  const problem = await response.json().catch(() => undefined);
  if (!isProblem(problem)) return stranger(url, response);
  return new Failure(response.status === 503 ? 3 : 1, describeProblem(problem), { data: { problem } });
}

function stranger(url: string, response: Response): Failure {
  const location = response.headers.get("location");
  const elsewhere = location === null ? show`` : show`, and sends callers to ${location}`;
  return new Failure(
    3,
    show`What answers at ${url} is not Accession (status ${response.status}${elsewhere}). ACCESSION_URL names another address.`,
  );
}

function isProblem(body: unknown): body is ProblemView {
  const { title, code } = (body ?? {}) as { title?: unknown; code?: unknown };
  return typeof title === "string" && typeof code === "string";
}
