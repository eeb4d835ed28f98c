import type { Client } from "./client.ts";
import { pause, persist } from "./patience.ts";
import { orThrow } from "./problem.ts";
import type { components } from "./schema.ts";
import { readMessages } from "./stream.ts";

type Submission = components["schemas"]["Submission"];
type SubmissionEvent = components["schemas"]["Event"];

/** Where a submission stands, as streams tell it between events. */
export type SubmissionState = Pick<Submission, "status" | "attempt" | "progress">;

export interface FollowOptions {
  /** Only events after this number. */
  after?: number;
  /** Ends it. */
  signal?: AbortSignal;
}

const LOOK_MS = 1_000;
/** Events that are asked for at a time. */
const PAGE = 1_000;

/**
 * Resolves when a submission is over (`completed`, `failed`, `cancelled`), or waits for its submitter to do something.
 * A service that is away for less than 90 s is waited for.
 *
 * @throws ProblemError for what the service refuses; what keeps it from being reached; the signal's reason
 */
export async function waitFor(client: Client, id: string, { signal }: FollowOptions = {}): Promise<Submission> {
  const look = async () =>
    orThrow(await client.GET("/submission/{id}", { params: { path: { id } }, signal: signal ?? null }));
  for (;;) {
    const submission = await persist(look, signal);
    if (isOver(submission.status) || submission.waiting?.fault === "submitter") return submission;
    await pause(LOOK_MS, signal);
  }
}

/**
 * The log of a submission as it grows, every event once and in order, until the submission is over. A stream that
 * breaks is taken up after the last event.
 *
 * @throws as {@link waitFor}
 */
export async function* follow(
  client: Client,
  id: string,
  { after = 0, signal }: FollowOptions = {},
): AsyncGenerator<SubmissionEvent, void> {
  let last = after;
  for (;;) {
    const stream = await persist(() => open(client, id, last, signal), signal);
    for await (const news of untilItBreaks(stream, signal)) {
      if (!("id" in news)) {
        // The state can be ahead of the events that led to it.
        if (isOver(news.status)) return yield* eventsAfter(client, id, last, signal);
      } else {
        last = news.id;
        yield news;
      }
    }
    await pause(LOOK_MS, signal);
  }
}

/**
 * What one stream tells: events, and between them the state whenever it changed. It ends when the connection does, or
 * when nothing was heard for 40 s; whoever wants more takes it up after the last event.
 *
 * @throws as {@link waitFor}, but waits for nothing
 */
export async function* listen(
  client: Client,
  id: string,
  { after = 0, signal }: FollowOptions = {},
): AsyncGenerator<SubmissionEvent | SubmissionState, void> {
  yield* untilItBreaks(await open(client, id, after, signal), signal);
}

/** The stream of a submission's log from an event on. */
async function open(client: Client, id: string, last: number, signal: AbortSignal | undefined) {
  const answer = await client.GET("/submission/{id}/events", {
    params: { path: { id }, header: { "last-event-id": String(last) } },
    headers: { accept: "text/event-stream" },
    parseAs: "stream",
    signal: signal ?? null,
  });
  return orThrow(answer) as ReadableStream<Uint8Array>;
}

/** All that the log holds after an event. */
async function* eventsAfter(
  client: Client,
  id: string,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<SubmissionEvent, void> {
  const read = async (last: number) => {
    const params = { path: { id }, query: { after: last, limit: PAGE } };
    return orThrow(await client.GET("/submission/{id}/events", { params, signal: signal ?? null }));
  };
  for (let last = after; ; ) {
    const page = await persist(() => read(last), signal);
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) return;
  }
}

/** Events, and between them the state. That the connection breaks is an end, and no failure. */
async function* untilItBreaks(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SubmissionEvent | SubmissionState, void> {
  try {
    for await (const { data } of readMessages(stream)) yield JSON.parse(data);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) throw error;
  }
}

function isOver(status: Submission["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
