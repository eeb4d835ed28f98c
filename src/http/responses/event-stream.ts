import { setTimeout as sleep } from "node:timers/promises";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import { viewEvent, viewState } from "./views.ts";

/** Minimum time between two updates of a stream in milliseconds. */
const REST_MS = 250;
/** Maximum time until a change is detected without a notification, for example after a lost database connection. */
const LOOK_MS = 5_000;
/** Time without data after which a comment is sent, so that proxies do not close the stream. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Yields the events of a submission as server-sent events (WHATWG HTML, section 9.2): first the events after a number, then
 * new events until the signal. Status and progress are sent as events named `progress` whenever they change.
 */
export async function* eventStream(
  context: HttpContext,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  const changes = new Changes();
  const silence = context.notifications.listen("submission", (changed) => {
    if (changed === id) changes.note();
  });
  let last = after;
  let shown = "";
  let spokeAt = performance.now();
  try {
    while (!signal.aborted) {
      changes.forget();
      for (const event of await eventsAfter(context.db, id, last, 1_000)) {
        yield `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`;
        last = event.seq;
      }
      const row = await findSubmission(context.db, id);
      if (row === undefined) return;
      const now = JSON.stringify(viewState(row));
      const isSilent = performance.now() - spokeAt >= KEEP_ALIVE_MS;
      if (now !== shown) yield `event: progress\ndata: ${now}\n\n`;
      else if (isSilent) yield ": still here\n\n";
      if (now !== shown || isSilent) spokeAt = performance.now();
      shown = now;
      await sleep(REST_MS, undefined, { signal });
      await changes.next(LOOK_MS - REST_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    silence();
  }
}

/** Collects change notifications until they are processed. */
class Changes {
  #any = false;
  #tell: () => void = () => undefined;

  note(): void {
    this.#any = true;
    this.#tell();
  }

  forget(): void {
    this.#any = false;
  }

  /** Resolves at the next change, immediately if one was noted, or after the time. */
  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#any) return;
    const changed = new Promise<void>((resolve) => {
      this.#tell = resolve;
    });
    const over = new AbortController();
    const timer = sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    try {
      await Promise.race([changed, timer]);
    } finally {
      over.abort();
      timer.catch(() => undefined);
    }
  }
}
