import type { Client } from "./client.ts";
import { orThrow } from "./problem.ts";
import type { components } from "./schema.ts";
import { readMessages } from "./stream.ts";

type Report = components["schemas"]["Report"];

export interface CheckOptions {
  /** Called with each step as soon as it is known; again with the same one if more becomes known of it. */
  onStep?: (step: components["schemas"]["ReportStep"]) => void;
  /** Ends it. */
  signal?: AbortSignal;
}

/**
 * Tests step by step whether a bucket can be reached, and tells of each step while the next is being tried. A bucket that
 * cannot be reached is a report, too: look at `ok`.
 *
 * @throws ProblemError for what the service refuses; what keeps it from being reached; the signal's reason
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
  throw new TypeError("The connection ended before the check did");
}
