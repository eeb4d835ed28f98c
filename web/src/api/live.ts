import type { Submission, SubmissionEvent } from "@accession/client";
import { isOver, listen, orThrow, ProblemError, type SubmissionState } from "@accession/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "./client.ts";
import { queries, refetchUntilHealthy } from "./queries.ts";
import { type QueryState, useQueryState } from "./service.ts";
import { submissionQuery } from "./submissions.ts";

export type Connection = "live" | "polling";

interface Listener {
  onConnection(connection: Connection): void;
  onEvent(event: SubmissionEvent): void;
  onState(state: SubmissionState): void;
}

/** The time without a first event after which the page polls in addition to the stream. */
const SILENCE_MS = 5_000;

/** The time without a first event after which the page gives up a stream; its connection may be dead. */
const GIVEN_UP_MS = 30_000;

/** The time after which a page that becomes visible again reconnects, because the machine may have slept. */
const SLEPT_MS = 20_000;

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

/** The polling interval without and with a working stream. */
const POLL_MS = { polling: 2_000, live: 30_000 } as const;

/** The current state of a submission. */
interface LiveSubmission {
  submission: Submission | undefined;
  /** The known events of its log, in order. */
  events: readonly SubmissionEvent[];
  /** `live` while a stream reports each change, `polling` otherwise. */
  connection: Connection;
  trouble: QueryState | undefined;
}

/**
 * Follows a submission until it is over, also after interruptions: by an event stream, and by polling if streams do not
 * get through. The calling component must have `key={id}`.
 */
export function useLiveSubmission(id: string): LiveSubmission {
  const [connection, setConnection] = useState<Connection>("polling");
  const [events, setEvents] = useState<readonly SubmissionEvent[]>([]);
  const query = useQuery({
    ...submissionQuery(id),
    refetchInterval: refetchUntilHealthy<Submission>((known) =>
      known === undefined || isOver(known.status) ? false : POLL_MS[connection],
    ),
  });
  const submission = query.data;
  const last = useRef(0);
  // Undefined until the submission is known. A retry starts a new attempt, which needs a new stream.
  const attempt = submission?.attempt;
  useEffect(() => {
    if (attempt === undefined) return;
    const leaving = new AbortController();
    void keepListening(id, last.current, leaving.signal, {
      onConnection: setConnection,
      onEvent: (event) => {
        last.current = event.id;
        setEvents((known) => [...known, event]);
      },
      onState: (state) => {
        const { queryKey } = submissionQuery(id);
        const known = queries.getQueryData(queryKey);
        if (known === undefined) return;
        // What a new status brings along (why it waits, what it became) only the whole says.
        if (known.status !== state.status || known.attempt !== state.attempt) {
          void queries.invalidateQueries({ queryKey });
        }
        queries.setQueryData(queryKey, { ...known, ...state });
      },
    });
    return () => leaving.abort();
  }, [id, attempt]);
  return { submission, events, connection, trouble: useQueryState(query) };
}

/**
 * Listens to a submission until it is over or aborted. Resumes an interrupted stream after its last event. Only visible
 * pages listen: without HTTP/2, a browser has six connections to a service, and hidden tabs must not occupy them.
 *
 * @param after the last event that is known already
 */
async function keepListening(id: string, after: number, signal: AbortSignal, listener: Listener): Promise<void> {
  let last = after;
  let interruptions = 0;
  for (;;) {
    await untilSeen(signal);
    if (signal.aborted) return;
    const stream = watchStream(signal, listener);
    try {
      for await (const message of listen(api, id, { after: last, signal: stream.signal })) {
        stream.noteMessage();
        interruptions = 0;
        if ("id" in message) {
          last = message.id;
          listener.onEvent(message);
        } else {
          listener.onState(message);
          // The state can be ahead of the events that led to it.
          if (isOver(message.status)) return await reportRemainingEvents(id, last, listener);
        }
      }
    } catch (error) {
      // Rejected permanently: the request for the submission itself reports the reason.
      if (error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429) return;
    } finally {
      stream.close();
    }
    if (signal.aborted) return;
    listener.onConnection("polling");
    if (document.hidden) continue;
    await untilWake(signal, PAUSES_MS[Math.min(interruptions++, PAUSES_MS.length - 1)]);
  }
}

/** Reports the events after a given one. */
async function reportRemainingEvents(id: string, last: number, { onEvent }: Listener): Promise<void> {
  const params = { path: { id }, query: { after: last, limit: 10_000 } };
  for (const event of orThrow(await api.GET("/submission/{id}/events", { params }))) onEvent(event);
}

/** Watches one stream: whether it gets through, and whether it is still reliable when the page becomes visible again. */
function watchStream(signal: AbortSignal, { onConnection }: Listener) {
  const giveUp = new AbortController();
  const closed = new AbortController();
  let lastMessageAt = Date.now();
  const timers = [setTimeout(() => onConnection("polling"), SILENCE_MS), setTimeout(() => giveUp.abort(), GIVEN_UP_MS)];
  const stopTimers = () => {
    for (const timer of timers) clearTimeout(timer);
  };
  const giveUpIfOld = () => {
    if (document.hidden || Date.now() - lastMessageAt > SLEPT_MS) giveUp.abort();
  };
  onWake(giveUpIfOld, closed.signal);
  return {
    signal: AbortSignal.any([signal, giveUp.signal]),
    noteMessage() {
      lastMessageAt = Date.now();
      stopTimers();
      onConnection("live");
    },
    close() {
      stopTimers();
      closed.abort();
    },
  };
}

/** Waits until the page is seen. */
async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) await untilWake(signal);
}

/** Waits until the page becomes visible or hidden, the network is back, or the signal aborts; at most for a time. */
function untilWake(signal: AbortSignal, atMostMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const end = () => {
      clearTimeout(timer);
      waiting.abort();
      resolve();
    };
    const timer = atMostMs === undefined ? undefined : setTimeout(end, atMostMs);
    onWake(end, waiting.signal);
    signal.addEventListener("abort", end, { signal: waiting.signal });
  });
}

/** Calls back when the page becomes visible or hidden, or the network is back, until the signal aborts. */
function onWake(listener: () => void, signal: AbortSignal): void {
  document.addEventListener("visibilitychange", listener, { signal });
  window.addEventListener("online", listener, { signal });
}
