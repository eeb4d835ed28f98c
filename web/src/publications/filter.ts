import { PUBLICATION_QUEUES } from "@accession/rules";
import { useAddress } from "../api/browser/address.ts";
import { PUBLICATION_SORTS, type PublicationFilter } from "../api/publications.ts";
import { MOST_LETTERS } from "../ui/ListParts.tsx";

const LONGEST_ID = 64;
const [DEFAULT_SORT] = PUBLICATION_SORTS;

/** What the page lists. */
export interface ListFilter extends Omit<PublicationFilter, "collections"> {
  /** As in `CollectionSelect`. */
  collection: string;
}

/** The filter from the address, so that it survives a reload and can be shared. */
export function useFilter(): [ListFilter, (filter: ListFilter) => void] {
  const [params, setParams] = useAddress();
  const queue = PUBLICATION_QUEUES.find((one) => one === params.get("queue"));
  const sort = PUBLICATION_SORTS.find((one) => one === params.get("sort")) ?? DEFAULT_SORT;
  const set = (filter: ListFilter) => setParams(Object.fromEntries(paramsOf(filter)), { replace: true });
  const collection = params.get("collection")?.slice(0, LONGEST_ID) ?? "";
  return [{ queue, q: params.get("q")?.slice(0, MOST_LETTERS) ?? "", sort, collection }, set];
}

function paramsOf({ queue, q, sort, collection }: ListFilter): [string, string][] {
  return [
    ...(queue === undefined ? [] : [["queue", queue] as [string, string]]),
    ...(q === "" ? [] : [["q", q] as [string, string]]),
    ...(collection === "" ? [] : [["collection", collection] as [string, string]]),
    ...(sort === DEFAULT_SORT ? [] : [["sort", sort] as [string, string]]),
  ];
}

/** The address of a list. */
export function addressOf(filter: ListFilter): string {
  const query = new URLSearchParams(paramsOf(filter)).toString();
  return `/publications${query === "" ? "" : `?${query}`}`;
}
