import { type components, orThrow } from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { pagesQuery, queries, refetchUntilHealthy } from "./queries.ts";

export type Doi = components["schemas"]["Doi"];

/** The service compares once a day, so that changes are rare. */
const RARELY_MS = 60_000;
/** A comparison that was queued takes seconds. */
const SOON_MS = 1_000;

/** The DOIs of all datasets that differ from the archive, or are not compared. For curators and admins. */
export function differentDoisQuery() {
  const query = pagesQuery(["dois", "different"], (page, signal) =>
    api.GET("/doi", { params: { query: { ...page, different: true } }, signal: untilAnswered(signal) }),
  );
  return { ...query, refetchInterval: RARELY_MS };
}

/** The same of one dataset. */
export function datasetDoisQuery(dataset: string) {
  return queryOptions({
    queryKey: ["dois", dataset],
    queryFn: async ({ signal }) => {
      const asked = { params: { query: { dataset, different: true } }, signal: untilAnswered(signal) };
      return orThrow(await api.GET("/doi", asked));
    },
    refetchInterval: refetchUntilHealthy<Doi[]>((dois) => (dois?.some(isQueued) ? SOON_MS : RARELY_MS)),
  });
}

/** Whether a DOI waits for a comparison that was asked for. */
export function isQueued({ checkedAt, problem }: Doi): boolean {
  return checkedAt === null && problem === null;
}

/** Makes the service compare the DOIs of a dataset now, and send to DataCite what differs. For admins. */
export function useRepairDois(dataset: string) {
  return useMutation({
    mutationFn: async () => orThrow(await api.POST("/doi/check", { body: { dataset, repair: true } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["dois"] }),
  });
}
