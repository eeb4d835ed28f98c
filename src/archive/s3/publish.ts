import { forEachConcurrently } from "../for-each-concurrently.ts";
import { datasetFolder } from "../layout.ts";
import type { Committed } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { contentFolderPath, incomingPath, sealedPath, visibilityFiles } from "./layout.ts";
import { abortUploads, copyObject } from "./uploads/uploads.ts";
import { visibleVersion } from "./visibility.ts";

const COPIES = 8;

/**
 * Copies a sealed package to its final path. Content of a later version is copied too; content of a first version is
 * already there. The root inventory, which makes the version visible, is copied last.
 *
 * @throws Error if the sealed package does not exist, or no longer: another worker may have published it meanwhile
 */
export async function publishSealed(bucket: Bucket, committed: Committed): Promise<void> {
  const { submission, dataset, version, fence } = committed;
  const object = datasetFolder(dataset);
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
  // An earlier version's files must never replace a later version's inventory. The sealed package is removed before a
  // later one can exist.
  if ((await visibleVersion(bucket, object)) >= version) throw new Error("The dataset has been published meanwhile");
  for (const name of visibility) await copy(name);
}

/** Copies all objects below a path to another path. */
async function copyBelow(bucket: Bucket, from: string, to: string): Promise<void> {
  for await (const page of bucket.pages(`${from}/`)) {
    await forEachConcurrently(page, COPIES, ({ path, bytes }) =>
      copyObject(bucket, { from: path, to: to + path.slice(from.length), bytes }),
    );
  }
}
