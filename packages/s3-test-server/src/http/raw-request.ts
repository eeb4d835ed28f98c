import type { IncomingHttpHeaders } from "node:http";
import { S3Error } from "./errors.ts";

/** The forms of bucket addressing that the server supports. */
export type Addressing = "both" | "path" | "virtual";

/** A request as it was sent. Nothing is normalised: `a/../b`, `//x` and `.` are ordinary keys. */
export interface RawRequest {
  readonly method: string;
  /** The path before the query, percent-decoded exactly once. */
  readonly path: string;
  /** Decoded names and values of the query. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  /** Empty for requests to the service. */
  readonly bucket: string;
  /** Empty for requests to a bucket. */
  readonly key: string;
}

/** Splits the raw URL without the class URL, which would change dots and slashes. */
export function parseRequest(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  addressing: Addressing,
  domains: readonly string[],
): RawRequest {
  const mark = url.indexOf("?");
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? emptyQuery : parseQuery(url.slice(mark + 1));
  const path = decode(rawPath);
  const hosted = addressing === "path" ? undefined : bucketOfHost(headers.host ?? "", domains);
  if (hosted !== undefined) {
    return { method, path, query, headers, bucket: hosted, key: path.slice(1) };
  }
  // Split before decoding, so that an encoded slash does not end the bucket's name.
  const slash = rawPath.indexOf("/", 1);
  const bucket = decode(slash < 0 ? rawPath.slice(1) : rawPath.slice(1, slash));
  const key = slash < 0 ? "" : decode(rawPath.slice(slash + 1));
  return { method, path, query, headers, bucket, key };
}

/** The error of a server that supports only the virtual-hosted style, with the message of existing servers. */
export function refusePathStyle(): S3Error {
  return new S3Error(403, "SecondLevelDomainForbidden", "Please use virtual hosted style to access.");
}

/** Whether the Host header names a bucket. */
export function isVirtualHosted(request: RawRequest, domains: readonly string[]): boolean {
  return bucketOfHost(request.headers.host ?? "", domains) !== undefined;
}

function bucketOfHost(host: string, domains: readonly string[]): string | undefined {
  const colon = host.lastIndexOf(":");
  const name = colon > host.lastIndexOf("]") ? host.slice(0, colon) : host;
  for (const domain of domains) {
    if (name.length > domain.length + 1 && name.endsWith(`.${domain}`)) return name.slice(0, -domain.length - 1);
  }
  return undefined;
}

const emptyQuery: ReadonlyMap<string, string> = new Map();

function parseQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? "" : pair.slice(equals + 1);
    query.set(decode(name.replaceAll("+", " ")), decode(value.replaceAll("+", " ")));
  }
  return query;
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "Couldn't parse the specified URI.", { fields: { URI: text } });
  }
}
