import { parentPort } from "node:worker_threads";
import type { FromThread, ThreadMessages, ToThread } from "./worker-thread.ts";

/** A call, from the perspective of the thread. */
export class ServedCall<M extends ThreadMessages> {
  readonly #post: (message: M["fromCall"], transfer: ArrayBuffer[]) => void;
  readonly #controller = new AbortController();
  #hear: (message: M["toCall"]) => void = () => undefined;

  constructor(post: (message: M["fromCall"], transfer: ArrayBuffer[]) => void) {
    this.#post = post;
  }

  /** Aborted when the caller cancels the call. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param transfer buffers that are transferred instead of copied */
  send(message: M["fromCall"], transfer: ArrayBuffer[] = []): void {
    this.#post(message, transfer);
  }

  /** Sets the handler of messages about this call. To be called before the first `await`, so that none is missed. */
  onMessage(hear: (message: M["toCall"]) => void): void {
    this.#hear = hear;
  }

  hear(message: M["toCall"]): void {
    this.#hear(message);
  }

  cancel(): void {
    this.#controller.abort(new Error("The call was cancelled"));
  }
}

/** The handlers of a thread's module. */
interface Served<M extends ThreadMessages> {
  /** Answers a call. An error that it throws rejects the call. Only `Error`s keep their type. */
  call: (request: M["request"], call: ServedCall<M>) => Promise<M["result"]>;
  onNotice?: (notice: M["toThread"]) => void;
  /** Closes what the thread uses, before it ends. */
  close?: () => Promise<void>;
}

/**
 * Answers the calls of a `WorkerThread`. To be called once, by the module that the thread runs. Calls run concurrently.
 *
 * @returns a function that sends a message without a call
 * @throws Error outside a worker thread
 */
export function serveCalls<M extends ThreadMessages>(served: Served<M>): (notice: M["fromThread"]) => void {
  const port = parentPort;
  if (port === null) throw new Error("This module runs in a worker thread only");
  const post = (message: FromThread<M>, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const calls = new Map<number, ServedCall<M>>();

  async function answer(id: number, request: M["request"]): Promise<void> {
    const call = new ServedCall<M>((message, transfer) => post({ id, message }, transfer));
    calls.set(id, call);
    try {
      post({ id, result: await served.call(request, call) });
    } catch (error) {
      postError(id, error);
    } finally {
      calls.delete(id);
    }
  }

  function postError(id: number, error: unknown): void {
    try {
      post({ id, error: error instanceof Error ? error : new Error(String(error)) });
    } catch {
      // A property of the error cannot be cloned. Only its text is needed.
      post({ id, error: new Error(String(error)) });
    }
  }

  port.on("message", async (message: ToThread<M>) => {
    if ("request" in message) return answer(message.id, message.request);
    if ("message" in message) return calls.get(message.id)?.hear(message.message);
    if ("cancel" in message) return calls.get(message.id)?.cancel();
    if ("notice" in message) return served.onNotice?.(message.notice);
    await served.close?.();
    post({ closed: true });
    port.close();
  });
  post({ loaded: true });
  return (notice) => post({ notice });
}
