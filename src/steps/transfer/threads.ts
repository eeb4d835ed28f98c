import { AsyncLocalStorage } from "node:async_hooks";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Code } from "../../domain/problems.ts";
import { lowerThreadPriority } from "../thread-priority.ts";
import {
  type FromThread,
  type TaskCallbacks,
  TaskFailed,
  type ThreadOptions,
  type ToThread,
  type TransferTask,
} from "./messages.ts";

/** With less, objects in flight outlive several collections, each of which copies them. */
const YOUNG_MIB = 24;
const CLOSE_MS = 3_000;

export const TRANSFER_THREADS = 2;
type RequestsFailed = (code: Code, times: number) => void;

/** What a thread has to tell that is about no task. */
interface Heard {
  /** An endpoint has asked this thread to slow down. */
  slowed: (by: Thread, endpoint: string) => void;
  requestsFailed: RequestsFailed;
}

interface Running {
  worker: Worker;
  record: TaskCallbacks["record"];
  watch: TaskCallbacks["watch"];
  allBegun: TaskCallbacks["allBegun"];
  hasBegun: boolean;
  /** Batches are recorded in their order. */
  recording: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Threads that read and store objects. Bytes never pass through the thread that answers requests: tasks go out, what
 * became of the objects comes back in batches.
 */
export class TransferThreads {
  readonly #threads: Thread[];

  /** @param requestsFailed told how many requests to sources have failed, by code; those that are tried again, too */
  constructor(options: ThreadOptions, requestsFailed: RequestsFailed) {
    const slowed = (by: Thread, endpoint: string) => {
      for (const thread of this.#threads) if (thread !== by) thread.slowDown(endpoint);
    };
    const heard = { slowed, requestsFailed };
    this.#threads = Array.from({ length: TRANSFER_THREADS }, () => new Thread(options, heard));
  }

  /** Starts the threads before there is anything to do: what a worker takes over from another has waited already. */
  start(): void {
    for (const thread of this.#threads) thread.start();
  }

  /**
   * Runs a task on the thread that has least to do.
   * @throws TaskFailed; what `record` threw; the signal's reason
   */
  async run(task: TransferTask, own: TaskCallbacks, signal: AbortSignal): Promise<void> {
    const thread = this.#threads.reduce((least, one) => (one.load < least.load ? one : least));
    await thread.run(task, own, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

class Thread {
  readonly #options: ThreadOptions;
  readonly #heard: Heard;
  readonly #tasks = new Map<number, Running>();
  #worker: Worker | undefined;
  #next = 0;
  #closed: (() => void) | undefined;

  constructor(options: ThreadOptions, heard: Heard) {
    this.#options = options;
    this.#heard = heard;
  }

  /** How many tasks it has, counting half those of which nothing waits any more. */
  get load(): number {
    return [...this.#tasks.values()].reduce((sum, { hasBegun }) => sum + (hasBegun ? 0.5 : 1), 0);
  }

  /** Does nothing where it runs. */
  start(): Worker {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  async run(task: TransferTask, own: TaskCallbacks, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { watch, allBegun } = own;
    // What comes from the thread comes in nobody’s name, or in that of the task that started it.
    const record = AsyncLocalStorage.bind(own.record);
    const worker = this.start();
    const id = this.#next++;
    const onAbort = () => this.#say({ what: "stop", id });
    signal.addEventListener("abort", onAbort, { once: true });
    // A folder needs none: who comes late finds its paths leading nowhere.
    if (task.receiving.kind === "s3") watch.whenConfirmed((at) => this.#say({ what: "confirmed", id, at }));
    try {
      await new Promise<void>((resolve, reject) => {
        const recording = Promise.resolve();
        this.#tasks.set(id, { worker, record, watch, allBegun, hasBegun: false, recording, resolve, reject });
        this.#say({ what: "run", id, task });
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  slowDown(endpoint: string): void {
    this.#say({ what: "slowDown", endpoint });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    this.#say({ what: "close" });
    // One that hangs on a disk that does not answer is left behind.
    const patience = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([closed.then(() => worker.terminate()), patience]);
  }

  #say(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #start(): Worker {
    const module = fileURLToPath(new URL(`./thread${extname(import.meta.url)}`, import.meta.url));
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    const worker = new Worker(module, { workerData: this.#options, name: "transfer", resourceLimits });
    // Threads that it starts itself, for hashing, inherit that.
    worker.once("online", () => lowerThreadPriority(["transfer"]));
    worker.on("message", (message: FromThread) => this.#hear(message));
    // A thread that dies takes its tasks along; the next task starts another one.
    const died = (error: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#closed?.();
      for (const [id, task] of this.#tasks) {
        if (task.worker !== worker) continue;
        // What is being recorded is recorded before the task is tried again.
        const reject = () => this.#settle(id, () => task.reject(error));
        task.recording.then(reject, reject);
      }
    };
    worker.on("error", died);
    worker.on("exit", () => died(new Error("The transfer thread has ended")));
    return worker;
  }

  #hear(message: FromThread): void {
    if (message.what === "closed") {
      this.#closed?.();
      return;
    }
    if (message.what === "slowed") {
      this.#heard.slowed(this, message.endpoint);
      return;
    }
    if (message.what === "requestsFailed") {
      for (const [code, times] of message.codes) this.#heard.requestsFailed(code, times);
      return;
    }
    const task = this.#tasks.get(message.id);
    const { id } = message;
    if (task === undefined) {
      // Nobody wants it any more: it must not wait for an answer.
      this.#say({ what: "stop", id });
      this.#say({ what: "recorded", id });
      return;
    }
    if (message.what === "allBegun") {
      task.hasBegun = true;
      task.allBegun();
      return;
    }
    if (message.what === "flow") {
      task.watch.flows(message.flow);
      return;
    }
    if (message.what === "outcomes") {
      task.recording = task.recording
        .then(() => task.record(message.outcomes))
        .then(
          () => this.#say({ what: "recorded", id }),
          (error: unknown) => {
            // What was not recorded is read again: there is no use in reading on.
            this.#say({ what: "stop", id });
            this.#say({ what: "recorded", id });
            throw error;
          },
        );
      // Whoever waits for the end of the task is told.
      task.recording.catch(() => undefined);
      return;
    }
    const outcome = message.what === "done" ? undefined : new TaskFailed(message.failure);
    task.recording.then(
      () => this.#settle(id, () => (outcome === undefined ? task.resolve() : task.reject(outcome))),
      (error: unknown) => this.#settle(id, () => task.reject(error)),
    );
  }

  #settle(id: number, finish: () => void): void {
    this.#tasks.delete(id);
    finish();
  }
}
