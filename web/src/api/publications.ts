import { type components, orThrow, ProblemError } from "@accession/client";
import type { PublicationQueue } from "@accession/rules";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { pagesQuery, queries, refetchUntilHealthy } from "./queries.ts";
import { useCaller } from "./service.ts";

type Schemas = components["schemas"];

/** The publication of a version, with the tag that names its state in a condition (RFC 9110, section 8.8.3). */
export interface Publication extends PublicationView {
  etag: string;
}
type PublicationView = Schemas["Publication"];
export type PublicationState = Schemas["PublicationState"];
export type PublicationAction = Schemas["PublicationAction"];
export type PublicationEntry = Schemas["PublicationEntry"];
export type PublicationCheck = Schemas["PublicationCheck"];
export type PublicationListEntry = Schemas["PublicationListEntry"];
export type Place = Schemas["Place"];
export type Access = Schemas["DatasetAccess"];

/** The bodies of the actions. */
interface Bodies {
  request: Schemas["PublicationRequest"];
  assign: Schemas["PublicationAssignment"];
  comment: Schemas["PublicationComment"];
  resolve: Schemas["CommentResolution"];
  "request-changes": Schemas["PublicationDecision"];
  decline: Schemas["PublicationDecision"];
  approve: Schemas["PublicationStep"];
  "take-back": Schemas["PublicationStep"];
  "reserve-doi": Schemas["PublicationStep"];
  publish: Schemas["PublicationStep"];
  "change-access": Schemas["PublicationAccessChange"];
  withdraw: Schemas["PublicationWithdrawal"];
}

/** An action with its body. */
export type ActionRequest = {
  [Name in PublicationAction]: { action: Name; body: Bodies[Name] };
}[PublicationAction];

/** The states in which other people, or the service, can change the publication at any time, and how often to look. */
const LOOK_MS: Partial<Record<PublicationState, number>> = {
  registering: 2_000,
  in_review: 5_000,
  changes_requested: 5_000,
  approved: 5_000,
};

/** DataCite confirms a reserved DOI within seconds. */
const RESERVING_MS = 1_000;
const PAGE = 50;
const LIST_MS = 5_000;
const COUNTS_MS = 15_000;

function lookAgainMs({ state, doiState }: Publication): number | false {
  return doiState === "reserving" ? RESERVING_MS : (LOOK_MS[state] ?? false);
}

/** The publication of a version; fetched again while it can change. */
export function publicationQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, "publication", version],
    queryFn: async ({ signal }): Promise<Publication> => {
      const params = { path: { id }, query: { version } };
      const answer = await api.GET("/dataset/{id}/publication", { params, signal: untilAnswered(signal) });
      return withTag(orThrow(answer), answer.response);
    },
    refetchInterval: refetchUntilHealthy<Publication>((known) => (known === undefined ? false : lookAgainMs(known))),
  });
}

/** The part of the history of a publication before an entry. */
export async function readHistory(
  id: string,
  version: number,
  before: number,
): Promise<Pick<PublicationView, "history" | "historyBefore">> {
  const params = { path: { id }, query: { version, before } };
  return orThrow(await api.GET("/dataset/{id}/publication", { params }));
}

