import type { Bucket } from "./bucket.ts";
import { Sizes } from "./sizes.ts";

const CONTENT = /^(v\d+\/content)\/(.+)$/s;

/**
 * The sizes of what a dataset's versions hold, by paths relative to its object; undefined where nothing lies.
 * @param object without a slash at the end
 */
export function sizesOfVersions(
  bucket: Bucket,
  object: string,
): (paths: readonly string[]) => Promise<(number | undefined)[]> {
  const folders = new Map<string, Sizes>();
  return async (paths) => {
    const found = new Map<string, number | undefined>();
    const byFolder = Map.groupBy(paths, (path) => CONTENT.exec(path)?.[1] ?? "");
    for (const [folder, here] of byFolder) {
      const sizes = folders.get(folder) ?? new Sizes(bucket, `${object}/${folder}`);
      folders.set(folder, sizes);
      const bytes = await sizes.of(here.map((path) => path.slice(folder.length + 1)));
      for (const [index, path] of here.entries()) found.set(path, bytes[index]);
    }
    return paths.map((path) => found.get(path));
  };
}
