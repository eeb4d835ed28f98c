import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Account, accountOf } from "./accounts.ts";
import { type Attributes, changed, type DoiRecord, faultsOf, rendered } from "./dois.ts";
import { type Fault, type FaultRule, Faults } from "./faults.ts";
import { RateLimit } from "./rate-limit.ts";
import { errorReply, faultsReply, interrupt, type Reply, send } from "./replies.ts";
import { attributesIn, doiIn, doiToCreate } from "./requests.ts";

export interface DataciteServerOptions {
  /** The default is a free port. The server listens on 127.0.0.1 alone. */
  port?: number;
  accounts?: Account[];
  /** Maximum number of requests in a window of time; none by default. */
  limit?: { requests: number; windowMs: number };
  /** Milliseconds after which the handle of a registered DOI is registered. The default is 0: soon after the response. */
  registrationMs?: number;
}

/** A request that the server has received. */
export interface RequestRecord {
  method: string;
  /** With the query. */
  path: string;
  /** As `performance.now()`. */
  at: number;
  /** Status of the response; undefined if none was sent. */
  status: number | undefined;
}

/** What a route needs of its request. */
interface Call {
  request: IncomingMessage;
  method: string;
  url: URL;
  fault: Fault | undefined;
}

/** A look-alike of the DataCite REST API (https://support.datacite.org/docs/api), in memory. */
export class DataciteServer {
  readonly #server: Server;
  readonly #options: DataciteServerOptions;
  readonly #limit: RateLimit | undefined;
  readonly #dois = new Map<string, DoiRecord>();
  readonly #faults = new Faults();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #requests: RequestRecord[] = [];
  /** The accounts, which tests may change while the server runs: revoked passwords, other domains. */
  readonly accounts: Account[];

