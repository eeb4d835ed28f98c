import { type ListingPage, type ListingPosition, listPage } from "./listing.ts";
import { withRetries } from "./retry.ts";
import type { Source } from "./source.ts";

/**
 * The pages of a listing from a position on. The next page is asked for while the one at hand is worked on.
 *
 * @throws Problem as `listPage`; the signal's reason
 */
export async function* pagesFrom(
  source: Source,
  { prefix, position }: { prefix: string | undefined; position: ListingPosition | undefined },
  signal: AbortSignal,
): AsyncGenerator<ListingPage> {
  const left = new AbortController();
  const stop = AbortSignal.any([signal, left.signal]);
  const ask = (from: ListingPosition | undefined) => {
    const page = withRetries(stop, () => listPage(source, { prefix, position: from, signal: stop }));
    // Whoever wants the page is told; nobody may want it any more.
    page.catch(() => undefined);
    return page;
  };
  try {
    for (let ahead = ask(position); ; ) {
      const page = await ahead;
      if (page.next !== undefined) ahead = ask(page.next);
      yield page;
      if (page.next === undefined) return;
    }
  } finally {
    left.abort();
  }
}
