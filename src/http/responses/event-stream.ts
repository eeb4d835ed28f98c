import { setTimeout as sleep } from "node:timers/promises";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import { viewEvent, viewState } from "./views.ts";

/** However often a submission changes, its stream is told no more often than so. */
const REST_MS = 250;
/** A change that nobody told of, because the way to the database was broken, is seen after so long. */
const LOOK_MS = 5_000;
/** Comments keep proxies from closing a stream on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;

/**
 * A submission's events as server-sent events (WHATWG HTML, section 9.2), those after a number first and then live,
 * until the signal. Between them the state and progress, whenever they changed, as events named `progress`.
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

/** Whether anything has changed since it was last forgotten. */
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

  /** Resolves at the next change, at once if there was one, or when time is up. */
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
