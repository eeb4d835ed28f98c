import { checkBucket as check, type components, orThrow, ProblemError } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

type Schemas = components["schemas"];
export type Report = Schemas["Report"];
export type Step = Report["steps"][number];
export type Preview = Schemas["Preview"];
export type Remark = Schemas["Remark"];
export type CheckRequest = Schemas["CheckRequest"];
export type PreviewRequest = Schemas["PreviewRequest"];
export type UploadRequest = Schemas["UploadRequest"];

/** What the service's rules say of metadata as they are now. */
export function remarksQuery(metadata: Schemas["Metadata"]) {
  return queryOptions({
    queryKey: ["validate", metadata],
    queryFn: async ({ signal }) => {
      const answer = await api.POST("/submission/validate", { body: { metadata } as never, signal });
      return { ...orThrow(answer), of: { metadata } };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** Whether the caller has a submission of this title already. */
export function titleTakenQuery(title: string) {
  return queryOptions({
    queryKey: ["exists", title],
    queryFn: async ({ signal }) => {
      const answer = await api.GET("/submission/info/exists", {
        params: { query: { title } },
        parseAs: "text",
        signal,
      });
      return answer.response.status === 200;
    },
    enabled: title !== "",
    staleTime: 10_000,
  });
}

/**
 * Tests, step by step, whether a bucket can be read. Of wrong fields the report names none, so a check that was not
 * even begun ends as the preview of the same would: with every fault at its place.
 *
 * @param onStep is told of each step as soon as it is known
 */
export async function checkBucket(body: CheckRequest, onStep: (step: Step) => void): Promise<Report> {
  const report = await check(api, body, { onStep });
  if (report.ok || report.steps.some(({ status }) => status !== "skipped")) return report;
  orThrow(await api.POST("/submission/upload/s3preview", { body }));
  return report;
}

/** Counts what a submission would take in. */
export async function previewBucket(body: PreviewRequest): Promise<Preview> {
  return orThrow(await api.POST("/submission/upload/s3preview", { body }));
}

/** Submits a bucket, once for each key. */
export async function submitBucket(body: UploadRequest, idempotencyKey: string) {
  const header = { "idempotency-key": idempotencyKey };
  return orThrow(await api.POST("/submission/upload/s3upload", { body, params: { header } }));
}

/** The faults that an error names, with pointers into a submission. @param base where in a submission its body lies */
export function remarksOf(error: Error | null, base = ""): Remark[] {
  if (!(error instanceof ProblemError)) return [];
  return (error.problem.errors ?? []).map((fault) => {
    const isInside = base !== "" && !fault.pointer.startsWith("/selection");
    return isInside ? { ...fault, pointer: base + fault.pointer } : fault;
  });
}
