/** The parts of the address of an S3 server. */
export interface Endpoint {
  scheme: "http" | "https";
  /** In lower case; an IPv6 address in brackets. */
  host: string;
  /** Empty for the scheme's default port. */
  port: string;
  /** Empty, or begins with `/` and does not end with one. */
  basePath: string;
}

const hostName =
  /^(?=.{1,254}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i;
const authority = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const path = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/;

/**
 * Parses the address of an S3 endpoint; the default scheme is https. Returns an error message if it is not valid.
 *
 * Accepts only addresses that all parsers interpret alike: plain ASCII, without user, query, fragment, escape or
 * backslash, and without a host that the WHATWG URL parser would change (`127.1`, `0x7f000001`, full-width digits).
 * All parts of the service therefore agree on the destination of a request.
 */
export function readEndpoint(text: string): Endpoint | string {
  const [, written = "https", rest = text] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  const scheme = written.toLowerCase();
  if (scheme !== "http" && scheme !== "https") return "The endpoint must start with https:// or http://.";
  const end = rest.indexOf("/");
  const [, host, port] = authority.exec(end === -1 ? rest : rest.slice(0, end)) ?? [];
  if (host === undefined) return "The endpoint must be a host name with an optional port, such as s3.example.org:9000.";
  const basePath = end === -1 ? "" : rest.slice(end);
  if (!path.test(basePath) || /\/\.{1,2}(?:\/|$)/.test(basePath)) return "The path of the endpoint is not valid.";
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return "The port must be a number from 1 to 65535.";
  const url = URL.parse(`${scheme}://${host}${port === undefined ? "" : `:${port}`}`);
  if (!url || !isHostAsParsed(host, url.hostname))
    return "The host of the endpoint is not a host name or IP address in its usual form.";
  return { scheme, host: url.hostname, port: url.port, basePath: basePath.replace(/\/$/, "") };
}

/** Whether the parser has not changed the host. IPv6 addresses have several valid spellings, so they may change. */
export function isHostAsParsed(written: string, parsed: string): boolean {
  if (written.startsWith("[")) return parsed.startsWith("[");
  return hostName.test(written) && written.toLowerCase() === parsed;
}

/** Whether a host is one of Amazon's, also in China. */
export function isAmazonHost(host: string): boolean {
  return /(?:^|\.)amazonaws\.com(?:\.cn)?$/i.test(host);
}

/** The endpoint as one string, without a trailing slash: `https://s3.example.org/base`. */
export function endpointText({ scheme, host, port, basePath }: Endpoint): string {
  return `${scheme}://${host}${port === "" ? "" : `:${port}`}${basePath}`;
}

/**
 * The endpoint without the bucket name, which users often paste with it; `undefined` if it does not contain the name. The
 * name is removed in two places: a path `/bucket`, and a host `bucket.s3.…` or `bucket.s3-…` (a virtual-hosted URL).
 * No other host is changed: the bucket `data` at `data.example.org` must not send the submitter’s keys to `example.org`.
 */
export function withoutBucket(endpoint: Endpoint, bucket: string): Endpoint | undefined {
  const inPath = endpoint.basePath === `/${bucket}`;
  const inHost =
    endpoint.host.startsWith(`${bucket}.`) && /^s3(?:-[^.]*)?\../.test(endpoint.host.slice(bucket.length + 1));
  if (!inPath && !inHost) return undefined;
  return {
    ...endpoint,
    host: inHost ? endpoint.host.slice(bucket.length + 1) : endpoint.host,
    basePath: inPath ? "" : endpoint.basePath,
  };
}
