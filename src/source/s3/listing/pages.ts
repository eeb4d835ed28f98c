import type { ListedObject, ListingPage } from "../../source.ts";
import { withRetries } from "../retry.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import {
  invalidListingProblem,
  listingLoopProblem,
  listPage,
  type S3ListingPage,
  type S3ListingPosition,
} from "./listing.ts";
import { isSameObject } from "./listing-document.ts";
import { twoDifferent } from "./listing-fault.ts";

/**
 * The pages of a listing from a position on. The next page is requested while the current one is processed. Entries that
 * a page repeats from the previous one are removed: some servers begin a page with the key after which it should begin.
 *
 * @param from where to begin, and the page there if it is known already
 * @throws Problem as `listPage`; the signal's reason
 */
export async function* pagesFrom(
  source: S3Bucket,
  from: { prefix: string | undefined; position?: S3ListingPosition | undefined; page?: S3ListingPage | undefined },
  signal: AbortSignal,
): AsyncGenerator<S3ListingPage> {
  const left = new AbortController();
  const stop = AbortSignal.any([signal, left.signal]);
  const ask = (position: S3ListingPosition | undefined) => {
    // Retries must not multiply the time that a silent server takes.
    const limits = { withinMs: source.egress.listingTimeoutMs };
    const page = withRetries(stop, () => listPage(source, { prefix: from.prefix, position, signal: stop }), limits);
    // The caller that needs the page receives its error. It may not be needed any more.
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
 * The objects of a page that are not in the known ones.
 * @throws Problem `listing_invalid` if a known one has another size or ETag; `listing_loop` if none is new although
 * more pages follow
 */
export function withoutRepeated(
  source: S3Bucket,
  page: ListingPage,
  known: readonly Pick<ListedObject, "key" | "bytes" | "etag">[],
): ListedObject[] {
  if (known.length === 0) return page.objects;
  const before = new Map(known.map((object) => [object.key, object]));
  const fresh = page.objects.filter((object) => {
    const same = before.get(object.key);
    if (same !== undefined && !isSameObject(same, object))
      throw invalidListingProblem(source, twoDifferent(object.key).message);
    return same === undefined;
  });
  if (fresh.length === 0 && page.objects.length > 0 && page.next !== undefined) throw listingLoopProblem(source);
  return fresh;
}
