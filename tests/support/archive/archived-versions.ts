import { join } from "node:path";
import { expect } from "vitest";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../../src/archive/validation/check-root.ts";
import type { Api, Submission } from "../api/api.ts";
import { findPackage, sha512 } from "./package.ts";

export type Archived = Submission & { dataset: { id: string; version: number } };

/** Submits a bucket and waits until it is archived. */
export async function submitAndArchive(api: Api, access: object, more: object = {}): Promise<Archived> {
  const { id } = await api.submit(access, more);
  const { dataset, ...rest } = await api.until(id, ["completed"]);
  if (dataset === null) throw new Error("A completed submission has no dataset");
  return { ...rest, dataset };
}

/** Submits a bucket as the next version of a dataset and waits until it is archived. */
export function submitNextVersion(
  api: Api,
  access: object,
  dataset: { id: string },
  more: object = {},
): Promise<Archived> {
  return submitAndArchive(api, access, { dataset: { id: dataset.id }, ...more });
}

/** Keys of objects that were read completely. The check before a submission reads only their first bytes. */
export function fullyReadKeys(s3: S3Server): string[] {
  const reads = s3.history.filter(({ operation, headers }) => operation === "get" && headers.range === undefined);
  return reads.map(({ key }) => key).toSorted();
}

/** Digests of the objects of a bucket, by key. */
export async function contentDigests(s3: S3Server, bucket: string): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const key of s3.keys(bucket)) contents.set(key, await sha512(s3.body(bucket, key)));
  return contents;
}

/** Expects that a version contains exactly these objects, byte for byte. */
export async function expectContents(
  archive: string,
  dataset: string,
  version: number,
  contents: ReadonlyMap<string, string>,
): Promise<void> {
  const { files, manifest } = await findPackage(archive, dataset, version);
  const held = new Map<string, string>();
  for (const { key, path } of manifest.filter(({ excluded }) => excluded === undefined)) {
    held.set(String(key), await sha512(files.get(String(path))?.file ?? "missing"));
  }
  expect(held).toEqual(contents);
  expect([...files.keys()].filter((path) => path.startsWith("data/"))).toHaveLength(contents.size);
}

/** Expects that downloads of a version return exactly these objects. */
export async function expectDownloads(
  api: Api,
  dataset: string,
  version: number,
  contents: ReadonlyMap<string, string>,
): Promise<void> {
  const digests: string[] = [];
  const { json } = await api.get(`/dataset/${dataset}/files?version=${version}&limit=1000&prefix=data/`);
  for (const { path, sha512: said } of json) {
    const place = path.split("/").map(encodeURIComponent).join("/");
    const answer = await fetch(`${api.url}/dataset/${dataset}/files/${place}?version=${version}`);
    expect(answer.status, path).toBe(200);
    expect(await sha512(Buffer.from(await answer.arrayBuffer())), path).toBe(said);
    digests.push(said);
  }
  expect(digests.toSorted()).toEqual([...contents.values()].toSorted());
}

/** Expects that every object of the archive is valid, without a warning. */
export async function expectValid(archive: string): Promise<void> {
  expect((await checkRoot(join(archive, "ocfl"))).findings).toEqual([]);
}
