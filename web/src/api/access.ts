import { type Client, type components, createClient, orThrow, ProblemError } from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { inTab } from "./browser/storage.ts";
import { api, SERVICE_URL, untilAnswered } from "./client.ts";
import { downloadLink } from "./datasets.ts";
import { queries } from "./queries.ts";

type Schemas = components["schemas"];
export type Grant = Schemas["AccessGrant"];
export type GrantUse = Schemas["AccessGrantUse"];
type NewGrant = Schemas["NewAccessGrant"];
export type AccessRequest = Schemas["AccessRequest"];
export type GrantWish = Schemas["AccessGrantRequest"];

const PAGE = 1_000;
const LOOK_MS = 10_000;

const placeOf = (id: string) => `accession.grant.${id}`;

/**
 * Takes the secret of a link out of the address of the page, and keeps it for this tab, so that it is neither in the history
 * of the browser nor in addresses that people copy. Returns the secret that this tab has for the dataset.
 */
export function takeGrant(id: string): string | undefined {
  const [, secret] = /^#(grant_[\w-]+)$/.exec(location.hash) ?? [];
  if (secret !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search);
    inTab.write(placeOf(id), secret);
  }
  const kept = inTab.read(placeOf(id));
  return typeof kept === "string" ? kept : undefined;
}

/** Forgets a link that is no longer valid. */
export function dropGrant(id: string): void {
  inTab.remove(placeOf(id));
}

/** The client with which a reader calls the service: with the link, or as the signed-in user, or without both. */
function clientFor(grant: string | undefined): Client {
  return grant === undefined ? api : createClient({ baseUrl: SERVICE_URL, token: grant });
}

/** Whether the service refused the link of a reader. */
export function isLinkOver(error: Error | null): boolean {
  return error instanceof ProblemError && error.problem.code === "token_invalid";
}

/** A published version, as a reader with or without access to its files sees it. */
export function readableQuery(id: string, version: number | undefined, grant: string | undefined) {
  return queryOptions({
    queryKey: ["dataset", id, "readable", version, grant],
    queryFn: async ({ signal }) => {
      const client = clientFor(grant);
      const params = { path: { id }, query: version === undefined ? {} : { version } };
      const asked = { params, signal: untilAnswered(signal) };
      const publication = orThrow(await client.GET("/dataset/{id}/publication", asked));
      const { title, versions } = orThrow(await client.GET("/dataset/{id}", asked));
      const size = versions.find((one) => one.version === publication.version);
      return { publication, title, objects: size?.objects ?? 0, bytes: size?.bytes ?? 0 };
    },
  });
}

/** The first files of a version. */
export function readableFilesQuery(id: string, version: number, grant: string | undefined) {
  return queryOptions({
    queryKey: ["dataset", id, "readable files", version, grant],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { version, limit: PAGE, prefix: "data/" } };
      const asked = { params, signal: untilAnswered(signal) };
      return orThrow(await clientFor(grant).GET("/dataset/{id}/files", asked));
    },
  });
}

/** Creates a link for one download, which the browser opens without the secret of the reader. */
export function useDownloadLink(id: string, version: number, grant: string | undefined) {
  return useMutation({
    mutationFn: (body: { path: string } | { format: "ro-crate" }) => downloadLink(clientFor(grant), id, version, body),
  });
}

/** What a signed-in reader has asked for, with the answers; newest first. */
export function ownRequestsQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id, "own requests"],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id } }, signal: untilAnswered(signal) };
      return orThrow(await api.GET("/dataset/{id}/access-request", asked));
    },
  });
}

/** Asks the owner for access. */
export function useAsk(id: string, version: number) {
  return useMutation({
    mutationFn: async (body: Schemas["AccessRequestBody"]) => {
      const params = { path: { id }, query: { version } };
      return orThrow(await api.POST("/dataset/{id}/access-request", { params, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["dataset", id, "own requests"] }),
  });
}

/** The grants of a dataset and the requests for access, for owner and curators. */
export function accessQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id, "publication", "access"],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id } }, signal: untilAnswered(signal) };
      const [grants, requests] = await Promise.all([
        api.GET("/dataset/{id}/access-grant", asked),
        api.GET("/dataset/{id}/access-request", asked),
      ]);
      return { grants: orThrow(grants), requests: orThrow(requests) };
    },
    // Readers can ask at any time.
    refetchInterval: LOOK_MS,
  });
}

/** What was read with a grant. */
export function grantUsesQuery(id: string, grant: string) {
  return queryOptions({
    queryKey: ["dataset", id, "publication", "access", "uses", grant],
    queryFn: async ({ signal }) => {
      const asked = { params: { path: { id, grant } }, signal: untilAnswered(signal) };
      return orThrow(await api.GET("/dataset/{id}/access-grant/{grant}/uses", asked));
    },
  });
}

/** How a request is answered. */
export type Answer =
  | { how: "refuse"; request: string; body: Schemas["AccessRequestRefusal"] }
  | { how: "grant"; request: string; body: Schemas["AccessRequestGrant"] };

/** Grants access. Returns the grant, with the secret of a link. */
export function useGrant(id: string, version: number) {
  return useMutation({
    mutationFn: async (body: GrantWish): Promise<NewGrant> => {
      const params = { path: { id }, query: { version } };
      return orThrow(await api.POST("/dataset/{id}/access-grant", { params, body }));
    },
    // The response contains the secret of a link.
    gcTime: 0,
    onSettled: () => renew(id),
  });
}

/** Answers a request. Returns the grant, if it was granted. */
export function useAnswer(id: string) {
  return useMutation({
    mutationFn: async (answer: Answer): Promise<NewGrant | undefined> => {
      const params = { path: { id, request: answer.request } };
      if (answer.how === "refuse") {
        const path = "/dataset/{id}/access-request/{request}/refuse";
        orThrow(await api.POST(path, { params, body: answer.body }));
        return undefined;
      }
      const path = "/dataset/{id}/access-request/{request}/grant";
      return orThrow(await api.POST(path, { params, body: answer.body })).grant;
    },
    gcTime: 0,
    onSettled: () => renew(id),
  });
}

/** Revokes a grant. */
export function useRevoke(id: string) {
  return useMutation({
    mutationFn: async (grant: string) => {
      const params = { path: { id, grant } };
      orThrow(await api.DELETE("/dataset/{id}/access-grant/{grant}", { params }));
    },
    onSettled: () => renew(id),
  });
}

/** Fetches grants, requests, the history of the publication and the numbers of open requests again. */
function renew(id: string): Promise<void> {
  void queries.invalidateQueries({ queryKey: ["publications"] });
  return queries.invalidateQueries({ queryKey: ["dataset", id, "publication"] });
}
