import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import type { paths } from "./schema.ts";

export interface ClientOptions {
  /** Address of the service, with its base path if it has one: `https://archive.example.org`. */
  baseUrl: string;
  /** Where people sign in: a token of the service, or an access token of its identity provider. */
  token?: string;
  /** Instead of the runtime's own. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Of answers that come in several media types, those that are parsed. */
type Json = "application/json" | "application/problem+json";

/**
 * The API, an operation by its method and path: `client.GET("/submission/{id}", { params: { path: { id } } })`. Every
 * call resolves with `data` or `error`; what is no JSON is asked for with `parseAs: "text"` or `"stream"`.
 */
export type Client = FetchClient<paths, Json>;

/** A client of one service. */
export function createClient({ baseUrl, token, fetch }: ClientOptions): Client {
  return createFetchClient<paths, Json>({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    // A redirect that is followed would send the bucket's keys to an address that the answer names.
    redirect: "manual",
    ...(fetch !== undefined && { fetch }),
  });
}
