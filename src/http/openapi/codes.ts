import type { RouteOptions } from "fastify";
import { type Code, Problem } from "../../domain/problems.ts";

/** Problems that every route can return, because they occur before the operation starts. */
const EVERYWHERE: readonly Code[] = [
  "bad_request",
  "foreign_origin",
  "foreign_host",
  "request_timeout",
  "body_too_large",
  "unsupported_media_type",
  "headers_too_large",
  "internal_error",
  "unavailable",
];
const TO_CALLERS: readonly Code[] = ["unauthenticated", "token_invalid", "forbidden", "identity_unavailable"];
const TO_REVIEWERS: readonly Code[] = ["reviewer_link_unknown", "reviewer_link_expired", "reviewer_link_revoked"];

/** Problems of operations that read the files of a version, for which the public needs access. */
export const FILE_PROBLEMS = [
  "dataset_withdrawn",
  "publication_withdrawn",
  "embargoed",
  "not_public",
  "archive_unreadable",
  "content_damaged",
] as const satisfies readonly Code[];
/** Problems of operations for reviewers. */
export const REVIEW_PROBLEMS = [
  "reviewed_withdrawn",
  "publication_off",
  "archive_unreadable",
  "content_damaged",
] as const satisfies readonly Code[];

/** All problem codes of a route by status: its own codes (`config.problems`) and those that follow from its schema. */
export function codesOf(route: RouteOptions): Map<number, Code[]> {
  const { config, schema, method } = route;
  const codes = new Set<Code>([
    ...EVERYWHERE,
    ...when(config?.access !== "open" && config?.access !== "reviewer", ...TO_CALLERS),
    ...when(config?.access === "reviewer", ...TO_REVIEWERS),
    // Health probes have no rate limit, so that monitoring always gets an answer.
    ...when(!route.url.includes("/health/"), "rate_limited"),
    ...when(method !== "GET", "malformed_json"),
    ...when(schema?.params !== undefined, "not_found"),
    ...when(schema?.querystring !== undefined || schema?.body !== undefined, "invalid_request"),
    ...when(schema?.consumes?.includes("multipart/form-data") === true, "malformed_multipart"),
    ...(config?.problems ?? []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => new Problem(code).status);
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

/** Whether all codes are common ones, so that operations can share one response component. */
export function areShared(codes: readonly Code[]): boolean {
  return codes.every((code) => SHARED.has(code));
}

const SHARED = new Set<Code>([
  ...EVERYWHERE,
  ...TO_CALLERS,
  "rate_limited",
  "malformed_json",
  "malformed_multipart",
  "not_found",
  "invalid_request",
]);

function when(holds: boolean, ...codes: Code[]): Code[] {
  return holds ? codes : [];
}
