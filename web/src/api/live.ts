import type { Submission, SubmissionEvent } from "@accession/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Connection, keepListening } from "./listening.ts";
import { queries, untilWell } from "./queries.ts";
import { type Standing, useStanding } from "./standing.ts";
import { isOver, submissionQuery } from "./submissions.ts";

/** How often the service is asked where no stream gets through, and where one does. */
const POLL_MS = { polling: 2_000, live: 30_000 } as const;

/** A submission as it goes on. */
export interface LiveSubmission {
  submission: Submission | undefined;
  /** Its log as far as it is known, in order. */
  events: readonly SubmissionEvent[];
  /** `live` while the service tells of every change, `polling` while it has to be asked. */
  connection: Connection;
  trouble: Standing | undefined;
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
    refetchInterval: untilWell<Submission>((known) =>
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
  return { submission, events, connection, trouble: useStanding(query) };
}
