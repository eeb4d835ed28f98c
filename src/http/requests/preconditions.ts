import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../../domain/problems.ts";

/** The ETags of a resource: their form, and one of them for messages. */
interface TagForm {
  pattern: RegExp;
  example: string;
  /** What has these ETags. */
  of: string;
}

/**
 * The ETags that `If-Match` names (RFC 9110, section 13.1.1); `*` stands for any.
 *
 * @throws Problem `bad_request` for ETags that this resource cannot have, so that a typing error does not look like a
 *   change by another user
 */
export function tagsOfIfMatch(header: string, { pattern, example, of }: TagForm): string[] {
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.every((tag) => tag === "*" || pattern.test(tag))) return tags;
  throw new Problem(
    "bad_request",
    `The header If-Match must be * or the ETag of ${of}, in double quotes, such as ${example}`,
  );
}

/**
 * Whether a precondition names an ETag, or any with `*`. A weak comparison ignores whether ETags are weak (RFC 9110, section
 * 8.8.3.2).
 */
export function namesTag(header: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  const compared = (tag: string) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag);
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => compared(tag) === compared(etag));
}

/**
 * Whether the client has this representation already, so that the answer is 304 (RFC 9110, section 13.2.2): by its ETag, or without
 * `If-None-Match` by the date of its last change.
 *
 * @param of.changedAt undefined if it is not known
 */
export function isKnown(
  { headers }: { headers: IncomingHttpHeaders },
  { etag, changedAt }: { etag: string; changedAt?: Date | undefined },
): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return namesTag(tags, etag, "weak");
  const since = Date.parse(headers["if-modified-since"] ?? "");
  // A date that is not valid is not a number, and compares as false.
  return changedAt !== undefined && Math.floor(changedAt.getTime() / 1_000) <= since / 1_000;
}
