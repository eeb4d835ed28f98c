import { createHash } from "node:crypto";
import type { ServiceFile } from "../archive/service-files.ts";
import { type Folder, type StoredFile, verified } from "./contents.ts";
import { publicBytes, publicFormOf } from "./public-documents.ts";

/** A file that the service made, as readers get it. */
export type ServedFile = ServiceFile & Pick<StoredFile, "archived">;

/**
 * Those of the service's files of a version that the public gets, with the sizes and digests of what it gets.
 * @throws Problem as `verified`
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
  const pieces = await Array.fromAsync(verified(folder, file));
  const content = publicBytes(file.path, Buffer.concat(pieces));
  const sha512 = createHash("sha512").update(content).digest("hex");
  return { ...file, bytes: content.length, sha512, archived: { bytes: file.bytes, sha512: file.sha512 } };
}
