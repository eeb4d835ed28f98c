import { createHash } from "node:crypto";
import { ROOT_DECLARATION, SetFingerprint } from "../../../packages/ocfl/src/index.ts";
import { newestVersion } from "../archived-package.ts";
import { COLLECTIONS } from "../collections-file.ts";
import { changePath, newestChange } from "../identity/changes.ts";
import { IDENTITY } from "../identity/identity.ts";
import { ArchiveCorrupt } from "../read-archived.ts";
import { type ArchiveReader, readTextIfExists } from "../reader.ts";
import { JWKS } from "../receipts/jwks-file.ts";
import { isForeignFolder } from "../survey.ts";
import { inventoryOf } from "../versions.ts";
import { copyObject, Damaged } from "./copy-object.ts";
import type { CopyTarget } from "./copy-target.ts";

/** The result for one dataset. */
interface CopiedDataset {
  /** Its folder, relative to the archive. */
  object: string;
  /**
   * `skipped`: the target already has it. `damaged`: the source or the target differs from its inventory; nothing was
   * changed.
   */
  state: "copied" | "skipped" | "damaged";
  files: number;
  bytes: number;
  /** Description of the damage. */
  detail?: string;
}

interface CopyOptions {
  signal?: AbortSignal;
  /** Receives the number of bytes as they are copied. */
  passed?: (bytes: number) => void;
}

const OBJECT = /^(ocfl\/(?:[0-9a-f]{3}\/){3}[0-9a-f]{128})\/inventory\.json$/;
const TOMBSTONE = "/tombstone.json";
const OTHER = "The target has this dataset with another inventory";

/**
 * Copies an archive dataset by dataset. Every byte of content is hashed during the copy and compared with the
 * inventory. A dataset becomes visible when it is complete. The copy may be repeated after any interruption: it skips
 * datasets whose root inventory is the same in the target and whose files have the same sizes. Tombstones and public
 * keys are copied last. Nothing that is visible in the target is changed or removed.
 */
export async function* copyArchive(
  from: ArchiveReader,
  to: CopyTarget,
  options: CopyOptions = {},
): AsyncGenerator<CopiedDataset> {
  if ((await readTextIfExists(from, `ocfl/${ROOT_DECLARATION.name}`)) !== ROOT_DECLARATION.content) {
    throw new Error("The source is not an archive: ocfl/ is not an OCFL 1.1 storage root");
  }
  await to.prepare();
  const objects: string[] = [];
  for await (const path of from.names("ocfl", isForeignFolder)) objects.push(...(OBJECT.exec(path)?.slice(1) ?? []));
  for (const object of objects.sort()) {
    options.signal?.throwIfAborted();
    yield await copyDataset(from, to, object, options);
  }
  await copyTombstones(from, to);
  await copyKeys(from, to);
  await copyCollections(from, to);
  await copyIdentity(from, to);
  await copyChange(from, to);
}

async function copyDataset(
  from: ArchiveReader,
  to: CopyTarget,
  object: string,
  options: CopyOptions,
): Promise<CopiedDataset> {
  const here = await extentOf(from, object);
  const { files, bytes } = here;
  try {
    if (await isThere(from, to, object, here.fingerprint)) return { object, state: "skipped", files, bytes };
    await to.begin(object);
    try {
      await copyObject(from, to, object, options);
    } catch (error) {
      await to.drop(object).catch(() => undefined);
      throw error;
    }
    await to.publish(object);
    return { object, state: "copied", files, bytes };
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return { object, state: "damaged", files, bytes, detail: error.message };
  }
}

/** Whether the target has the dataset. @throws Damaged if the target's dataset is different or incomplete */
async function isThere(from: ArchiveReader, to: CopyTarget, object: string, fingerprint: string): Promise<boolean> {
  const inventory = await digestOf(to, `${object}/inventory.json`);
  if (inventory === undefined) return false;
  if (inventory !== (await digestOf(from, `${object}/inventory.json`))) {
    throw new Damaged(await otherInventory(from, to, object));
  }
  if ((await extentOf(to, object)).fingerprint !== fingerprint) {
    throw new Damaged("The target has this dataset with different files or file sizes");
  }
  return true;
}

