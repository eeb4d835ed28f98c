import { setTimeout as sleep } from "node:timers/promises";
import { responseDeviations } from "./api-description.ts";

/** The members of a submission that tests read. The API description contains all of them. */
export interface Submission {
  id: string;
  status: string;
  attempt: number;
  title: string;
  source: Record<string, unknown>;
  progress: Record<string, number>;
  waiting: { code: string; fault: string; message: string; action: string; until: string | null } | null;
  failure: { code: string; fault: string; message: string } | null;
  drift: { key: string; change: string }[];
  dataset: { id: string; version: number } | null;
  sourceMayBeDeleted: "yes" | "no" | null;
  statement: string | null;
  warnings: { pointer: string; code: string }[];
  digests: {
    lists: { name: string; origin: string; entries: number }[];
    unread: { name: string; origin: string }[];
    comparison: {
      files: number;
      notSelected: number;
      missing: { total: number; keys: string[] };
      additional: { total: number; keys: string[] };
    } | null;
    differing: number;
    differingExcluded: number;
  } | null;
  links: Record<string, string>;
}

export interface File {
  path: string;
  key: string;
  bytes: number;
  sha512: string | null;
  state: string;
  verifiedBy: string | null;
  verifiedWith: string | null;
  attempts: number;
  error: { code: string; message: string } | null;
}

export interface Receipt {
  counts: { listed: number; stored: number; excluded: number };
  bytes: number;
  verified: Record<string, number>;
  exclusions: { key: string; reason: string; code: string }[];
  drift: { key: string; change: string }[];
  sourceMayBeDeleted: string;
  statement: string;
  dataset: { id: string; version: number };
  changes?: Record<"added" | "changed" | "removed", { total: number; keys: string[] }> & {
    since: number;
    kept: { total: number; notRead: number };
  };
  digestLists?: object;
  digests: Record<string, { path: string; sha512: string }>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
  json: any;
}

/** Metadata without errors or warnings. */
export const goodMetadata = {
  title: "Barley roots under drought",
  description: "Measurements of barley roots under drought, taken in 2025 on twelve plots, with images and raw data.",
  license: "CC-BY-4.0",
  language: "en",
  subjects: ["barley", "drought"],
  authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry", orcid: "0000-0002-1825-0097" }],
};

/** Calls the API over HTTP. @throws Error if a response differs from the API description */
export class Api {
  readonly url: string;
  /** Sent with every request, unless a request has others of the same names. */
  headers: Record<string, string> = {};

  constructor(url: string) {
    this.url = url;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, { headers });
  }

  async post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const init =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
    return this.send(path, { method: "POST", ...init });
  }

  /** Identical submissions are sent as new ones, unless the test sets the header `accession-repeat`. */
  async send(path: string, { headers: given, ...others }: RequestInit): Promise<Answer> {
    const repeat = path.endsWith("/s3upload") ? { "accession-repeat": "true" } : {};
    const init = {
      ...others,
      headers: { ...repeat, ...this.headers, ...(given as Record<string, string> | undefined) },
    };
    const answer = await read(await fetch(this.url + path, init));
    const base = new URL(this.url).pathname.replace(/\/$/, "");
    const asked = new URL(this.url + path).pathname.slice(base.length);
    const faults = responseDeviations({ method: init.method ?? "GET", path: asked, ...answer });
    if (faults.length > 0) throw new Error(`not as described in clients/openapi.json: ${faults.join("; ")}`);
    return answer;
  }

  /** Submits and expects a 202. */
  async submit(s3Access: object, more: object = {}): Promise<Submission> {
    const answer = await this.post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access, ...more });
    if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  async submission(id: string): Promise<Submission> {
    return (await this.get(`/submission/${id}`)).json;
  }

  /** Waits until the submission has one of the statuses; fails if it stops in another one. */
  async until(id: string, statuses: string[], milliseconds = 240_000): Promise<Submission> {
    const end = Date.now() + milliseconds;
    for (;;) {
      const submission = await this.submission(id);
      if (statuses.includes(submission.status)) return submission;
      const isStopped = ["completed", "failed", "cancelled", "waiting"].includes(submission.status);
      if (isStopped || Date.now() > end) {
        throw new Error(`${submission.status} instead of ${statuses}: ${JSON.stringify(submission)}`);
      }
      await sleep(40);
    }
  }

  async files(id: string, query = ""): Promise<File[]> {
    const found: File[] = [];
    for (let path: string | undefined = `/submission/${id}/files?limit=1000${query}`; path !== undefined; ) {
      const page: Answer = await this.get(path);
      found.push(...page.json);
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    return found;
  }

  async events(id: string): Promise<{ id: number; at: string; type: string; message: string; attempt: number }[]> {
    return (await this.get(`/submission/${id}/events`)).json;
  }

  async receipt(id: string): Promise<Receipt> {
    const { text } = await this.get(`/submission/${id}/receipt`);
    return JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString("utf8"));
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
