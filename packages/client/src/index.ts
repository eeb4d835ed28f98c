export { type CheckOptions, checkBucket } from "./check.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { type FollowOptions, follow, listen, type SubmissionState, waitFor } from "./follow.ts";
export { orThrow, ProblemError } from "./problem.ts";
export type { components, operations, paths, webhooks } from "./schema.ts";

import type { components } from "./schema.ts";

export type Submission = components["schemas"]["Submission"];
/** A submission in a list, with a summary of its metadata. */
export type SubmissionEntry = components["schemas"]["SubmissionEntry"];
/** A dataset in a list. */
export type DatasetEntry = components["schemas"]["DatasetEntry"];
export type SubmissionEvent = components["schemas"]["Event"];
export type Problem = components["schemas"]["Problem"];
/** What webhooks are sent, in the format `json` and as CloudEvents. */
export type Notice = components["schemas"]["Notice"];
export type CloudEvent = components["schemas"]["CloudEvent"];
