import { eachAtOnce } from "../each-at-once.ts";
import type { Bucket } from "./bucket.ts";
import { CROWN } from "./layout.ts";
import { abortUploads, copyObject } from "./uploads.ts";
import { isVisible } from "./visible.ts";

const COPIES = 8;

/**
 * Copies a sealed package to the content that stands at its place already; its root inventory, which makes it visible,
 * comes last.
 *
 * @param sealed with its slash; `object` without one
 * @throws Error when what was sealed is not there, or no longer: another worker may have published it meanwhile
 */
export async function publishSealed(bucket: Bucket, sealed: string, object: string): Promise<void> {
  const files = new Map<string, number>();
  for await (const page of bucket.pages(sealed)) {
    for (const { path, bytes } of page) files.set(path.slice(sealed.length), bytes);
  }
  const copy = async (name: string) => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`The sealed package has no ${name}`);
    await copyObject(bucket, { from: sealed + name, to: `${object}/${name}`, bytes });
  };
  const crown = new Set<string>(CROWN);
  for (const name of crown) if (!files.has(name)) throw new Error(`The sealed package has no ${name}`);
  await abortUploads(bucket, `${object}/`, "below");
  const rest = [...files.keys()].filter((name) => !crown.has(name));
  await eachAtOnce(rest, COPIES, copy);
  if (await isVisible(bucket, object)) throw new Error("The dataset has been published meanwhile");
  for (const name of CROWN) await copy(name);
}
