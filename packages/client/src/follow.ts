import type { Client } from "./client.ts";
import { orThrow } from "./problem.ts";
import { pause, retryWhileUnavailable } from "./retry.ts";
import type { components } from "./schema.ts";
import { type FollowOptions, isOver, watch } from "./watch.ts";

type Submission = components["schemas"]["Submission"];
type SubmissionEvent = components["schemas"]["Event"];

const LOOK_MS = 1_000;

/**
 * Resolves when a submission has ended (`completed`, `failed`, `cancelled`) or waits. Interruptions of the service of less
 * than 90 s are tolerated.
 *
 * @throws ProblemError if the service rejects a request; the network error if it cannot be reached; the signal's reason
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
 * Yields every event of a submission once and in order until the submission has ended. An interrupted stream is continued
 * after the last event.
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
