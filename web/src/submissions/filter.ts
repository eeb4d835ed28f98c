import { useSearchParams } from "wouter";
import type { Status, SubmissionFilter } from "../api/submissions.ts";

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

/** The filter, as the address names it: it survives a reload, and can be sent to somebody. */
export function useFilter(): [SubmissionFilter, (filter: SubmissionFilter) => void] {
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find((one) => one === params.get("status"));
  const set = ({ q, status }: SubmissionFilter) =>
    setParams(new URLSearchParams({ ...(q !== "" && { q }), ...(status !== undefined && { status }) }), {
      replace: true,
    });
  return [{ q: params.get("q") ?? "", status }, set];
}

/** Whether nothing is filtered out. */
export function isEverything({ q, status }: SubmissionFilter): boolean {
  return q === "" && status === undefined;
}
