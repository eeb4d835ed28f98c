import type { Client } from "./client.ts";
import { orThrow } from "./problem.ts";
import { pause, retryWhileUnavailable } from "./retry.ts";
import type { components } from "./schema.ts";
import { type FollowOptions, isOver, watch } from "./watch.ts";

type Submission = components["schemas"]["Submission"];
type SubmissionEvent = components["schemas"]["Event"];

const LOOK_MS = 1_000;

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
    const submission = await retryWhileUnavailable(look, signal);
    if (isOver(submission.status) || submission.waiting?.fault === "submitter") return submission;
    await pause(LOOK_MS, signal);
  }
}

/**
 * The log of a submission as it grows, every event once and in order, until the submission is over. A stream that
 * breaks is continued after the last event.
 *
 * @throws as {@link waitFor}
 */
export async function* follow(
  client: Client,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<SubmissionEvent, void> {
  for await (const news of watch(client, id, options)) {
    if ("event" in news) yield news.event;
    else if ("state" in news && isOver(news.state.status)) return;
  }
}
