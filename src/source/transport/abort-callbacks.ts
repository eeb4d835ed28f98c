import { setMaxListeners } from "node:events";

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted, until {@link offAbort}. All callbacks of a signal share one listener, because
 * adding and removing a listener for each of many thousand requests costs as much as signing the requests.
 */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  const callbacks = callbacksOf.get(signal) ?? listen(signal);
  callbacks.add(callback);
}

export function offAbort(signal: AbortSignal, callback: () => void): void {
  callbacksOf.get(signal)?.delete(callback);
}

/** The result of the work, or a rejection with the signal's reason as soon as the signal is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else onAbort(signal, abort);
    work.then(resolve, reject).finally(() => offAbort(signal, abort));
  });
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
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
