/**
 * Processes items concurrently, at most `atOnce` at a time. After the first failure no item is started, and the call
 * fails when those in progress have ended.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (let next = rest.next(); !next.done && failure === undefined; next = rest.next()) {
      await work(next.value).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure !== undefined) throw failure.error;
}
