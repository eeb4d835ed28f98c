import type { ApiError } from "./dois.ts";

/** A response of the API. */
export interface Reply {
  status: number;
  /** Sent as JSON:API; undefined for an empty body. */
  document?: object;
  headers?: Record<string, string>;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Bad credentials.",
  403: "You are not authorized to access this resource.",
  404: "The resource you are looking for doesn't exist.",
  405: "Method not allowed",
  409: "The resource was changed by another request.",
  429: "Too many requests",
};

/** An error that is not about an attribute. */
export function errorReply(status: number, headers: Record<string, string> = {}): Reply {
  const title = TITLES[status] ?? "The server encountered an error";
  return { status, headers, document: { errors: [{ status: String(status), title }] } };
}

/** The errors of attributes. */
export function faultsReply(errors: readonly ApiError[]): Reply {
  return { status: 422, document: { errors } };
}
