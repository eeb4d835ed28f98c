import { type components, orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import type { Language } from "../words/words.ts";
import { api, untilAnswered } from "./client.ts";
import { datasetQuery, unpackingQuery } from "./datasets.ts";
import { publicationQuery } from "./publications.ts";
import { queries } from "./queries.ts";
import { receiptOf, receiptQuery } from "./receipt/receipt.ts";

/** What the page of a version shows first. */
export type Details = components["schemas"]["DatasetDetails"];

/** The parts of a page that the service renders. */
export type PageParts = components["schemas"]["PageParts"];

/**
 * A dataset, and what the page of a version shows first, with one request. What parts of the page ask for later is then known.
 * @param version undefined for the latest one
 */
export function detailsQuery(id: string, version: number | undefined, lang: Language) {
  return queryOptions({
    queryKey: ["dataset", id, "details", version, lang],
    queryFn: async ({ signal }) => {
      const query = { details: true, lang, ...(version !== undefined && { version }) };
      const answer = await api.GET("/dataset/{id}", { params: { path: { id }, query }, signal: untilAnswered(signal) });
      const { details, ...dataset } = orThrow(answer);
      if (details === undefined) throw new Error("The response has no details");
      if (version === undefined) queries.setQueryData(datasetQuery(id).queryKey, dataset);
      remember(id, dataset.version, details);
      return { number: dataset.version, title: dataset.title, details };
    },
    // In the other language, until it is there.
    placeholderData: (previous, earlier) =>
      earlier?.queryKey[1] === id && earlier.queryKey[3] === version ? previous : undefined,
    // What can change is asked for more often, with separate requests.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Only what is not known yet: the user may have changed the publication since the request was sent. */
function remember(id: string, version: number, details: components["schemas"]["DatasetDetails"]): void {
  const { publication, publicationTag, receipt, unpacking } = details;
  if (publication !== null) {
    const tagged = { ...publication, etag: publicationTag ?? "" };
    queries.setQueryData(publicationQuery(id, version).queryKey, (known) => known ?? tagged);
  }
  if (receipt !== null) {
    const { submission } = receiptOf(receipt).receipt;
    queries.setQueryData(receiptQuery(submission.id).queryKey, (known) => known ?? receiptOf(receipt));
  }
  // Of a large dataset it is not known.
  if (unpacking !== null || publication?.filesReadable === false) {
    queries.setQueryData(unpackingQuery(id, version).queryKey, (known) => known ?? unpacking);
  }
}
