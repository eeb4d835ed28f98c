import { PUBLICATION_QUEUES } from "@accession/rules";
import { useAddress } from "../api/browser/address.ts";
import { PUBLICATION_SORTS, type PublicationFilter } from "../api/publications.ts";
import { MOST_LETTERS } from "../ui/ListParts.tsx";

const [DEFAULT_SORT] = PUBLICATION_SORTS;

/** The filter from the address, so that it survives a reload and can be shared. */
export function useFilter(): [PublicationFilter, (filter: PublicationFilter) => void] {
  const [params, setParams] = useAddress();
  const queue = PUBLICATION_QUEUES.find((one) => one === params.get("queue"));
  const sort = PUBLICATION_SORTS.find((one) => one === params.get("sort")) ?? DEFAULT_SORT;
  const set = (filter: PublicationFilter) => setParams(Object.fromEntries(paramsOf(filter)), { replace: true });
  return [{ queue, q: params.get("q")?.slice(0, MOST_LETTERS) ?? "", sort }, set];
}

function paramsOf({ queue, q, sort }: PublicationFilter): [string, string][] {
  return [
    ...(queue === undefined ? [] : [["queue", queue] as [string, string]]),
    ...(q === "" ? [] : [["q", q] as [string, string]]),
    ...(sort === DEFAULT_SORT ? [] : [["sort", sort] as [string, string]]),
  ];
}

/** The address of a list. */
export function addressOf(filter: PublicationFilter): string {
  const query = new URLSearchParams(paramsOf(filter)).toString();
  return `/publications${query === "" ? "" : `?${query}`}`;
}
