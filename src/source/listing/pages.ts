import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../domain/problems.ts";
import type { Source } from "../source.ts";
import { invalid, type ListedObject, type ListingPage, type ListingPosition, listPage, loop } from "./listing.ts";
import { isSameObject, twoDifferent } from "./listing-document.ts";

const TRIES = 5;

const FIRST_PAUSE_MS = 200;

const LONGEST_PAUSE_MS = 10_000;

/**
 * The pages of a listing from a position on. The next page is requested while the current one is processed. Entries that
 * a page repeats from the previous one are removed: some servers begin a page with the key after which it should begin.
 *
 * @param from where to begin, and the page there if it is known already
 * @throws Problem as `listPage`; the signal's reason
 */
export async function* pagesFrom(
  source: Source,
  from: { prefix: string | undefined; position?: ListingPosition | undefined; page?: ListingPage | undefined },
  signal: AbortSignal,
): AsyncGenerator<ListingPage> {
  const left = new AbortController();
  const stop = AbortSignal.any([signal, left.signal]);
  const ask = (position: ListingPosition | undefined) => {
    const page = withRetries(stop, () => listPage(source, { prefix: from.prefix, position, signal: stop }));
    // Whoever wants the page is told; nobody may want it any more.
    page.catch(() => undefined);
    return page;
  };
  let before: readonly ListedObject[] = [];
  try {
    for (let ahead = from.page === undefined ? ask(from.position) : Promise.resolve(from.page); ; ) {
      const page = await ahead;
      if (page.next !== undefined) ahead = ask(page.next);
      const objects = withoutRepeated(source, page, before);
      before = page.objects;
      yield { ...page, objects };
      if (page.next === undefined) return;
    }
  } finally {
    left.abort();
  }
}

/**
 * The objects of a page that are not among those known before.
 * @throws Problem `listing_invalid` when a known one comes with another size or ETag; `listing_loop` when none is new
 * and yet more pages follow
 */
export function withoutRepeated(
  source: Source,
  page: Pick<ListingPage, "objects" | "next">,
  known: readonly Pick<ListedObject, "key" | "bytes" | "etag">[],
): ListedObject[] {
  if (known.length === 0) return page.objects;
  const before = new Map(known.map((object) => [object.key, object]));
  const fresh = page.objects.filter((object) => {
    const same = before.get(object.key);
    if (same !== undefined && !isSameObject(same, object)) throw invalid(source, twoDifferent(object.key).message);
    return same === undefined;
  });
  if (fresh.length === 0 && page.objects.length > 0 && page.next !== undefined) throw loop(source);
  return fresh;
}

/**
 * Tries again what may succeed by itself (Problems that are `retryable`), with growing jittered pauses that obey the
 * server's Retry-After. The last Problem is thrown on; other errors at once.
 */
export async function withRetries<T>(signal: AbortSignal, attempt: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem) || !error.retryable || n >= tries) throw error;
      await sleep(pauseMs(n, error.retryAfter), undefined, { signal });
    }
  }
}

/** Milliseconds to wait after the nth failure: exponential with full jitter, but never less than the server asks. */
export function pauseMs(n: number, retryAfterSeconds = 0): number {
  const ceiling = Math.min(FIRST_PAUSE_MS * 2 ** n, LONGEST_PAUSE_MS);
  return Math.max(ceiling * (0.5 + Math.random() / 2), retryAfterSeconds * 1000);
}
