import type { TestService } from "../program/service.ts";
import type { Answer } from "./api.ts";
import { bearer } from "./callers.ts";

/** A reviewer link as its creator gets it. */
export interface CreatedLink {
  id: string;
  /** The part of the address after `#`. */
  secret: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of an answer.
  json: any;
}

/** Creates a reviewer link. @throws Error if the service refuses it */
export async function createLink(
  service: TestService,
  token: string | undefined,
  dataset: string,
  { query = "", ...body }: { query?: string; label?: string; anonymous?: boolean; expiresAt?: string | Date } = {},
): Promise<CreatedLink> {
  const headers = token === undefined ? {} : bearer(token);
  const answer = await service.api.post(`/dataset/${dataset}/reviewer-link${query}`, body, headers);
  if (answer.status !== 201) throw new Error(`no link: ${answer.status} ${answer.text}`);
  const secret = new URL(answer.json.url).hash.slice(1);
  return { id: answer.json.id, secret, json: answer.json };
}

/** A request of a reviewer. */
export function asReviewer(service: TestService, secret: string, path = ""): Promise<Answer> {
  return service.api.get(`/review${path}`, bearer(secret));
}

export function revokeLink(service: TestService, token: string, dataset: string, id: string): Promise<Answer> {
  return service.api.send(`/dataset/${dataset}/reviewer-link/${id}`, { method: "DELETE", headers: bearer(token) });
}
