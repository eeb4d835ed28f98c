import { AsyncLocalStorage } from "node:async_hooks";
import type { Code } from "../../domain/problems.ts";
import { siblingModule, WorkerThread } from "../../platform/threads/worker-thread.ts";
import {
  type TaskCallbacks,
  TaskFailed,
  type TransferMessages,
  type TransferTask,
  type TransferThreadData,
} from "./messages.ts";

/** With less, objects in transfer survive several garbage collections, each of which copies them. */
const YOUNG_GENERATION_MIB = 24;
const CLOSE_TIMEOUT_MS = 3_000;

export const TRANSFER_THREADS = 2;

/**
 * Threads that read and store objects. Object content never passes through the thread that answers requests: it sends
 * tasks, and receives outcomes in batches.
 */
export class TransferThreads {
  readonly #threads: TransferThread[];

  /** @param requestsFailed called with the number of failed requests to sources, by code, including requests that are retried */
  constructor(data: TransferThreadData, requestsFailed: (code: Code, times: number) => void) {
    this.#threads = Array.from({ length: TRANSFER_THREADS }, () => {
      const thread: TransferThread = new TransferThread(data, (notice) => {
        if ("slowed" in notice) {
          for (const other of this.#threads) if (other !== thread) other.slowDown(notice.slowed);
        } else for (const [code, times] of notice.requestsFailed) requestsFailed(code, times);
      });
      return thread;
    });
  }

  /**
   * Starts a thread before the first task, because work taken over from another worker has already waited. The others start
   * with the first task that is concurrent.
   */
  start(): void {
    this.#threads[0]?.start();
  }

  /**
   * Runs a task on the thread with the lowest load.
   * @throws TaskFailed; errors of `record`; the signal's reason
   */
  async run(task: TransferTask, own: TaskCallbacks, signal: AbortSignal): Promise<void> {
    const thread = this.#threads.reduce((least, one) => (one.load < least.load ? one : least));
    await thread.run(task, own, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

class TransferThread {
  readonly #thread: WorkerThread<TransferMessages>;
  readonly #tasks = new Set<{ hasBegun: boolean }>();

  constructor(data: TransferThreadData, onNotice: (notice: TransferMessages["fromThread"]) => void) {
    this.#thread = new WorkerThread<TransferMessages>(siblingModule(import.meta.url, "transfer-thread"), {
      name: "transfer",
      data,
      youngGenerationMiB: YOUNG_GENERATION_MIB,
      lowPriority: true,
      onNotice,
    });
  }

  /** Number of tasks. A task whose objects have all begun counts half. */
  get load(): number {
    return [...this.#tasks].reduce((sum, { hasBegun }) => sum + (hasBegun ? 0.5 : 1), 0);
  }

  start(): void {
    this.#thread.start();
  }

  async run(task: TransferTask, { record, watch, allBegun }: TaskCallbacks, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Traces need the asynchronous context in which the task began, but messages arrive outside of it.
    const recordInContext = AsyncLocalStorage.bind(record);
    const running = { hasBegun: false };
    let recording = Promise.resolve();
    const call = this.#thread.call(task, (message) => {
      if (message === "allBegun") {
        running.hasBegun = true;
        allBegun();
      } else if ("flow" in message) watch.flows(message.flow);
      else {
        // Batches are recorded in order. After a failed record the rest of the task is not read, because it would be read again.
        recording = recording.then(() => recordInContext(message.outcomes));
        recording.catch(() => call.cancel()).finally(() => call.send("recorded"));
      }
    });
    const cancel = () => call.cancel();
    this.#tasks.add(running);
    signal.addEventListener("abort", cancel, { once: true });
    if (task.writerOptions.needsConfirmation) watch.whenConfirmed((confirmed) => call.send({ confirmed }));
    try {
      // All outcomes are recorded before the task can be retried, also if the thread has ended.
      const failure = await call.result.finally(() => recording.catch(() => undefined));
      await recording;
      if (failure !== undefined) throw new TaskFailed(failure);
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#tasks.delete(running);
    }
  }

  slowDown(endpoint: string): void {
    this.#thread.notify({ slowDown: endpoint });
  }

  async close(): Promise<void> {
    await this.#thread.close(CLOSE_TIMEOUT_MS);
  }
}