  constructor(options: DataciteServerOptions) {
    this.#options = options;
    this.accounts = options.accounts ?? [];
    this.#limit = options.limit === undefined ? undefined : new RateLimit(options.limit);
    this.#server = createServer((request, response) => {
      // A client that disconnects within its request needs no response.
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port ?? 0, "127.0.0.1", resolve);
    });
    return this;
  }

  /** The address of the API, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All DOIs, by the DOI in lower case. */
  get dois(): ReadonlyMap<string, DoiRecord> {
    return this.#dois;
  }

  /** The requests so far, in order. */
  get requests(): readonly RequestRecord[] {
    return this.#requests;
  }

  /** Orders a fault for the next matching requests. @returns a function that removes it */
  addFault(rule: FaultRule): () => void {
    return this.#faults.add(rule);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Stores a DOI as if another client had registered it. */
  put(record: DoiRecord): void {
    this.#dois.set(record.doi.toLowerCase(), record);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = request;
    const record: RequestRecord = { method, path, at: performance.now(), status: undefined };
    this.#requests.push(record);
    response.once("finish", () => {
      record.status = response.statusCode;
    });
    const url = new URL(this.url + path);
    const fault = this.#faults.take(method, doiIn(url));
    if (fault !== undefined && ("closeBefore" in fault || "status" in fault || "endless" in fault)) {
      interrupt(request, response, fault);
      return;
    }
    const wait = this.#limit?.exceeded();
    const call: Call = { request, method, url, fault };
    const reply = wait === undefined ? await this.#route(call) : errorReply(429, { "retry-after": String(wait) });
    if (fault !== undefined && "hangAfter" in fault) return;
    if (fault !== undefined && "closeAfter" in fault) request.socket.destroy();
    else send(response, reply);
  }

  async #route(call: Call): Promise<Reply> {
    const { method, url, request } = call;
    if (url.pathname === "/heartbeat") return { status: 200 };
    if (url.pathname.startsWith("/resolve/")) return this.#resolve(call);
    const account = accountOf(this.accounts, request.headers.authorization);
    if (account === false) return errorReply(401);
    const doi = doiIn(url);
    if (doi !== undefined) {
      if (method === "GET") return this.#read(call, account, doi);
      if (method === "PUT") return this.#write(call, account, doi);
      return method === "DELETE" ? this.#remove(account, doi) : errorReply(405);
    }
    if (url.pathname === "/dois" && method === "POST") return this.#write(call, account, undefined);
    if (url.pathname === "/dois" && method === "GET") return this.#list(call, account);
    if (url.pathname.startsWith("/repositories/") && method === "GET") return this.#repository(call, account);
    return errorReply(404);
  }

  #read({ url, fault }: Call, account: Account | undefined, doi: string): Reply {
    const record = this.#dois.get(doi);
    // Others see findable DOIs alone.
    if (record === undefined || (record.state !== "findable" && !owns(account, record))) return errorReply(404);
    return { status: 200, document: { data: shown(record, url, fault) } };
  }

  /** Creates or updates a DOI. @param named undefined for `POST`, whose body names the DOI or only its prefix */
  async #write(call: Call, account: Account | undefined, named: string | undefined): Promise<Reply> {
    const { request, url, fault } = call;
    if (account === undefined) return errorReply(401);
    const sent = await attributesIn(request);
    if (sent === undefined) return errorReply(400);
    const doi = named ?? doiToCreate(sent);
    if (doi === undefined) return faultsReply([{ source: "doi", title: "can't be blank" }]);
    const existing = this.#dois.get(doi);
    if (named === undefined && existing !== undefined) {
      return faultsReply([{ source: "doi", title: "This DOI has already been taken", uid: doi }]);
    }
    const isForeign = !account.prefixes.includes(doi.split("/", 1)[0] ?? "");
    if (isForeign || (existing !== undefined && !owns(account, existing))) return errorReply(403);
    const isEventIgnored = fault !== undefined && "ignoreEvent" in fault;
    const record = changed(existing ?? newRecord(doi, account), sent, isEventIgnored);
    const faults = faultsOf(record, existing?.state, account);
    if (faults.length > 0) return faultsReply(faults);
    this.#dois.set(doi, record);
    this.#registerHandle(record, fault);
    return { status: existing === undefined ? 201 : 200, document: { data: shown(record, url, fault) } };
  }

  /** The handle is registered after the response, and no response tells whether that worked. */
  #registerHandle({ doi, state }: DoiRecord, fault: Fault | undefined): void {
    const ordered = fault !== undefined && "registration" in fault ? fault.registration : undefined;
    if (state === "draft" || ordered === "never") return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        const record = this.#dois.get(doi);
        if (record === undefined) return;
        const registered = record.registered ?? new Date().toISOString();
        this.#dois.set(doi, { ...record, handle: String(record.attributes.url), registered });
      },
      ordered ?? this.#options.registrationMs ?? 0,
    );
    this.#timers.add(timer);
  }

  #remove(account: Account | undefined, doi: string): Reply {
    const record = this.#dois.get(doi);
    if (account === undefined) return errorReply(401);
    if (record === undefined) return errorReply(404);
    if (!owns(account, record)) return errorReply(403);
    if (record.state !== "draft") return errorReply(405);
    this.#dois.delete(doi);
    return { status: 204 };
  }

  /** The DOIs of the account, or the findable ones, page by page: `page[number]` and `page[size]`, or `page[cursor]`. */
  #list({ url }: Call, account: Account | undefined): Reply {
    const { searchParams: query } = url;
    const prefix = query.get("prefix");
    const client = query.get("client-id")?.toLowerCase();
    const found = [...this.#dois.values()]
      .filter((record) => record.state === "findable" || owns(account, record))
      .filter(
        ({ doi, repository }) =>
          (prefix === null || doi.startsWith(`${prefix}/`)) && (client ?? repository) === repository,
      )
      .toSorted((a, b) => (a.doi < b.doi ? -1 : 1));
    const size = Math.min(Number(query.get("page[size]") ?? 25), 1_000);
    const number = Number(query.get("page[number]") ?? query.get("page[cursor]") ?? 1);
    const page = found.slice((number - 1) * size, number * size);
    const next = new URL(url);
    next.searchParams.set(query.has("page[cursor]") ? "page[cursor]" : "page[number]", String(number + 1));
    const document = {
      data: page.map((record) => shown(record, url, undefined)),
      meta: { total: found.length, totalPages: Math.ceil(found.length / size), page: number },
      links: { self: url.href, ...(number * size < found.length && { next: next.href }) },
    };
    return { status: 200, document };
  }

  #repository({ url }: Call, account: Account | undefined): Reply {
    const id = decodeURIComponent(url.pathname.slice("/repositories/".length)).toLowerCase();
    if (account === undefined) return errorReply(401);
    if (account.repository.toLowerCase() !== id) return errorReply(403);
    const prefixes = account.prefixes.map((prefix) => ({ id: prefix, type: "prefixes" }));
    const document = {
      data: {
        id,
        type: "repositories",
        attributes: { symbol: account.repository, domains: account.domains.join(","), isActive: true },
        relationships: { prefixes: { data: prefixes } },
      },
    };
    return { status: 200, document };
  }

  /** Follows a DOI as the handle system does, to its last registered URL. Hidden DOIs still resolve. */
  #resolve({ url }: Call): Reply {
    const doi = decodeURIComponent(url.pathname.slice("/resolve/".length)).toLowerCase();
    const handle = this.#dois.get(doi)?.handle;
    if (handle === undefined) return errorReply(404);
    return { status: 302, headers: { location: handle } };
  }
}

/** Starts a server on a free port of 127.0.0.1. */
export function startDataciteServer(options: DataciteServerOptions = {}): Promise<DataciteServer> {
  return new DataciteServer(options).listen();
}

function newRecord(doi: string, { repository }: Account): DoiRecord {
  const now = new Date().toISOString();
  const id = repository.toLowerCase();
  return {
    doi,
    repository: id,
    state: "draft",
    attributes: {},
    handle: undefined,
    registered: undefined,
    created: now,
    updated: now,
  };
}

function owns(account: Account | undefined, { repository }: DoiRecord): boolean {
  return account?.repository.toLowerCase() === repository;
}

function shown(record: DoiRecord, { searchParams }: URL, fault: Fault | undefined): object {
  const isAsked = (name: string) => searchParams.get(name) === "true";
  const document = rendered(record, { publisher: isAsked("publisher"), affiliation: isAsked("affiliation") });
  if (fault === undefined || !("rewrite" in fault)) return document;
  return { ...document, attributes: fault.rewrite((document as { attributes: Attributes }).attributes) };
}