/** All entries of the history before one of them, oldest first. @param key changes when they must be fetched again */
export function earlierHistoryQuery(id: string, version: number, before: number, key: string) {
  return queryOptions({
    queryKey: ["dataset", id, "publication", version, "earlier", before, key],
    queryFn: async () => {
      const entries: PublicationEntry[] = [];
      for (let next: number | null = before; next !== null; ) {
        const page: Pick<PublicationView, "history" | "historyBefore"> = await readHistory(id, version, next);
        entries.unshift(...page.history);
        next = page.historyBefore;
      }
      return entries;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Actions that decide about nothing: they do not depend on what others did meanwhile. */
const UNCONDITIONAL: readonly PublicationAction[] = ["comment", "resolve"];

/** Takes an action: a decision only if neither the publication nor the metadata were changed since the user has seen them. */
export function useAction(id: string, version: number) {
  const { queryKey } = publicationQuery(id, version);
  return useMutation({
    mutationFn: async ({ action, body, etag }: ActionRequest & { etag: string }): Promise<Publication> => {
      // All actions have such a path; the type of the body follows from the action.
      const path = `/dataset/{id}/publication/${action}` as "/dataset/{id}/publication/comment";
      const header = UNCONDITIONAL.includes(action) ? {} : { "if-match": etag };
      const params = { path: { id }, query: { version }, header };
      const answer = await api.POST(path, { params, body: body as never });
      return withTag(orThrow(answer), answer.response);
    },
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (publication) => {
      queries.setQueryData(queryKey, publication);
      void queries.invalidateQueries({ queryKey: ["publications"] });
    },
    onError: (error) => {
      if (isOutdated(error)) return queries.invalidateQueries({ queryKey });
    },
  });
}

/** Whether an action was refused because of a change that the user has not seen. */
export function isOutdated(error: Error | null): boolean {
  return error instanceof ProblemError && OUTDATED.includes(error.problem.code);
}

const OUTDATED: readonly string[] = ["publication_conflict", "publication_state"];

/** Fetches what the page shows of a dataset again, because its metadata or its public state have changed. */
export function refreshDataset(id: string): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [kind, of, what] }) => kind === "dataset" && of === id && what !== "publication",
  });
}

function withTag(view: PublicationView, { headers }: Response): Publication {
  return { ...view, etag: headers.get("etag") ?? "" };
}

/** The sort orders of publications; the first is the default. */
export const PUBLICATION_SORTS = ["since", "-since", "title", "-title"] as const;

/** What a list of publications contains, and in which order. */
export interface PublicationFilter {
  /** Undefined for all. */
  queue: PublicationQueue | undefined;
  q: string;
  sort: (typeof PUBLICATION_SORTS)[number];
  /** Ids of collections; undefined for all datasets. */
  collections?: readonly string[] | undefined;
}

/** Pages of publications. */
export function publicationsQuery({ queue, q, sort, collections }: PublicationFilter) {
  return {
    ...pagesQuery(["publications", queue, q, sort, collections], (page, signal) => {
      const collection = collections && { collection: [...collections] };
      const query = { limit: PAGE, sort, ...(queue && { queue }), ...(q !== "" && { q }), ...collection, ...page };
      return api.GET("/publication", { params: { query }, signal: untilAnswered(signal) });
    }),
    // While the tab is seen. The more there is to ask for, the less often.
    refetchInterval: refetchUntilHealthy<{ pages: unknown[] }>((data) => LIST_MS * (data?.pages.length ?? 1)),
  };
}

/** How many publications each part of the queue has. */
export const queueCountsQuery = queryOptions({
  queryKey: ["publications", "counts"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/publication-queue", { signal: untilAnswered(signal) })),
  refetchInterval: refetchUntilHealthy<Schemas["QueueCounts"]>(() => COUNTS_MS),
});

/** Whether the user reviews the datasets of others; false until the role is known. */
export function useIsCurator(): boolean {
  return useCaller()?.roles.some((role) => role === "curator" || role === "admin") ?? false;
}

/** The curators that the service knows. */
export const curatorsQuery = queryOptions({
  queryKey: ["curators"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/curator", { signal: untilAnswered(signal) })),
  staleTime: 60_000,
});

/** The operator’s texts for comments of curators. */
export const replyTemplatesQuery = queryOptions({
  queryKey: ["service", "reply-templates"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/reply-template", { signal: untilAnswered(signal) })),
  staleTime: 60_000,
});

/** The deposit agreement in the languages of the service, the default one first. */
export const agreementQuery = queryOptions({
  queryKey: ["service", "deposit-agreement"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/deposit-agreement", { signal: untilAnswered(signal) })),
  staleTime: 60_000,
});
