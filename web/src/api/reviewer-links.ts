import { type components, orThrow } from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { queries } from "./queries.ts";

export type ReviewerLink = components["schemas"]["ReviewerLink"];
export type NewReviewerLink = components["schemas"]["NewReviewerLink"];
export type AnonymityFinding = components["schemas"]["AnonymityFinding"];

/** What to create. */
type LinkRequest = Required<components["schemas"]["NewReviewerLinkRequest"]>;

/** How often to look for visits. */
const LOOK_MS = 15_000;

/** The reviewer links of all versions of a dataset, newest first. */
export function reviewerLinksQuery(id: string) {
  return queryOptions({
    queryKey: ["dataset", id, "reviewer-links"],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return orThrow(await api.GET("/dataset/{id}/reviewer-link", { params, signal: untilAnswered(signal) }));
    },
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "usable") ? LOOK_MS : false),
  });
}

/** Creates a link to a version. Its address is only in the answer. */
export function useCreateLink(id: string, version: number) {
  return useMutation({
    mutationFn: async (body: LinkRequest) => {
      const params = { path: { id }, query: { version } };
      return orThrow(await api.POST("/dataset/{id}/reviewer-link", { params, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: reviewerLinksQuery(id).queryKey }),
  });
}

export function useRevokeLink(id: string) {
  return useMutation({
    mutationFn: async (link: string) => {
      orThrow(await api.DELETE("/dataset/{id}/reviewer-link/{link}", { params: { path: { id, link } } }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: reviewerLinksQuery(id).queryKey }),
  });
}
