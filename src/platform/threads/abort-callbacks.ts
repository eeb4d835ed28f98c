import { setMaxListeners } from "node:events";
import { Bag, type BagMember } from "./bag.ts";

/** Called once when a signal is aborted. */
export interface AbortCallback extends BagMember {
  onAbort(): void;
}

const callbacksOf = new WeakMap<AbortSignal, Bag<AbortCallback>>();

/**
 * Calls back when a signal is aborted, until {@link offAbort}. All callbacks of a signal share one listener, because
 * adding and removing a listener for each of many thousand requests costs as much as signing the requests.
 *
 * @returns the callback, for {@link offAbort}
 */
export function onAbort(signal: AbortSignal, callback: () => void): AbortCallback {
  const added = { place: -1, onAbort: callback };
  (callbacksOf.get(signal) ?? listen(signal)).add(added);
  return added;
}

export function offAbort(signal: AbortSignal, callback: AbortCallback): void {
  callbacksOf.get(signal)?.remove(callback);
}

/** The result of the work, or a rejection with the signal's reason as soon as the signal is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const callback = signal.aborted ? undefined : onAbort(signal, abort);
    if (callback === undefined) abort();
    work.then(resolve, reject).finally(() => callback && offAbort(signal, callback));
  });
}

function listen(signal: AbortSignal): Bag<AbortCallback> {
  const callbacks = new Bag<AbortCallback>();
  callbacksOf.set(signal, callbacks);
  setMaxListeners(0, signal);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks.list()) if (callback.place >= 0) callback.onAbort();
    },
    { once: true },
  );
  return callbacks;
}
