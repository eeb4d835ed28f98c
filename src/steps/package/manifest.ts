import { type ObjectRecord, pathOfObject } from "../../db/objects.ts";
import type { Came } from "../../source/read.ts";

/** Where a manifest lies in the dataset. */
export const MANIFEST = "metadata/source-manifest.jsonl";

/**
 * One line of the source manifest (docs/package-format.md), without its line feed.
 * @param contentPath of a stored object's bytes, relative to the package
 */
export function manifestLine(object: ObjectRecord, contentPath: string | undefined): string {
  const came = (object.came ?? {}) as Came;
  const listed = {
    key: object.key,
    bytes: object.bytes,
    etag: object.etag?.replace(/^"|"$/g, "") ?? null,
    lastModified: object.lastModified,
    storageClass: object.storageClass,
    path: pathOfObject(object),
  };
  return JSON.stringify(
    object.state === "excluded"
      ? { ...listed, excluded: { reason: object.exclusion, code: object.error?.code ?? null } }
      : {
          ...listed,
          ...came,
          contentPath,
          sha512: object.sha512,
          verifiedBy: object.verifiedBy,
          verifiedWith: object.verifiedWith,
          ...(object.etagIsDigest && { etagIsDigest: true }),
          ...(object.verifiedIn !== null && { verifiedIn: object.verifiedIn }),
        },
  );
}
