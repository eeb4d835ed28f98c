import { setTimeout as sleep } from "node:timers/promises";
import { eventsAfter } from "../db/events.ts";
import { findSubmission } from "../db/submissions.ts";
import type { HttpContext } from "./context.ts";
import { viewEvent, viewSubmission } from "./views.ts";

const POLL_MS = 500;
/** Comments keep proxies from closing a stream on which nothing happens. */
const KEEP_ALIVE_POLLS = 30;

/** A stream goes on for days; a token may be revoked meanwhile. */
const ASK_POLLS = 10;

/**
 * A submission's events as server-sent events (WHATWG HTML, section 9.2), those after a number first and then live,
 * until the caller goes away. Between them the state and progress, whenever they changed, as events named `progress`.
 * Every five seconds it is asked whether the caller may still read on.
 */
export async function* liveEvents(
  context: HttpContext,
  id: string,
  after: number,
  signal: AbortSignal,
  mayGoOn: () => Promise<boolean>,
): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  let last = after;
  let shown = "";
  try {
    for (let polls = 1; !signal.aborted; polls++) {
      for (const event of await eventsAfter(context.db, id, last, 1_000)) {
        yield `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`;
        last = event.seq;
      }
      const row = await findSubmission(context.db, id);
      if (row === undefined) return;
      const { status, attempt, progress } = viewSubmission(row, context.basePath);
      const now = JSON.stringify({ status, attempt, progress });
      if (now !== shown) yield `event: progress\ndata: ${now}\n\n`;
      else if (polls % KEEP_ALIVE_POLLS === 0) yield ": still here\n\n";
      shown = now;
      if (polls % ASK_POLLS === 0 && !(await mayGoOn())) return;
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
