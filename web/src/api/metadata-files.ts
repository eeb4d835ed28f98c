import { type components, type MetadataSuggestions, orThrow } from "@accession/client";
import { api } from "./client.ts";

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
