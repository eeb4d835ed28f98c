import { setMaxListeners } from "node:events";

const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted, until {@link offAbort}. Thousands of requests that come and go share one
 * listener of the signal: adding and removing a listener each time costs as much as signing the request.
 */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  const callbacks = watched.get(signal) ?? watch(signal);
  callbacks.add(callback);
}

export function offAbort(signal: AbortSignal, callback: () => void): void {
  watched.get(signal)?.delete(callback);
}

function watch(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  watched.set(signal, callbacks);
  setMaxListeners(0, signal);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
    },
    { once: true },
  );
  return callbacks;
}

/** What a work comes to, or the signal's reason as soon as it is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else onAbort(signal, abort);
    work.then(resolve, reject).finally(() => offAbort(signal, abort));
  });
}
