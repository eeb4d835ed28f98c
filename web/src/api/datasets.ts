import { orThrow } from "@accession/client";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { nextCursor } from "./submissions.ts";

const PAGE = 50;

/** Pages of datasets, newest first. @param q words to find in title, description, authors and keywords */
export function datasetsQuery(q: string) {
  return infiniteQueryOptions({
    queryKey: ["datasets", q],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(q !== "" && { q }), ...(pageParam !== "" && { cursor: pageParam }) };
      const answer = await api.GET("/dataset", { params: { query }, signal: untilAnswered(signal) });
      return { datasets: orThrow(answer), next: nextCursor(answer.response) };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}
