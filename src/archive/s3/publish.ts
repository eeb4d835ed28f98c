import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { Committed } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { contentFolderPath, incomingPath, objectPath, sealedPath, visibilityFiles } from "./layout.ts";
import { abortUploads, copyObject } from "./uploads/uploads.ts";
import { visibleVersion } from "./visibility.ts";

const COPIES = 8;

/**
 * Copies a sealed package to its place, and the content of a later version, that of a first one being there; the root
 * inventory, which makes it visible, comes last.
 *
 * @throws Error when what was sealed is not there, or no longer: another worker may have published it meanwhile
 */
export async function publishSealed(bucket: Bucket, committed: Committed): Promise<void> {
  const { submission, dataset, version, fence } = committed;
  const object = objectPath(dataset);
  const sealed = sealedPath(submission, fence);
  const files = new Map<string, number>();
  for await (const page of bucket.pages(sealed)) {
    for (const { path, bytes } of page) files.set(path.slice(sealed.length), bytes);
  }
  const copy = async (name: string) => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`The sealed package has no ${name}`);
    await copyObject(bucket, { from: sealed + name, to: `${object}/${name}`, bytes });
  };
  const visibility = new Set(visibilityFiles(version));
  for (const name of visibility) if (!files.has(name)) throw new Error(`The sealed package has no ${name}`);
  await abortUploads(bucket, `${object}/`, "below");
  if (version > 1) await copyBelow(bucket, incomingPath(committed), contentFolderPath(dataset, version));
  const rest = [...files.keys()].filter((name) => !visibility.has(name));
  await forEachConcurrently(rest, COPIES, copy);
  // What makes a version visible is never copied over a later one: what was sealed is removed before that can be made.
  if ((await visibleVersion(bucket, object)) >= version) throw new Error("The dataset has been published meanwhile");
  for (const name of visibility) await copy(name);
}

/** Copies everything below a path to below another. */
async function copyBelow(bucket: Bucket, from: string, to: string): Promise<void> {
  for await (const page of bucket.pages(`${from}/`)) {
    await forEachConcurrently(page, COPIES, ({ path, bytes }) =>
      copyObject(bucket, { from: path, to: to + path.slice(from.length), bytes }),
    );
  }
}
