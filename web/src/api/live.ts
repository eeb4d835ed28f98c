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

/** A stream that says nothing for so long at its beginning does not get through. */
const SILENCE_MS = 5_000;

/** One that has not begun by then never will: its connection may be dead without anybody being told. */
const GIVEN_UP_MS = 30_000;

/** Whoever comes back after so long does not trust the stream any more: the machine may have slept. */
const SLEPT_MS = 20_000;

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

/** How often the service is asked where no stream gets through, and where one does. */
const POLL_MS = { polling: 2_000, live: 30_000 } as const;

/** A submission as it goes on. */
export interface LiveSubmission {
  submission: Submission | undefined;
  /** Its log as far as it is known, in order. */
  events: readonly SubmissionEvent[];
  /** `live` while the service tells of every change, `polling` while it has to be asked. */
  connection: Connection;
  trouble: QueryState | undefined;
}

/**
 * Follows a submission until it is over, also over breaks and sleep: by a stream, and by asking again and again where
 * streams do not get through. To be called in a component that is about one submission: `key={id}`.
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
  // Undefined until there is such a submission. A retry goes on with a new attempt, which is listened to anew.
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
 * Listens to a submission until it is over or the signal says so; a stream that breaks is taken up after its last event.
 * Only a page that is seen listens: without HTTP/2 a browser has six connections to a service, and one that many hidden
 * tabs had taken would not load another.
 *
 * @param after the last event that is known already
 */
async function keepListening(id: string, after: number, signal: AbortSignal, listener: Listener): Promise<void> {
  let last = after;
  let breaks = 0;
  for (;;) {
    await untilSeen(signal);
    if (signal.aborted) return;
    const ear = openEar(signal, listener);
    try {
      for await (const news of listen(api, id, { after: last, signal: ear.signal })) {
        ear.heard();
        breaks = 0;
        if ("id" in news) {
          last = news.id;
          listener.onEvent(news);
        } else {
          listener.onState(news);
          // The state can be ahead of the events that led to it.
          if (isOver(news.status)) return await tellRest(id, last, listener);
        }
      }
    } catch (error) {
      // Refused for good: whoever asks for the submission itself is told why.
      if (error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429) return;
    } finally {
      ear.close();
    }
    if (signal.aborted) return;
    listener.onConnection("polling");
    if (document.hidden) continue;
    await pauseOrWake(PAUSES_MS[Math.min(breaks++, PAUSES_MS.length - 1)] ?? 0, signal);
  }
}

/** Tells of the events that there are after one. */
async function tellRest(id: string, last: number, { onEvent }: Listener): Promise<void> {
  const params = { path: { id }, query: { after: last, limit: 10_000 } };
  for (const event of orThrow(await api.GET("/submission/{id}/events", { params }))) onEvent(event);
}

/** Watches one stream: whether it gets through, is seen by anybody, and can be trusted when somebody comes back. */
function openEar(signal: AbortSignal, { onConnection }: Listener) {
  const distrust = new AbortController();
  let heardAt = Date.now();
  const silence = setTimeout(() => onConnection("polling"), SILENCE_MS);
  const giveUp = setTimeout(() => distrust.abort(), GIVEN_UP_MS);
  const doubt = () => {
    if (document.hidden || Date.now() - heardAt > SLEPT_MS) distrust.abort();
  };
  const stopWaking = onWake(doubt);
  return {
    signal: AbortSignal.any([signal, distrust.signal]),
    heard() {
      heardAt = Date.now();
      clearTimeout(silence);
      clearTimeout(giveUp);
      onConnection("live");
    },
    close() {
      clearTimeout(silence);
      clearTimeout(giveUp);
      stopWaking();
    },
  };
}

/** Waits until the page is seen. */
function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      stopWaking();
      signal.removeEventListener("abort", look);
      resolve();
    };
    const stopWaking = onWake(look);
    signal.addEventListener("abort", look);
  });
}

/** Waits for so long, or until somebody comes back to the page or the network to the machine. */
function pauseOrWake(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopWaking();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const stopWaking = onWake(end);
    signal.addEventListener("abort", end);
  });
}

/** Calls back when the page is seen again, or the network is back. Gives what ends that. */
function onWake(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  window.addEventListener("online", listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    window.removeEventListener("online", listener);
  };
}
