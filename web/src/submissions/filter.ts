import { useAddress } from "../api/address.ts";
import type { Sort, Status, SubmissionFilter } from "../api/submissions.ts";
import { MOST_LETTERS } from "../ui/SearchField.tsx";

/** Every status, in the order in which a submission goes through them. */
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

/** What the list can be sorted by, and which end comes first at the first click. */
export const COLUMNS = {
  title: "title",
  objects: "-objects",
  bytes: "-bytes",
  created: "-created",
} as const satisfies Record<string, Sort>;
export type Column = keyof typeof COLUMNS;

/** The orders to choose from; the usual one first. */
export const SORTS = [
  "-created",
  "created",
  "title",
  "-title",
  "-bytes",
  "bytes",
  "-objects",
  "objects",
] as const satisfies readonly Sort[];

/** The same the other way round. */
export function reversed(sort: Sort): Sort {
  return (sort.startsWith("-") ? sort.slice(1) : `-${sort}`) as Sort;
}

/** The filter, as the address names it: it survives a reload, and can be sent to somebody. */
export function useFilter(): [SubmissionFilter, (filter: SubmissionFilter) => void] {
  const [params, setParams] = useAddress();
  const status = STATUSES.find((one) => one === params.get("status"));
  const sort = SORTS.find((one) => one === params.get("sort")) ?? SORTS[0];
  const set = ({ q, status, sort }: SubmissionFilter) =>
    setParams(
      {
        ...(q !== "" && { q }),
        ...(status !== undefined && { status }),
        ...(sort !== SORTS[0] && { sort }),
      },
      { replace: true },
    );
  return [{ q: params.get("q")?.slice(0, MOST_LETTERS) ?? "", status, sort }, set];
}

/** Whether nothing is filtered out. */
export function isEverything({ q, status }: SubmissionFilter): boolean {
  return q === "" && status === undefined;
}
