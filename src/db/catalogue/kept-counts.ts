import { LRUCache } from "lru-cache";
import type { TermKind } from "../../public/catalogue/entry.ts";

/** A value with the number of found datasets that have it. */
export interface Facet {
  kind: TermKind | "access";
  value: string;
  label: string;
  datasets: number;
  /** Whether the number is estimated from a part of the found datasets, because they are many. */
  isEstimated: boolean;
}

/** How many datasets a search finds, by their access and by other values. */
export interface Counts {
  /** With any access. */
  access: Facet[];
  facets: Facet[];
}

interface Kept {
  revision: string | null;
  counts: Counts;
}

const MOST_SEARCHES = 200;
/** Only these are worth keeping. */
const LEAST_DATASETS = 1_000;
/** Labels of values may be this old, and numbers after a change of access that is not described yet. */
const LONGEST_MS = 60_000;

/**
 * Keeps the numbers of searches that find many datasets, because counting takes most of their time: the start page, and each page and
 * order of one search, have the same numbers. They are used only while the catalogue is the same.
 */
export class KeptCounts {
  readonly #searches = new LRUCache<string, Kept>({ max: MOST_SEARCHES, ttl: LONGEST_MS });

  /** @param revision of the catalogue now */
  find(search: string, revision: string | null): Counts | undefined {
    const kept = this.#searches.get(search);
    return kept?.revision === revision ? kept?.counts : undefined;
  }

  keep(search: string, revision: string | null, counts: Counts): void {
    const datasets = counts.access.reduce((sum, one) => sum + one.datasets, 0);
    if (datasets >= LEAST_DATASETS) this.#searches.set(search, { revision, counts });
  }
}
