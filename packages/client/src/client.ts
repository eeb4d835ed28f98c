import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import type { paths } from "./schema.ts";

export interface ClientOptions {
  /** Address of the service, with its base path if it has one: `https://archive.example.org`. */
  baseUrl: string;
  /** A token of the service, or an access token of its identity provider. Not needed without sign-in. */
  token?: string;
  /** Replaces the `fetch` of the runtime. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Media types that are parsed, for responses that have several. */
type Json = "application/json" | "application/problem+json";

/**
 * The API client. Operations are called by method and path: `client.GET("/submission/{id}", { params: { path: { id } } })`.
 * Every call resolves with `data` or `error`. Use `parseAs: "text"` or `"stream"` for responses that are not JSON.
 */
export type Client = FetchClient<paths, Json>;

/** Creates a client of a service. */
export function createClient({ baseUrl, token, fetch }: ClientOptions): Client {
  return createFetchClient<paths, Json>({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    // Redirects are not followed, because they would send the credentials of the bucket to another address.
    redirect: "manual",
    ...(fetch !== undefined && { fetch }),
  });
}
