import {
  type CheckOptions,
  checkBucket as check,
  type components,
  type MetadataSuggestions,
  orThrow,
  ProblemError,
} from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

type Schemas = components["schemas"];
export type Report = Schemas["Report"];
export type Step = Report["steps"][number];
export type Preview = Schemas["Preview"];
export type Unpacking = Schemas["Unpacking"];
export type Remark = Schemas["Remark"];
export type CheckRequest = Schemas["CheckRequest"];
export type PreviewRequest = Schemas["PreviewRequest"];
export type UploadRequest = Schemas["UploadRequest"];

/** The errors and warnings of the service for the current metadata. @param dataset the archived dataset that has them */
export function remarksQuery(metadata: Schemas["Metadata"], dataset?: string) {
  return queryOptions({
    queryKey: ["validate", metadata, dataset],
    queryFn: async ({ signal }) => {
      const answer = await api.POST("/submission/validate", {
        params: { query: { ...(dataset !== undefined && { dataset }) } },
        body: { metadata } as never,
        signal,
      });
      return { ...orThrow(answer), of: { metadata } };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** Whether the caller already has a submission with this title. */
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
 * Tests step by step whether a bucket can be read. The report does not name invalid fields, so a check that did not start
 * ends with the error of a preview, which names each of them.
 *
 * @param options.onStep called after each step
 */
export async function checkBucket(body: CheckRequest, options: Required<CheckOptions>): Promise<Report> {
  const report = await check(api, body, options);
  if (report.ok || report.steps.some(({ status }) => status !== "skipped")) return report;
  orThrow(await api.POST("/submission/upload/s3preview", { body, signal: options.signal }));
  return report;
}

/** Fetches the preview of a submission. */
export async function previewBucket(body: PreviewRequest): Promise<Preview> {
  return orThrow(await api.POST("/submission/upload/s3preview", { body }));
}

/** Submits a bucket, once per idempotency key. */
export async function submitBucket(body: UploadRequest, idempotencyKey: string) {
  const header = { "idempotency-key": idempotencyKey };
  return orThrow(await api.POST("/submission/upload/s3upload", { body, params: { header } }));
}

/** The field errors of a rejected request, with pointers into a submission. @param base the position of its body there */
export function remarksOf(error: Error | null, base = ""): Remark[] {
  if (!(error instanceof ProblemError)) return [];
  return (error.problem.errors ?? []).map((fault) => {
    const isInside = base !== "" && !/^\/(selection|digests)/.test(fault.pointer);
    return isInside ? { ...fault, pointer: base + fault.pointer } : fault;
  });
}

export type { MetadataSuggestions };

/** Reads the metadata files of a bucket. */
export async function suggestFromBucket(body: components["schemas"]["CheckRequest"]): Promise<MetadataSuggestions> {
  return orThrow(await api.POST("/submission/upload/s3metadata", { body }));
}

/** Reads metadata files of the user. */
export async function suggestFromFiles(files: readonly File[]): Promise<MetadataSuggestions> {
  const sent = await Promise.all(files.map(async (file) => ({ name: file.name, content: await base64Of(file) })));
  return orThrow(await api.POST("/metadata/import", { body: { files: sent } }));
}

async function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  // A data URL of an empty file has no comma in some browsers.
  return (await promise).split(",")[1] ?? "";
}
