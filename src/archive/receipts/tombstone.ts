import { copyFile, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { walk } from "../../../packages/ocfl/src/index.ts";
import type { PublicAuthor } from "../../describe/metadata/normalized.ts";
import { isUuid } from "../../domain/uuid.ts";
import { makeFolder, syncFile, syncFolder, writeDurably } from "../folder/durable-writes.ts";

/** The record that remains of a withdrawn dataset, beside its receipts. Times are ISO 8601. */
export interface Tombstone {
  /** Tombstones that were written before the command `rebuild` existed have no owner. */
  dataset: {
    id: string;
    identifier: string;
    owner?: string;
    title: string;
    /** Of the newest version that was published. */
    authors?: PublicAuthor[];
    createdAt: string;
  };
  versions: {
    version: number;
    /** The version of the OCFL object, if it has another number. */
    ocflVersion?: number;
    submission: string;
    /** When the submission was accepted; absent if `owner` is. */
    acceptedAt?: string;
    publishedAt: string;
    objects: number;
    bytes: number;
  }[];
  withdrawn: { at: string; by: string; reason: string };
}

const FOLDER = "withdrawn";
const FILE = "tombstone.json";
/** Receipts and publication records. */
const SIGNED = ".jws";

/** The folder of a tombstone. It is beside the storage root, which may contain only datasets. */
export function tombstoneFolder(archive: string, datasetId: string): string {
  return join(archive, FOLDER, datasetId);
}

/** The tombstone of a dataset; undefined if there is none. */
export async function readTombstone(archive: string, datasetId: string): Promise<Tombstone | undefined> {
  if (!isUuid(datasetId)) return undefined;
  const text = await readFile(join(tombstoneFolder(archive, datasetId), FILE), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Tombstone);
}

/**
 * Whether a file in the logs of a dataset stays beside its tombstone: receipts and publication records. Review records do not,
 * because they contain personal data, like the other logs.
 */
export function isKeptAside(path: string): boolean {
  return path.endsWith(SIGNED) && !path.startsWith("review/");
}

/**
 * Creates a dataset's tombstone with its receipts and publication records. Other logs are left out, because they contain personal data. The
 * tombstone is absent or complete, also after a power loss. An existing one is not changed.
 */
export async function setTombstone(archive: string, object: string, tombstone: Tombstone): Promise<void> {
  const folder = tombstoneFolder(archive, tombstone.dataset.id);
  if ((await readTombstone(archive, tombstone.dataset.id)) !== undefined) return;
  const aside = join(dirname(folder), `.${tombstone.dataset.id}`);
  await rm(aside, { recursive: true, force: true });
  await makeFolder(aside);
  for await (const { path, kind } of walk(join(object, "logs"))) {
    if (kind !== "file" || !isKeptAside(path)) continue;
    const copy = join(aside, "logs", path);
    await makeFolder(dirname(copy));
    await copyFile(join(object, "logs", path), copy);
    await syncFile(copy);
    await syncFolder(dirname(copy));
  }
  await writeDurably(join(aside, FILE), `${JSON.stringify(tombstone, null, 2)}\n`);
  await rename(aside, folder);
  await syncFolder(dirname(folder));
}
