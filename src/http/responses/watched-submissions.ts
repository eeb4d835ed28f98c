import type { Queries } from "../../db/database.ts";
import { SharedReads } from "../../db/shared-reads.ts";
import { type EventRow, eventsAfter } from "../../db/submissions/events.ts";
import { type SubmissionState, submissionStates } from "../../db/submissions/list.ts";
import { listenAndPoll, type Notifications } from "../../platform/database/notifications.ts";

/** Number of events read at once; an event can be larger than 100 kB. */
const AT_ONCE = 100;
/** Minimum time between two reads in milliseconds. */
const REST_MS = 250;
/** Maximum time until a change is noticed without a notification, for example after a lost database connection. */
const LOOK_MS = 5_000;

/** Receives the state of a submission; undefined if the submission does not exist any more. */
type Watcher = (state: SubmissionState | undefined) => void;

/**
 * The states of the submissions that event streams of this process follow. One query reads all that have changed, at most four
 * times a second, and all of them every five seconds: the number of queries does not depend on the number of streams.
 */
export class WatchedSubmissions {
  readonly #db: Queries;
  readonly #events: SharedReads<EventRow[]>;
  readonly #notifications: Pick<Notifications, "listen">;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Ids to be read. */
  readonly #due = new Set<string>();
  readonly #whenFailed: (error: unknown) => void;
  /** Ends the reads; undefined while no stream is open. */
  #stop: (() => void) | undefined;
  #isReading = false;

  /** @param whenFailed called when a read fails; the next one follows within five seconds */
  constructor(db: Queries, notifications: Pick<Notifications, "listen">, whenFailed: (error: unknown) => void) {
    this.#db = db;
    this.#events = new SharedReads(db);
    this.#notifications = notifications;
    this.#whenFailed = whenFailed;
  }

  /** Calls the watcher soon with the present state, and then whenever it may have changed. Returns a function that ends it. */
  watch(id: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    this.#stop ??= listenAndPoll(this.#notifications, "submission", {
      heard: (changed) => this.#note([changed]),
      poll: () => this.#note(this.#watchers.keys()),
      everyMs: LOOK_MS,
    });
    this.#note([id]);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
      if (this.#watchers.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  /** Some events after a number, in order; none if there are no more. Streams that ask at the same time share the read. */
  eventsAfter(id: string, after: number): Promise<EventRow[]> {
    return this.#events.read(`${id} ${after}`, (db) => eventsAfter(db, id, after, AT_ONCE));
  }

  #note(ids: Iterable<string>): void {
    for (const id of ids) if (this.#watchers.has(id)) this.#due.add(id);
    if (this.#due.size > 0 && !this.#isReading) void this.#read();
  }

  /** Reads what is due, and after the minimum time what has become due meanwhile. */
  async #read(): Promise<void> {
    this.#isReading = true;
    const ids = [...this.#due];
    this.#due.clear();
    try {
      const states = new Map((await submissionStates(this.#db, ids)).map((state) => [state.id, state]));
      for (const id of ids) for (const watcher of this.#watchers.get(id) ?? []) watcher(states.get(id));
    } catch (error) {
      this.#whenFailed(error);
    }
    setTimeout(() => {
      this.#isReading = false;
      this.#note([]);
    }, REST_MS).unref();
  }
}
