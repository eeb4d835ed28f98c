import { type components, orThrow } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

type Schemas = components["schemas"];
export type Upload = Schemas["Upload"];
export type UploadFile = Schemas["UploadFile"];

const PAGE = 1_000;

/** The caller's uploads that were not submitted, newest first. */
export const uploadsQuery = queryOptions({
  queryKey: ["uploads"],
  queryFn: async ({ signal }) => orThrow(await api.GET("/uploads", { signal })),
  // An older list would offer uploads that were submitted since, and move when the newer one arrives.
  staleTime: 0,
  gcTime: 0,
});

/** Creates an upload. */
export async function createUpload(): Promise<Upload> {
  return orThrow(await api.POST("/uploads"));
}

/** @throws ProblemError `not_found` if it was deleted or has expired */
export async function readUpload(id: string, signal?: AbortSignal): Promise<Upload> {
  return orThrow(await api.GET("/uploads/{id}", { params: { path: { id } }, ...(signal && { signal }) }));
}

/** All files of an upload. */
export async function readUploadFiles(id: string, signal: AbortSignal): Promise<UploadFile[]> {
  const files: UploadFile[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, ...(after !== undefined && { after }) };
    const answer = await api.GET("/uploads/{id}/files", { params: { path: { id }, query }, signal });
    const page = orThrow(answer);
    files.push(...page.files);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return files;
}

/** Deletes an upload with all its files. */
export async function deleteUpload(id: string): Promise<void> {
  orThrow(await api.DELETE("/uploads/{id}", { params: { path: { id } } }));
}
