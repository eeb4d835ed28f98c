import type { DatasetFile } from "../../api/datasets.ts";

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The format of a file: from its name, else from the media type that the source stated. */
export function formatOf({ path, contentType }: DatasetFile): string {
  const extension = /[^.]\.([A-Za-z0-9]{1,8})$/.exec(nameOf(path))?.[1];
  if (extension !== undefined) return extension.toUpperCase();
  const type = contentType?.split(";", 1)[0]?.trim() ?? "";
  return type.endsWith("/octet-stream") ? "" : type;
}
