import { ROOT_DECLARATION } from "../../../packages/ocfl/src/index.ts";
import { checkRootFiles, LAYOUT_FILES } from "../layout.ts";
import type { Bucket } from "./bucket.ts";
import { urlOf } from "./layout.ts";

/**
 * Creates the archive's OCFL storage root, its declaration last, or checks the existing one.
 * @throws Error for a root of another kind or a prefix in use; Problem if the bucket cannot be read or written
 */
export async function makeS3Root(bucket: Bucket): Promise<void> {
  const root = `${urlOf(bucket.place)}/ocfl`;
  const read = (path: string) => bucket.text(`ocfl/${path}`);
  if ((await read(ROOT_DECLARATION.name)) !== undefined) return checkRootFiles(root, read);
  const ours = new Set<string>(LAYOUT_FILES.map(([path]) => `ocfl/${path}`));
  for await (const page of bucket.pages("ocfl/")) {
    const foreign = page.find(({ path }) => !ours.has(path));
    if (foreign === undefined) continue;
    throw new Error(
      `${root} is not an OCFL storage root and is not empty (it contains “${foreign.path}”). Choose an empty prefix`,
    );
  }
  for (const [path, content] of LAYOUT_FILES.toReversed()) await bucket.put(`ocfl/${path}`, content);
  await bucket.put(`ocfl/${ROOT_DECLARATION.name}`, ROOT_DECLARATION.content);
}
