export { type Client, type ClientOptions, createClient } from "./client.ts";
export { type FollowOptions, follow, listen, type SubmissionState, waitFor } from "./follow.ts";
export { orThrow, ProblemError } from "./problem.ts";
export type { components, operations, paths } from "./schema.ts";

import type { components } from "./schema.ts";

export type Submission = components["schemas"]["Submission"];
export type SubmissionEvent = components["schemas"]["Event"];
export type Problem = components["schemas"]["Problem"];
