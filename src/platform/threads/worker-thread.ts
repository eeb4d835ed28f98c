import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/**
 * The messages between a worker thread and the thread that started it: plain data (structured clone). A call begins
 * with a request and ends with a result or an error; in between, both sides may send messages about it.
 */
export interface ThreadMessages {
  request: unknown;
  result: unknown;
  /** Messages about a call. */
  toCall: unknown;
  fromCall: unknown;
  /** Messages without a call. */
  toThread: unknown;
  fromThread: unknown;
}

export type ToThread<M extends ThreadMessages> =
  | { id: number; request: M["request"] }
  | { id: number; message: M["toCall"] }
  | { id: number; cancel: true }
  | { notice: M["toThread"] }
  | { close: true };

export type FromThread<M extends ThreadMessages> =
  | { id: number; result: M["result"] }
  | { id: number; error: Error }
  | { id: number; message: M["fromCall"] }
  | { notice: M["fromThread"] }
  | { loaded: true }
  | { closed: true };

/** The module of a thread could not be loaded: the installation is incomplete or damaged. */
class ThreadNotLoaded extends Error {
  constructor(name: string, module: string, cause: Error) {
    super(`The module ${module} of the thread “${name}” cannot be loaded: ${cause.message}. Reinstall the service.`, {
      cause,
    });
    this.name = "ThreadNotLoaded";
  }
}

/** A call in progress. */
export interface ThreadCall<M extends ThreadMessages> {
  /** Rejects with the error of the call in the thread (as a structured clone), or when the thread ends. */
  readonly result: Promise<M["result"]>;
  /** Ignored after the end of the call. */
  send(message: M["toCall"]): void;
  /** Aborts the call's signal in the thread. The call settles when the thread answers. */
  cancel(): void;
}

interface ThreadOptions<M extends ThreadMessages> {
  /** The name in the operating system. */
  name: string;
  /** The thread's `workerData`. */
  data?: unknown;
  /** Limit of V8's young generation (MiB). */
  youngGenerationMiB?: number;
  /** Limit of the memory of V8 (MiB). A thread that exceeds it ends with `ERR_WORKER_OUT_OF_MEMORY`. */
  heapMiB?: number;
  /** Whether the thread, and those it starts, have a lower priority than all others. */
  lowPriority?: boolean;
  /** Whether the process may end while the thread runs. */
  unref?: boolean;
  onNotice?: (notice: M["fromThread"]) => void;
  /** Called after all calls were rejected. The next call starts another thread. */
  onEnd?: (cause: Error) => void;
}

interface Pending<M extends ThreadMessages> {
  resolve: (result: M["result"]) => void;
  reject: (error: Error) => void;
  onMessage: ((message: M["fromCall"]) => void) | undefined;
}

/**
 * A running thread and its calls. They are separate for each thread, so that late messages cannot reach the next one.
 */
interface Running<M extends ThreadMessages> {
  worker: Worker;
  calls: Map<number, Pending<M>>;
  /** Resolves when the thread has closed what it uses, or has ended. */
  closed: PromiseWithResolvers<void>;
}

/**
 * A worker thread that answers calls, through `serveCalls` in its module. It starts with the first call. When it ends,
 * all its calls are rejected, and the next call starts another one.
 */
export class WorkerThread<M extends ThreadMessages> {
  readonly #module: string;
  readonly #options: ThreadOptions<M>;
  #running: Running<M> | undefined;
  #nextId = 0;

  /** @param module the path of the thread's module; see {@link siblingModule} */
  constructor(module: string, options: ThreadOptions<M>) {
    this.#module = module;
    this.#options = options;
  }

  /** Starts the thread now if it does not run. */
  start(): void {
    this.#running ??= this.#start();
  }

