import { createClient } from "@accession/client";
import { currentSession, endSession } from "./session/session.ts";

/** The page’s own address, which the document’s `<base>` names: `https://archive.example.org/below/app/`. */
const home = new URL(document.baseURI);

/** The path below which the page’s routes lie, without a slash at its end. */
export const PAGE_PATH = home.pathname.replace(/\/$/, "");

/** The service’s address, with its base path and a slash at its end. */
export const SERVICE_URL = new URL("..", home).href;

/** The API client with the credentials of the session. */
export const api = createClient({ baseUrl: SERVICE_URL, fetch: fetchAsCaller });

/** A request with the caller’s token, if there is one. A token that the service refuses ends the session. */
export async function fetchAsCaller(request: Request): Promise<Response> {
  const token = currentSession()?.token;
  if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
  const response = await fetch(request);
  if (response.status === 401 && token !== undefined) endSession(token);
  return response;
}

/** An answer that takes longer will not come: a machine that slept, or changed its network, waits on a dead connection. */
const ANSWER_MS = 30_000;

/** A timeout for repeated requests: a request without a response would stop the repetition. */
export function untilAnswered(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
}
