import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiError } from "./dois.ts";
import type { Fault } from "./faults.ts";

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

/** Sends a response of the API. */
export function send(response: ServerResponse, { status, document, headers = {} }: Reply): void {
  const type = { "content-type": "application/vnd.api+json; charset=utf-8" };
  response.writeHead(status, document === undefined ? headers : { ...type, ...headers });
  response.end(document === undefined ? undefined : JSON.stringify(document));
}

/** Answers instead of the API. Nothing is stored. */
export function interrupt(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Extract<Fault, { closeBefore: true } | { status: number } | { endless: true }>,
): void {
  request.resume();
  if ("closeBefore" in fault) {
    request.socket.destroy();
    return;
  }
  if ("endless" in fault) {
    response.writeHead(200, { "content-type": "application/vnd.api+json" });
    const send = () => {
      if (!response.destroyed) response.write('{"data":'.repeat(1_000), () => setImmediate(send));
    };
    send();
    return;
  }
  const { status, body, contentType = "text/html", headers = {} } = fault;
  if (body === undefined) send(response, errorReply(status, headers));
  else response.writeHead(status, { "content-type": contentType, ...headers }).end(body);
}
