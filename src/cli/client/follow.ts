import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../terminal/failure.ts";
import { submissionPath } from "../verb.ts";
import type { EventView, State, Status, Submission } from "./api.ts";
import { after, type Client } from "./client.ts";
import { readMessages } from "./sse.ts";

/** What is heard of a submission: its events, its state whenever that changed, and that nothing is heard at present. */
export type News = { event: EventView } | { state: State } | { silent: string };

/** The service says at least every 15 s that it is still there, and at once where the submission is. */
const SILENCE_MS = 20_000;
/** So a service that never answers is given up after 20 s: one try to open the stream, and one to ask for the events. */
const BEGIN_MS = 8_000;
const POLL_MS = 12_000;
const PAUSE_MS = 1_000;
/** Events that are asked for at a time. */
const PAGE = 1_000;
/** So long a service that answered once may be away, for instance for a restart. */
const AWAY_MS = 90_000;

/**
 * Follows a submission: every event once, from the first on, and every change of its state. When the stream breaks it
 * is asked for by polling, and then connected again where it broke. Ends by `signal`.
 *
 * @throws Failure 3 when the service does not answer at all or stays away, Failure 1 for what it refuses
 */
export async function* follow(client: Client, id: string, signal: AbortSignal): AsyncGenerator<News> {
  const seen = { last: 0, streams: true };
  let answered = false;
  let awaySince: number | undefined;
  for (;;) {
    try {
      for await (const news of seen.streams ? stream(client, id, seen, signal) : poll(client, id, seen, signal)) {
        answered = true;
        yield news;
      }
      for await (const news of poll(client, id, seen, signal)) yield news;
      awaySince = undefined;
    } catch (error) {
      signal.throwIfAborted();
      const gone = !(error instanceof Failure) || error.exitCode === 3;
      awaySince ??= Date.now();
      if (!gone || !answered || Date.now() - awaySince > AWAY_MS) throw error;
      yield { silent: "the service does not answer at present" };
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Nothing more happens by itself, or only when somebody or something else acts. */
export function isSettled(status: Status): boolean {
  return status === "completed" || status === "failed" || status === "cancelled" || status === "waiting";
}

interface Seen {
  /** Number of the last event. */
  last: number;
  /** False once a stream brought nothing: something in between holds it back. */
  streams: boolean;
}

async function* stream(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  const stop = new AbortController();
  let watchdog = setTimeout(() => stop.abort(), BEGIN_MS);
  let heard = false;
  try {
    const response = await client.stream(
      submissionPath(id, "/events"),
      { accept: "text/event-stream", ...(seen.last > 0 && { "last-event-id": String(seen.last) }) },
      AbortSignal.any([signal, stop.signal]),
    );
    if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
      seen.streams = false;
      return;
    }
    const alive = async function* (body: AsyncIterable<Uint8Array>) {
      for await (const bytes of body) {
        heard = true;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => stop.abort(), SILENCE_MS);
        yield bytes;
      }
    };
    for await (const { event, data } of readMessages(alive(response.body))) {
      if (event !== "progress") yield* heardOf(JSON.parse(data) as EventView, seen);
      else {
        const state = JSON.parse(data) as State;
        // The state can be ahead of the events that led to it.
        if (isSettled(state.status)) yield* eventsSince(client, id, seen, signal);
        yield { state };
      }
    }
  } catch (error) {
    // A broken stream is no failure: polling tells whether the service is there.
    if (signal.aborted || error instanceof Failure) throw error;
    seen.streams = heard;
  } finally {
    clearTimeout(watchdog);
    stop.abort();
  }
}

async function* poll(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  yield* eventsSince(client, id, seen, signal);
  const { status, attempt, progress } = await client.get<Submission>(submissionPath(id), {}, deadline(signal));
  yield { state: { status, attempt, progress } };
}

async function* eventsSince(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  for (;;) {
    const query = { after: seen.last, limit: PAGE };
    const events = await client.get<EventView[]>(submissionPath(id, "/events"), query, deadline(signal));
    for (const event of events) yield* heardOf(event, seen);
    if (events.length < PAGE || seen.last === query.after) return;
  }
}

function* heardOf(event: EventView, seen: Seen): Generator<News> {
  if (event.id <= seen.last) return;
  seen.last = event.id;
  yield { event };
}

function deadline(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, after(POLL_MS)]);
}