  /** @param onMessage called for each message about the call, before its result is known */
  call(request: M["request"], onMessage?: (message: M["fromCall"]) => void): ThreadCall<M> {
    this.#running ??= this.#start();
    const { worker, calls } = this.#running;
    const id = this.#nextId++;
    const post = (message: ToThread<M>) => worker.postMessage(message);
    // Before the call is registered: a request that cannot be cloned throws.
    post({ id, request });
    const result = new Promise<M["result"]>((resolve, reject) => calls.set(id, { resolve, reject, onMessage }));
    return { result, send: (message) => post({ id, message }), cancel: () => post({ id, cancel: true }) };
  }

  /** Sends a message without a call. Ignored if the thread does not run. */
  notify(notice: M["toThread"]): void {
    this.#running?.worker.postMessage({ notice } satisfies ToThread<M>);
  }

  /**
   * Lets the thread release its resources, then ends it.
   * @param limitMs time after which a thread that hangs is abandoned, for instance because of an unresponsive disk
   */
  async close(limitMs?: number): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.worker.postMessage({ close: true } satisfies ToThread<M>);
    const ended = running.closed.promise.then(() => running.worker.terminate());
    if (limitMs === undefined) await ended;
    else await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, limitMs).unref())]);
  }

  /** Ends the thread immediately; its calls are rejected. */
  async terminate(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.worker.terminate();
  }

  #start(): Running<M> {
    const { name, data, youngGenerationMiB, heapMiB, lowPriority, unref, onNotice, onEnd } = this.#options;
    const worker = new Worker(this.#module, {
      name,
      workerData: data,
      resourceLimits: {
        ...(youngGenerationMiB !== undefined && { maxYoungGenerationSizeMb: youngGenerationMiB }),
        ...(heapMiB !== undefined && { maxOldGenerationSizeMb: heapMiB }),
      },
    });
    const running: Running<M> = { worker, calls: new Map(), closed: Promise.withResolvers() };
    if (unref) worker.unref();
    if (lowPriority) worker.once("online", () => lowerThreadPriority([name]));
    worker.on("message", (message: FromThread<M>) => {
      if ("loaded" in message) isLoaded = true;
      else if ("notice" in message) onNotice?.(message.notice);
      else if ("closed" in message) running.closed.resolve();
      else receive(running.calls, message);
    });
    let cause = new Error(`The thread “${name}” has ended`);
    let isLoaded = false;
    let isFailed = false;
    worker.on("error", (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
      isFailed = (cause as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY";
    });
    worker.on("exit", () => {
      // Only now have all messages been received: an error can overtake them.
      if (isFailed && !isLoaded) {
        cause = new ThreadNotLoaded(name, this.#module, cause);
        // A broken installation stops every call, whoever handles its error.
        process.emitWarning(cause);
      }
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of running.calls.values()) reject(cause);
      running.calls.clear();
      running.closed.resolve();
      onEnd?.(cause);
    });
    return running;
  }
}

function receive<M extends ThreadMessages>(
  calls: Map<number, Pending<M>>,
  message: Extract<FromThread<M>, { id: number }>,
): void {
  const call = calls.get(message.id);
  if ("message" in message) {
    call?.onMessage?.(message.message);
    return;
  }
  calls.delete(message.id);
  if ("error" in message) call?.reject(message.error);
  else call?.resolve(message.result);
}

/**
 * The path of a module in the same folder as the calling one, from source or built.
 * @param here the caller's `import.meta.url`
 * @param name the file's name without its extension
 */
export function siblingModule(here: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(here)}`, here));
}

const NICE = 10;

/**
 * Lowers the priority of threads of this process, by their names, so that request handling and the database come first.
 * Supported on Linux only; has no effect on other systems.
 */
function lowerThreadPriority(names: readonly string[]): void {
  if (process.platform !== "linux") return;
  try {
    for (const id of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim();
      if (names.includes(name)) setPriority(Number(id), NICE);
    }
  } catch {
    // The thread has ended, or the system does not allow it. The priority then stays unchanged.
  }
}
