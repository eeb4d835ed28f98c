/**
 * How a folder contains a copy of a dataset:
 * - `package`: an unpacked ZIP or bag. The folder has `data/`, and beside it the files that Accession created.
 * - `content`: only the content of `data/`, as it was in the bucket.
 */
export type CopyLayout = "package" | "content";

/** The folder of the objects of the bucket, in the paths of the file list. */
const PAYLOAD = "data/";

/** The path in a copy of a file of the dataset; undefined if a copy of this layout does not contain the file. */
export function pathInCopy(path: string, layout: CopyLayout): string | undefined {
  if (layout === "package") return path;
  return path.startsWith(PAYLOAD) ? path.slice(PAYLOAD.length) : undefined;
}

/**
 * Detects the layout of a copy: the one in which more of these files exist. If neither has more, a copy that contains a
 * file beside `data/` is a package.
 *
 * @param paths the first files of the dataset; a thousand are sufficient
 * @param has whether the copy contains a file with this path
 */
export async function layoutOf(
  paths: readonly string[],
  has: (path: string) => boolean | Promise<boolean>,
): Promise<CopyLayout> {
  let [inPackage, inContent, beside] = [0, 0, 0];
  for (const path of paths) {
    const inner = pathInCopy(path, "content");
    if (inner === undefined) {
      if (await has(path)) beside += 1;
      continue;
    }
    if (await has(path)) inPackage += 1;
    if (await has(inner)) inContent += 1;
  }
  if (inPackage !== inContent) return inPackage > inContent ? "package" : "content";
  return beside > 0 ? "package" : "content";
}

/**
 * Whether a path in a copy belongs to the bag that the dataset was packed in (RFC 8493). The files of the dataset do not
 * include these files, because the service creates them with each download.
 */
export function isTagFileOfBag(path: string): boolean {
  return /^(?:bagit\.txt|bag-info\.txt|(?:tag)?manifest-sha(?:256|512)\.txt)$/.test(path);
}

/**
 * Whether a path leads to a file inside of the copy's folder. The paths of a hostile list could lead elsewhere.
 *
 * @param separators of the file system, such as `/\\` on Windows
 */
export function isPathInside(path: string, separators = "/"): boolean {
  const parts = [...separators].reduce((found, separator) => found.flatMap((part) => part.split(separator)), [path]);
  return !path.includes("\0") && parts.every((part) => part !== "" && part !== "." && part !== "..");
}
