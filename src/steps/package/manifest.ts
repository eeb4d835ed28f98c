import type { ObjectRow } from "../../db/objects.ts";
import type { Came } from "../../source/read.ts";

/** Where a manifest lies in the dataset. */
export const MANIFEST = "metadata/source-manifest.jsonl";

/** The logical path of an object. */
export function pathOfObject(object: ObjectRow): string {
  return object.path ?? `data/${object.key}`;
}

/** The place of a stored object's bytes, relative to the package. */
export function contentPathOf(object: ObjectRow): string {
  return `v1/content/${object.content_path ?? `data/${object.key}`}`;
}

/** One line of the source manifest (docs/package-format.md), without its line feed. */
export function manifestLine(object: ObjectRow): string {
  const came = (object.came ?? {}) as Came;
  const listed = {
    key: object.key,
    bytes: object.bytes,
    etag: object.etag?.replace(/^"|"$/g, "") ?? null,
    lastModified: object.last_modified,
    storageClass: object.storage_class,
    path: pathOfObject(object),
  };
  return JSON.stringify(
    object.state === "excluded"
      ? { ...listed, excluded: { reason: object.exclusion, code: object.error?.code ?? null } }
      : {
          ...listed,
          ...came,
          contentPath: contentPathOf(object),
          sha512: object.sha512,
          verifiedBy: object.verified_by,
          verifiedWith: object.verified_with,
        },
  );
}
