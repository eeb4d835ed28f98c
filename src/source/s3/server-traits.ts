import type { NameEncoding } from "./listing/name-encoding.ts";

/**
 * Parts of requests that improve a read or a listing but that some servers refuse: headers of reads, and parameters of
 * listings.
 */
export const OPTIONAL_PARTS = ["x-amz-checksum-mode", "if-match", "encoding-type", "max-keys", "list-type"] as const;
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];

/** Searches for the refused part that may fail before the service stops searching. Each takes several requests. */
const FAILED_SEARCHES = 3;

/** Differences of one bucket's server from Amazon S3 that requests have shown. */
export class ServerTraits {
  /** How listings encode names; undefined until a name shows it. */
  names: NameEncoding | undefined;
  /** HEAD fails although GET works. */
  refusesHead = false;
  /** Responses to reads have no ETag. */
  omitsEtags = false;
  readonly #refused = new Set<OptionalPart>();
  #failedSearches = 0;

  /** The optional parts without which the server answers. */
  get refused(): readonly OptionalPart[] {
    return [...this.#refused];
  }

  refuses(part: OptionalPart): boolean {
    return this.#refused.size > 0 && this.#refused.has(part);
  }

  /** The server answers without these parts, and only without them. */
  refuse(parts: readonly OptionalPart[]): void {
    for (const part of parts) this.#refused.add(part);
    this.#failedSearches = 0;
  }

  get maySearch(): boolean {
    return this.#failedSearches < FAILED_SEARCHES;
  }

  searchFailed(): void {
    this.#failedSearches++;
  }
}

/** Servers are upgraded, so what was found out is forgotten after an hour. */
const KEPT_MS = 3_600_000;
const MAX_BUCKETS = 1_000;

/** The traits of the servers that this thread has asked, each for an hour. */
export class KnownServers {
  readonly #known = new Map<string, { traits: ServerTraits; until: number }>();

  /** @param bucket the address of the bucket: servers behind one host may differ */
  of(bucket: string): ServerTraits {
    const now = Date.now();
    const known = this.#known.get(bucket);
    if (known !== undefined && now < known.until) return known.traits;
    this.#known.delete(bucket);
    if (this.#known.size >= MAX_BUCKETS) this.#known.delete(this.#known.keys().next().value ?? "");
    const traits = new ServerTraits();
    this.#known.set(bucket, { traits, until: now + KEPT_MS });
    return traits;
  }
}
