import { useAddress } from "../api/browser/address.ts";
import type { Sort, Status, SubmissionFilter } from "../api/submissions.ts";
import { MOST_LETTERS } from "../ui/ListParts.tsx";

/** All statuses, in the order of the process. */
export const STATUSES = [
  "accepted",
  "listing",
  "transferring",
  "verifying",
  "packaging",
  "waiting",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly Status[];

/** The sortable columns, and the order of the first click. The first one is the default. */
export const COLUMNS = {
  created: "-created",
  title: "title",
  bytes: "-bytes",
  objects: "-objects",
} as const satisfies Record<string, Sort>;
export type Column = keyof typeof COLUMNS;

/** The sort orders, each before its reverse. */
export const SORTS = Object.values(COLUMNS).flatMap((sort) => [sort, reversed(sort)]) as (Column | `-${Column}`)[];

/** The reverse order. */
export function reversed(sort: Sort): Sort {
  return (sort.startsWith("-") ? sort.slice(1) : `-${sort}`) as Sort;
}

/** The filter from the address, so that it survives a reload and can be shared. */
export function useFilter(): [SubmissionFilter, (filter: SubmissionFilter) => void] {
  const [params, setParams] = useAddress();
  const status = STATUSES.find((one) => one === params.get("status"));
  const sort = SORTS.find((one) => one === params.get("sort")) ?? COLUMNS.created;
  const set = ({ q, status, sort }: SubmissionFilter) =>
    setParams(
      {
        ...(q !== "" && { q }),
        ...(status !== undefined && { status }),
        ...(sort !== COLUMNS.created && { sort }),
      },
      { replace: true },
    );
  return [{ q: params.get("q")?.slice(0, MOST_LETTERS) ?? "", status, sort }, set];
}

/** Whether the filter includes all submissions. */
export function isEverything({ q, status }: SubmissionFilter): boolean {
  return q === "" && status === undefined;
}
