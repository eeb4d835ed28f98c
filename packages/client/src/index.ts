export { type CheckOptions, checkBucket } from "./check.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { type CopyLayout, isPathInside, isTagFileOfBag, layoutOf, pathInCopy } from "./copy.ts";
export { follow, waitFor } from "./follow.ts";
export { AnswerTooLongError, type Limits, limitedFetch, timeLimit, timeoutError } from "./limits.ts";
export { nextCursor, type Page, pages, RepeatedPageError } from "./pages.ts";
export { orThrow, ProblemError, UnexpectedAnswerError } from "./problem.ts";
export type { components, operations, paths, webhooks } from "./schema.ts";
export { type FollowOptions, isOver, isSettled, listen, type News, type SubmissionState, watch } from "./watch.ts";

import type { components } from "./schema.ts";

type Schemas = components["schemas"];

export type Submission = Schemas["Submission"];
/** A submission in a list, with a summary of its metadata. */
export type SubmissionEntry = Schemas["SubmissionEntry"];
export type SubmissionEvent = Schemas["Event"];
/** An object of a submission. */
export type SubmissionFile = Schemas["File"];
export type Progress = Schemas["Progress"];
/** The problem because of which a submission waits or failed. */
export type Standstill = Schemas["Standstill"];
export type Selection = Schemas["Selection"];
/** The report of a connection test. */
export type Report = Schemas["Report"];
export type Preview = Schemas["Preview"];
/** Values from metadata files. */
export type MetadataSuggestions = Schemas["MetadataSuggestions"];
export type Dataset = Schemas["Dataset"];
/** A dataset in a list. */
export type DatasetEntry = Schemas["DatasetEntry"];
export type DatasetFile = Schemas["DatasetFile"];
export type Token = Schemas["Token"];
export type Problem = Schemas["Problem"];
/** An error in one member of a request, or a warning about it. */
export type Remark = Schemas["Remark"];
/** Bodies of webhook deliveries, in the format `json` and as CloudEvents. */
export type Notice = Schemas["Notice"];
export type CloudEvent = Schemas["CloudEvent"];
