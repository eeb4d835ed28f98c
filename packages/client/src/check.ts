import type { Client } from "./client.ts";
import { orThrow } from "./problem.ts";
import type { components } from "./schema.ts";
import { readMessages } from "./stream.ts";

type Report = components["schemas"]["Report"];

export interface CheckOptions {
  /** Called with each step when it ends, and again if a step is updated later. */
  onStep?: (step: components["schemas"]["ReportStep"]) => void;
  /** Cancels the check. */
  signal?: AbortSignal;
}

/**
 * Checks step by step whether the service can read a bucket, and reports each step during the check. The result is a report
 * even if the bucket cannot be reached; `ok` tells whether the check succeeded.
 *
 * @throws ProblemError if the service rejects the request; the network error if it cannot be reached; the signal's reason
 */
export async function checkBucket(
  client: Client,
  body: components["schemas"]["CheckRequest"],
  { onStep, signal }: CheckOptions = {},
): Promise<Report> {
  const answer = await client.POST("/submission/upload/s3check/report", {
    body,
    headers: { accept: "text/event-stream" },
    parseAs: "stream",
    signal: signal ?? null,
  });
  for await (const { event, data } of readMessages(orThrow(answer) as ReadableStream<Uint8Array>)) {
    if (event === "report") return JSON.parse(data);
    onStep?.(JSON.parse(data));
  }
  throw new TypeError("The connection ended before the check was complete");
}