/** Describes how the target's dataset differs. Existing datasets are never changed, even if they are only older. */
async function otherInventory(from: ArchiveReader, to: CopyTarget, object: string): Promise<string> {
  const inventory = `${object}/inventory.json`;
  const [here, there] = await Promise.all([from, to].map((archive) => newestVersion(archive, object))).catch(
    (error: unknown) => {
      if (error instanceof ArchiveCorrupt) return [];
      throw error;
    },
  );
  if (here === undefined || there === undefined) return OTHER;
  const isOlder =
    there < here && (await digestOf(to, inventory)) === (await digestOf(from, `${object}/${inventoryOf(there)}`));
  if (!isOlder) return OTHER;
  return `The target has version ${there} of this dataset, the source has version ${here}. A copy does not change existing datasets. Copy into an empty archive`;
}

/** Number of files and bytes of a dataset, and a fingerprint of its paths and sizes. */
async function extentOf(
  archive: ArchiveReader,
  object: string,
): Promise<{ files: number; bytes: number; fingerprint: string }> {
  const set = new SetFingerprint();
  const sum = { files: 0, bytes: 0 };
  for await (const { path, bytes } of archive.list(object)) {
    set.add(`${bytes} ${path}`);
    sum.files++;
    sum.bytes += bytes;
  }
  return { ...sum, fingerprint: set.toString() };
}

async function digestOf(archive: ArchiveReader, path: string): Promise<string | undefined> {
  const hash = createHash("sha512");
  try {
    for await (const chunk of await archive.read(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}

/** Copies each tombstone after its receipts, in the order in which they were created. */
async function copyTombstones(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const known = new Set<string>();
  for await (const path of to.names("withdrawn")) known.add(path);
  const files: { path: string; bytes: number }[] = [];
  for await (const file of from.list("withdrawn")) if (!known.has(file.path)) files.push(file);
  files.sort((a, b) => Number(a.path.endsWith(TOMBSTONE)) - Number(b.path.endsWith(TOMBSTONE)));
  for (const { path, bytes } of files) await to.put(path, bytes, await from.read(path));
}

/** Writes the keys of both archives, because the target may have signed receipts too. */
async function copyKeys(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const here = await readTextIfExists(from, JWKS);
  const there = await readTextIfExists(to, JWKS);
  if (here === undefined || here === there) return;
  const keysIn = (text: string) => (JSON.parse(text) as { keys: { kid?: string }[] }).keys;
  const known = there === undefined ? [] : keysIn(there);
  const missing = keysIn(here).filter(({ kid }) => !known.some((key) => key.kid === kid));
  const text = there === undefined ? here : `${JSON.stringify({ keys: [...known, ...missing] }, null, 2)}\n`;
  const content = Buffer.from(text);
  if (there === undefined || missing.length > 0) await to.put(JWKS, content.length, one(content));
}

/** Collections have no history: those of the archive replace those of the copy. */
async function copyCollections(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const text = await readTextIfExists(from, COLLECTIONS);
  if (text === undefined || text === (await readTextIfExists(to, COLLECTIONS))) return;
  const content = Buffer.from(text);
  await to.put(COLLECTIONS, content.length, one(content));
}

/** Gives the copy the id of the archive, so that a database that was used with the archive accepts it; an existing id stays. */
async function copyIdentity(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const text = await readTextIfExists(from, IDENTITY);
  if (text === undefined || (await to.size(IDENTITY)) !== undefined) return;
  const content = Buffer.from(text);
  await to.put(IDENTITY, content.length, one(content));
}

/**
 * With the number of the last change, a database that is older than the copy is noticed. Read last: a number that is too high
 * only asks for a rebuild.
 */
async function copyChange(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const change = await newestChange(from);
  if (change > (await newestChange(to))) await to.put(changePath(change), 0, one(Buffer.alloc(0)));
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
