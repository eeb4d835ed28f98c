import { setImmediate as nextCycle } from "node:timers/promises";
import type { ListingPage } from "../../source/source.ts";

/**
 * Joins two consecutive pages if the second one arrived while the caller was busy. A page is never held back to wait for the
 * next one. A caller that leaves early must abort the signal of the pages, because a request is always in progress.
 */
export async function* joinPages(pages: AsyncGenerator<ListingPage>): AsyncGenerator<ListingPage> {
  const ask = () => {
    const next = pages.next();
    // The error is thrown when the page is needed.
    next.catch(() => undefined);
    return next;
  };
  let ahead = ask();
  for (;;) {
    const first = await ahead;
    if (first.done === true) return;
    ahead = ask();
    const second = await arrived(ahead);
    if (second === undefined || second.done === true) {
      yield first.value;
      continue;
    }
    ahead = ask();
    yield { ...second.value, objects: [...first.value.objects, ...second.value.objects] };
  }
}

/** The value of a promise if it is fulfilled now. */
async function arrived<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise.catch(() => undefined), nextCycle(undefined)]);
}
