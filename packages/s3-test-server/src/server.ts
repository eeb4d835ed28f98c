import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { Chaos, type ChaosPlan } from "./faults/chaos.ts";
import { FaultRegistry, type Hold } from "./faults/fault-registry.ts";
import type { FaultMatch, FaultRule } from "./faults/faults.ts";
import type { Quirks } from "./faults/quirks.ts";
import { type Generated, wholeBody } from "./http/bodies.ts";
import { exchange } from "./http/exchange.ts";
import { type RequestRecord, writeHistory } from "./http/history.ts";
import type { Addressing } from "./http/raw-request.ts";
import type { Account } from "./http/signature.ts";
import type { Service } from "./operations/dispatch.ts";
import { type BucketOptions, Store } from "./store.ts";
import type { PutOptions, StoredObject } from "./stored-object.ts";

/** Options of a server. All are optional. */
export interface S3ServerOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: a free port. */
  port?: number;
  /** The region of the server, and of buckets without a region; default us-east-1. Signatures must contain it. */
  region?: string;
  /** Supported forms of addressing; default both. */
  addressing?: Addressing;
  /** Virtual-hosted buckets are `<bucket>.<domain>`; default localhost. */
  domains?: readonly string[];
  /** The current time for the server. */
  clock?: () => Date;
  /** Answers 301 PermanentRedirect for buckets of another region. */
  redirectRegions?: boolean;
  quirks?: Quirks;
  /** Speaks TLS with this key and certificate. */
  tls?: Pick<ServerOptions, "key" | "cert">;
  /** Larger objects have an opaque ETag instead of a computed one; default 64 MiB. */
  digestLimit?: number;
  /** False disables the history, for runs of a million requests. */
  keepHistory?: boolean;
}

/** Starts an S3 server. It is ready when the call resolves. */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = new S3Server(options);
  await server.listen();
  return server;
}

/** A small S3 server in memory with configurable faults. */
export class S3Server {
  readonly history: RequestRecord[] = [];
  /** May be changed while the server runs. */
  readonly quirks: Quirks;
  readonly #options: S3ServerOptions;
  readonly #store: Store;
  readonly #accounts = new Map<string, Account>();
  readonly #faults = new FaultRegistry();
  readonly #server: Server;
  readonly #service: Service;
  readonly #stop = new AbortController();
  readonly #activeRequests = new Set<Promise<void>>();
  #port = 0;
  #requests = 0;

  constructor(options: S3ServerOptions) {
    this.#options = options;
    this.quirks = { ...options.quirks };
    this.#store = new Store(options.region ?? "us-east-1", options.clock ?? (() => new Date()), options.digestLimit);
    const keepHistory = options.keepHistory ?? true;
    this.#service = {
      store: this.#store,
      accounts: this.#accounts,
      faults: this.#faults,
      quirks: this.quirks,
      addressing: options.addressing ?? "both",
      domains: options.domains ?? ["localhost"],
      redirectRegions: options.redirectRegions ?? false,
      stopped: this.#stop.signal,
      record: (record) => keepHistory && this.history.push(record),
    };
    const listener = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    this.#server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
    // A test's connection may be idle for any time.
    this.#server.keepAliveTimeout = 0;
    this.#server.requestTimeout = 0;
  }

  /** `http://127.0.0.1:port`, path style. */
  get endpoint(): string {
    const { host = "127.0.0.1", tls } = this.#options;
    return `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
  }

  /** The given or assigned port. Stays the same after {@link close}. */
  get port(): number {
    return this.#port;
  }

  /** Called by {@link startS3Server}. */
  async listen(): Promise<void> {
    const { host = "127.0.0.1", port = 0 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  addAccount(account: Account): void {
    this.#accounts.set(account.accessKey, account);
  }

  /** Removes an account. Its key is unknown from then on. */
  removeAccount(accessKey: string): void {
    this.#accounts.delete(accessKey);
  }

  createBucket(name: string, options: BucketOptions = {}): void {
    this.#store.createBucket(name, options);
  }

  /** Stores an object without a permission check. */
  put(bucket: string, key: string, content: Buffer | string | Generated, options: PutOptions = {}): StoredObject {
    return this.#store.put(bucket, key, content, options);
  }

  /** Removes an object. Returns true if it existed. */
  remove(bucket: string, key: string): boolean {
    return this.#store.bucket(bucket).delete(key);
  }

  /** All keys in the order of listings. */
  keys(bucket: string): readonly string[] {
    return this.#store.bucket(bucket).keys();
  }

  object(bucket: string, key: string): StoredObject | undefined {
    return this.#store.bucket(bucket).get(key);
  }

  /** The whole content of an object. Throws if it does not exist. */
  body(bucket: string, key: string): Buffer {
    const object = this.object(bucket, key);
    if (object === undefined) throw new Error(`there is no object ${JSON.stringify(key)} in ${bucket}`);
    return wholeBody(object.body);
  }

  /** Keys of multipart uploads that are neither completed nor aborted. */
  uploads(bucket: string): string[] {
    return Array.from(this.#store.bucket(bucket).uploads.values(), (upload) => upload.key);
  }

  /** Writes all requests so far to a file, one JSON object on each line. */
  writeHistory(file: string): Promise<void> {
    return writeHistory(this.history, file);
  }

  clearHistory(): void {
    this.history.length = 0;
  }

  /** Adds a fault to requests. Returns a function that removes it. */
  addFault(rule: FaultRule): () => void {
    return this.#faults.add(rule);
  }

  /** Lets matching requests wait, before they are processed, until they are released or all faults are removed. */
  hold(match: FaultMatch): Hold {
    return this.#faults.hold(match);
  }

  /**
   * Starts a plan of faults. Returns a function that ends it. `touched` is called for every key that is overwritten,
   * deleted or added, because its content is no longer the original one.
   */
  startChaos(plan: ChaosPlan, touched: (bucket: string, key: string) => void = () => undefined): () => void {
    return this.#faults.startChaos(
      new Chaos(plan, {
        overwrite: (bucket, key, seed) => {
          touched(bucket, key);
          this.put(bucket, key, { seed, size: this.object(bucket, key)?.body.size ?? 100 });
        },
        remove: (bucket, key) => {
          touched(bucket, key);
          this.remove(bucket, key);
        },
        revoke: (accessKey) => this.removeAccount(accessKey),
      }),
    );
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Closes every connection. Resolves when all resources of the server are released. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#faults.clear();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#activeRequests);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    const requestId = (++this.#requests).toString(16).toUpperCase().padStart(16, "0");
    const work = exchange(this.#service, incoming, response, requestId).finally(() =>
      this.#activeRequests.delete(work),
    );
    this.#activeRequests.add(work);
  }
}
