import type { Client } from "./client.ts";
import { timeLimit } from "./limits.ts";
import { orThrow } from "./problem.ts";
import { isRetryable, pause } from "./retry.ts";
import type { components } from "./schema.ts";
import { type ReadOptions, readMessages } from "./stream.ts";

type Submission = components["schemas"]["Submission"];
type SubmissionEvent = components["schemas"]["Event"];

/** Status and progress of a submission, as streams send them between events. */
export type SubmissionState = Pick<Submission, "status" | "attempt" | "progress">;

/** An event of a submission, a change of its state, or the error because of which the service cannot be reached. */
export type News = { event: SubmissionEvent } | { state: SubmissionState } | { away: unknown };

export interface FollowOptions {
  /** Only events with a larger number. */
  after?: number;
  /** Ends the watch. */
  signal?: AbortSignal;
}

/** Maximum interruption of a service that has responded before, for example for a restart. */
const AWAY_MS = 90_000;
/** The time limit until the first bytes of a stream. */
const BEGIN_MS = 8_000;
/** The service sends a comment at least every 15 s. */
const SILENCE_MS = 20_000;
/** Time limit of a request while polling. */
const POLL_MS = 12_000;
const PAUSE_MS = 1_000;
/** Number of events per request. */
const PAGE = 1_000;

/** The position of a watch. */
interface Seen {
  /** Number of the last event. */
  last: number;
  /** False after a stream without data, because a proxy buffers it. */
  streams: boolean;
}

/**
 * Watches a submission. Yields every event once and in order, and every change of its state. It reads a stream. If the
 * stream is interrupted, it requests the missed events and continues the stream after the last event. If streams do not
 * work, it polls every second. All events that led to a final or waiting state precede that state. The watch has no end, so
 * leave the loop.
 *
 * @throws ProblemError if the service rejects a request; the network error if it cannot be reached for 90 s; the signal's
 * reason
 */
export async function* watch(
  client: Client,
  id: string,
  { after = 0, signal = new AbortController().signal }: FollowOptions = {},
): AsyncGenerator<News, void> {
  const seen: Seen = { last: after, streams: true };
  let awaySince: number | undefined;
  for (;;) {
    try {
      if (seen.streams) yield* stream(client, id, seen, signal);
      yield* poll(client, id, seen, signal);
      awaySince = undefined;
    } catch (error) {
      signal.throwIfAborted();
      awaySince ??= Date.now();
      if (!isRetryable(error) || Date.now() - awaySince > AWAY_MS) throw error;
      yield { away: error };
    }
    await pause(PAUSE_MS, signal);
  }
}

/**
 * Reads one stream: events, and changes of the state between them. It ends with the connection, or if no data arrives for
 * 40 s. It does not reconnect.
 *
 * @throws as {@link watch}, but immediately
 */
export async function* listen(
  client: Client,
  id: string,
  { after = 0, signal = new AbortController().signal }: FollowOptions = {},
): AsyncGenerator<SubmissionEvent | SubmissionState, void> {
  const { body } = await open(client, id, after, signal);
  for await (const news of newsOf(body, signal)) yield "event" in news ? news.event : news.state;
}

/** Whether a submission has ended or waits. */
export function isSettled(status: Submission["status"]): boolean {
  return isOver(status) || status === "waiting";
}

/** Whether a submission has ended. Only a retry continues one that failed. */
export function isOver(status: Submission["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

async function* stream(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  const stop = new AbortController();
  const end = Date.now() + BEGIN_MS;
  const timer = setTimeout(() => stop.abort(), BEGIN_MS);
  let heard = false;
  try {
    const { body, isStream } = await open(client, id, seen.last, AbortSignal.any([signal, stop.signal]));
    clearTimeout(timer);
    if (!isStream) {
      seen.streams = false;
      return;
    }
    const onBytes = () => {
      heard = true;
    };
    const waits = { silenceMs: SILENCE_MS, beginMs: Math.max(0, end - Date.now()), onBytes };
    for await (const news of newsOf(body, signal, waits)) {
      if ("event" in news) yield* unseen([news.event], seen);
      else {
        // The state can be ahead of the events that led to it.
        if (isSettled(news.state.status)) yield* eventsSince(client, id, seen, signal);
        yield news;
      }
    }
  } catch (error) {
    // Not if the stream did not start in time.
    if (signal.aborted || !stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  seen.streams = heard;
}

async function* poll(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  const params = { path: { id } };
  const submission = orThrow(await client.GET("/submission/{id}", { params, signal: withLimit(signal) }));
  // Asked for afterwards, so that they include all that led to the state.
  yield* eventsSince(client, id, seen, signal);
  const { status, attempt, progress } = submission;
  yield { state: { status, attempt, progress } };
}

/** Requests all events after the last one. */
async function* eventsSince(client: Client, id: string, seen: Seen, signal: AbortSignal): AsyncGenerator<News> {
  for (;;) {
    const after = seen.last;
    const params = { path: { id }, query: { after, limit: PAGE } };
    const page = orThrow(await client.GET("/submission/{id}/events", { params, signal: withLimit(signal) }));
    yield* unseen(page, seen);
    if (page.length < PAGE || seen.last === after) return;
  }
}

function* unseen(events: readonly SubmissionEvent[], seen: Seen): Generator<News> {
  for (const event of events) {
    if (event.id <= seen.last) continue;
    seen.last = event.id;
    yield { event };
  }
}

/** The stream of a submission's log after an event. `isStream` is false when a proxy answers with something else. */
async function open(client: Client, id: string, last: number, signal: AbortSignal) {
  const answer = await client.GET("/submission/{id}/events", {
    params: { path: { id }, header: { "last-event-id": String(last) } },
    headers: { accept: "text/event-stream" },
    parseAs: "stream",
    signal,
  });
  const body = orThrow(answer) as ReadableStream<Uint8Array>;
  const isStream = answer.response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return { body, isStream };
}

/** Reads the content of a stream. An interrupted connection ends it without an error. */
async function* newsOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  options?: ReadOptions,
): AsyncGenerator<Exclude<News, { away: unknown }>, void> {
  try {
    for await (const { event, data } of readMessages(body, options)) {
      yield event === "progress" ? { state: JSON.parse(data) } : { event: JSON.parse(data) };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError) throw error;
  }
}

function withLimit(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, timeLimit(POLL_MS)]);
}
