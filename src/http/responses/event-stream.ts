import type { EventRow } from "../../db/submissions/events.ts";
import type { SubmissionState } from "../../db/submissions/list.ts";
import { viewEvent, viewState } from "./views.ts";
import type { WatchedSubmissions } from "./watched-submissions.ts";

/** Time without data after which a comment is sent, so that proxies do not close the stream. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Yields the events of a submission as server-sent events (WHATWG HTML, section 9.2): first the events after a number, then
 * new events until the signal. Status and progress are sent as events named `progress` whenever they change.
 */
export async function* eventStream(
  submissions: WatchedSubmissions,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  const states = new Newest<SubmissionState | undefined>();
  const unwatch = submissions.watch(id, (state) => states.put(state));
  let last = after;
  let shown = "";
  let spokeAt = performance.now();
  try {
    while (!signal.aborted) {
      const found = await states.take(KEEP_ALIVE_MS, signal);
      if (signal.aborted) return;
      if (found !== undefined) {
        const { value: state } = found;
        if (state === undefined) return;
        for await (const event of eventsUntil(state, submissions, last)) {
          yield `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`;
          last = event.seq;
        }
        const now = JSON.stringify(viewState(state));
        if (now !== shown) {
          yield `event: progress\ndata: ${now}\n\n`;
          spokeAt = performance.now();
        }
        shown = now;
      }
      if (performance.now() - spokeAt < KEEP_ALIVE_MS) continue;
      yield ": still here\n\n";
      spokeAt = performance.now();
    }
  } catch (error) {
    // A service that stops closes the database.
    if (!signal.aborted) throw error;
  } finally {
    unwatch();
  }
}

/** The events of a submission after a number, up to those that its state counts. */
async function* eventsUntil(
  { id, last_event }: SubmissionState,
  submissions: WatchedSubmissions,
  after: number,
): AsyncGenerator<EventRow> {
  for (let last = after; last < last_event; ) {
    const events = await submissions.eventsAfter(id, last);
    yield* events;
    last = events.at(-1)?.seq ?? last_event;
  }
}

/** Keeps the newest value until it is taken. */
class Newest<T> {
  #kept: { value: T } | undefined;
  #arrived: () => void = () => undefined;

  put(value: T): void {
    this.#kept = { value };
    this.#arrived();
  }

  /** Resolves with a value that was not taken yet; without one, undefined after the time or when the signal is aborted. */
  async take(milliseconds: number, signal: AbortSignal): Promise<{ value: T } | undefined> {
    if (this.#kept === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
      this.#arrived = end;
      await promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
    const kept = this.#kept;
    this.#kept = undefined;
    return kept;
  }
}
