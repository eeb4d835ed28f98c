/** What an answer costs may be at most this part of the time. */
const SHARE = 0.01;
const LONGEST_MS = 60_000;

/**
 * Asks no more often than does no harm: an answer is given again for a hundred times as long as it took to get (at most a
 * minute), and all who ask meanwhile share it. A failure is for those alone who waited for it.
 */
export function sparing<T>(ask: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (shared !== undefined && performance.now() < until) return shared;
    const began = performance.now();
    until = Number.POSITIVE_INFINITY;
    const asked = ask();
    shared = asked;
    asked.then(
      () => {
        const took = performance.now() - began;
        until = began + took + Math.min(took / SHARE, LONGEST_MS);
      },
      () => {
        shared = undefined;
      },
    );
    return asked;
  };
}
