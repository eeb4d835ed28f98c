import {
  type components,
  isOver,
  type operations,
  orThrow,
  type Submission,
  type SubmissionEntry,
} from "@accession/client";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, untilAnswered } from "./client.ts";
import { pagesQuery, queries, refetchUntilHealthy } from "./queries.ts";

export type Status = Submission["status"];

export type Sort = NonNullable<NonNullable<operations["listSubmissions"]["parameters"]["query"]>["sort"]>;

/** A filter and a sort order for submissions. */
export interface SubmissionFilter {
  q: string;
  status: Status | undefined;
  sort: Sort;
}

const PAGE = 50;
const LOOK_MS = 3_000;

/** Pages of submissions; fetched again while any of them is active. */
export function submissionsQuery({ q, status, sort }: SubmissionFilter) {
  return {
    ...pagesQuery(["submissions", { q, status, sort }], (page, signal) => {
      const query = { limit: PAGE, sort, ...(q !== "" && { q }), ...(status !== undefined && { status }), ...page };
      return api.GET("/submission", { params: { query }, signal: untilAnswered(signal) });
    }),
    // While the tab is seen. The more there is to ask for, the less often.
    refetchInterval: refetchUntilHealthy<{ pages: { items: SubmissionEntry[] }[] }>((data) => {
      const pages = data?.pages ?? [];
      const isAnyOpen = pages.some(({ items }) => items.some((one) => !isOver(one.status)));
      return isAnyOpen ? LOOK_MS * pages.length : false;
    }),
  };
}

/** One submission. */
export function submissionQuery(id: string) {
  return queryOptions({
    queryKey: ["submission", id],
    queryFn: async ({ signal }) =>
      orThrow(await api.GET("/submission/{id}", { ...at(id), signal: untilAnswered(signal) })),
  });
}

/** Changes a submission by one of its operations. The page shows the response immediately. */
function useChange<Input>(id: string, change: (input: Input) => Promise<Submission>) {
  return useMutation({
    mutationFn: change,
    // The request may contain credentials, so it is not cached.
    gcTime: 0,
    onSuccess: (submission) => {
      queries.setQueryData(submissionQuery(id).queryKey, submission);
      void queries.invalidateQueries({ queryKey: ["submissions"] });
    },
  });
}

type Credentials = components["schemas"]["NewS3Access"];
const at = (id: string) => ({ params: { path: { id } } });

/** Cancels a submission. */
export function useCancel(id: string) {
  return useChange(id, async (_: undefined) => orThrow(await api.POST("/submission/{id}/cancel", at(id))));
}

/** Retries a submission; a failed one may need new credentials. */
export function useRetry(id: string) {
  return useChange(id, async (s3Access: Credentials | undefined) =>
    orThrow(await api.POST("/submission/{id}/retry", { ...at(id), body: s3Access === undefined ? {} : { s3Access } })),
  );
}

/** Updates the credentials of a submission; the service tests them first. */
export function useNewCredentials(id: string) {
  return useChange(id, async (s3Access: Credentials) =>
    orThrow(await api.POST("/submission/{id}/credentials", { ...at(id), body: { s3Access } })),
  );
}

/** Excludes objects permanently, with a reason. */
export function useExclude(id: string) {
  return useChange(id, async (body: { keys: string[]; reason: string }) =>
    orThrow(await api.POST("/submission/{id}/exclude", { ...at(id), body })),
  );
}
