import { createHash } from "node:crypto";
import type { ServiceFile } from "../archive/service-files.ts";
import { type Folder, reducedBytes, type StoredFile } from "./contents.ts";
import { publicFormOf } from "./public-documents.ts";

/** A file that the service made, as readers get it. */
export type ServedFile = ServiceFile & Pick<StoredFile, "archived">;

/**
 * Those of the service's files of a version that the public gets, with the sizes and digests of what it gets.
 * @throws Problem as `reducedBytes`
 */
export async function publicFiles(folder: Folder, files: readonly ServiceFile[]): Promise<ServedFile[]> {
  const served: ServedFile[] = [];
  for (const file of files) {
    const form = publicFormOf(file.path);
    if (form === undefined) continue;
    served.push(form === "archived" ? file : await reduced(folder, file));
  }
  return served;
}

async function reduced(folder: Folder, file: ServiceFile): Promise<ServedFile> {
  const archived = { bytes: file.bytes, sha512: file.sha512 };
  const content = await reducedBytes(folder, file, archived);
  const sha512 = createHash("sha512").update(content).digest("hex");
  return { ...file, bytes: content.length, sha512, archived };
}
