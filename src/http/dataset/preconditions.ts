import type { IncomingHttpHeaders } from "node:http";

/** What is to become of a request for a file with this strong ETag (RFC 9110, section 13.2.2). */
export function preconditionOf(headers: IncomingHttpHeaders, etag: string): "failed" | "unmodified" | "holds" {
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined && !names(ifMatch, etag, "strong")) return "failed";
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch !== undefined && names(ifNoneMatch, etag, "weak")) return "unmodified";
  return "holds";
}

/** Whether a `Range` counts: without `If-Range`, or where that names this very file. A date names none (section 13.1.5). */
export function rangeCounts(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifRange = headers["if-range"];
  return ifRange === undefined || ifRange === etag;
}

function names(header: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}
