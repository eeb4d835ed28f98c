import { serveCalls } from "./serve-calls.ts";
import { WorkerThread } from "./worker-thread.ts";

/** The messages between a `TaskThread` and its thread. */
interface TaskMessages<Task, Result> {
  request: Task;
  result: Result;
  toCall: never;
  /** The thread has loaded its code, and does the task now. */
  fromCall: "begun";
  toThread: never;
  fromThread: never;
}

/** Time limit for the start of the thread, which a busy machine needs time for. */
const START_TIMEOUT_MS = 60_000;

interface WaitingTask {
  /** Undefined if the caller no longer waits. */
  begin: (() => void) | undefined;
}

/** A task took longer than it may, or needed more memory. */
export class TaskTooLarge extends Error {
  override readonly name = "TaskTooLarge";
}

/**
 * A worker thread for tasks of strangers that can take long, one at a time. The owners take turns, so that many tasks of one owner do
 * not delay those of another for longer than one task. The thread starts with the first task. A thread that exceeds a limit is ended.
 */
export class TaskThread<Task, Result> {
  readonly #thread: WorkerThread<TaskMessages<Task, Result>>;
  readonly #limitMs: number;
  /** Waiting tasks by owner. The owner who is served next comes first. */
  readonly #waiting = new Map<string, WaitingTask[]>();
  #isBusy = false;

  /**
   * @param module the path of the thread's module, which calls {@link serveTasks}
   * @param options.limitMs time limit of a task, without the start of the thread
   * @param options.heapMiB memory limit of the thread
   */
  constructor(module: string, { name, limitMs, heapMiB }: { name: string; limitMs: number; heapMiB: number }) {
    this.#thread = new WorkerThread(module, { name, heapMiB, unref: true });
    this.#limitMs = limitMs;
  }

  /**
   * Does a task. When the signal is aborted, the caller no longer waits, and a task that has not begun is skipped.
   * @param owner the person or dataset for which it is done
   * @throws TaskTooLarge; what the thread throws; the signal's reason
   */
  async run(task: Task, owner: string, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const waiting: WaitingTask = { begin: undefined };
    const abort = () => {
      waiting.begin = undefined;
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([this.#turn(waiting, owner), aborted]);
      const running = this.#do(task).finally(() => this.#next());
      // The thread continues with a task whose caller is gone; its result is then not used.
      running.catch(() => undefined);
      return await Promise.race([running, aborted]);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Resolves when the thread has done a task, or cannot: then the next task says why. */
  async ready(task: Task): Promise<void> {
    await this.#do(task).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #turn(waiting: WaitingTask, owner: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.begin = resolve;
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), waiting]);
    if (!this.#isBusy) this.#next();
    return promise;
  }

  /** Begins the next task of the owner who is served next. */
  #next(): void {
    this.#isBusy = false;
    for (const [owner, tasks] of this.#waiting) {
      this.#waiting.delete(owner);
      const waiting = tasks.filter(({ begin }) => begin !== undefined);
      const first = waiting.shift();
      if (first?.begin === undefined) continue;
      // Owners with further tasks are last in the order of the map.
      if (waiting.length > 0) this.#waiting.set(owner, waiting);
      this.#isBusy = true;
      first.begin();
      return;
    }
  }

  async #do(task: Task): Promise<Result> {
    let isLate = false;
    const endAfter = (milliseconds: number) =>
      setTimeout(() => {
        isLate = true;
        void this.#thread.terminate();
      }, milliseconds);
    let late = endAfter(START_TIMEOUT_MS);
    const begun = () => {
      clearTimeout(late);
      late = endAfter(this.#limitMs);
    };
    try {
      return await this.#thread.call(task, begun).result;
    } catch (error) {
      const isOutOfMemory = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
      throw isLate || isOutOfMemory ? new TaskTooLarge("The task takes too long", { cause: error }) : error;
    } finally {
      clearTimeout(late);
    }
  }
}

/** Does the tasks of a `TaskThread`. To be called once, by the module that the thread runs. */
export function serveTasks<Task, Result>(perform: (task: Task) => Result): void {
  serveCalls<TaskMessages<Task, Result>>({
    call: async (task, call) => {
      call.send("begun");
      return perform(task);
    },
  });
}
