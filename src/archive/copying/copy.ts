import { createHash } from "node:crypto";
import { ROOT_DECLARATION, SetFingerprint } from "../../../packages/ocfl/src/index.ts";
import { newestVersion } from "../archived-package.ts";
import { ArchiveCorrupt } from "../read-archived.ts";
import { readTextIfExists } from "../read-text.ts";
import type { ArchiveReader } from "../reader.ts";
import { JWKS } from "../receipts/jwks-file.ts";
import { isForeignFolder } from "../survey.ts";
import { inventoryOf } from "../versions.ts";
import { copyObject, Damaged } from "./copy-object.ts";
import type { CopyTarget } from "./copy-target.ts";

/** What became of a dataset. */
interface CopiedDataset {
  /** Its folder, below the archive. */
  object: string;
  /** `skipped`: it was there already. `damaged`: one of the two is not what its inventory says; nothing was changed. */
  state: "copied" | "skipped" | "damaged";
  files: number;
  bytes: number;
  /** What is wrong, in words. */
  detail?: string;
}

interface CopyOptions {
  signal?: AbortSignal;
  /** Told of bytes as they pass. */
  passed?: (bytes: number) => void;
}

const OBJECT = /^(ocfl\/(?:[0-9a-f]{3}\/){3}[0-9a-f]{128})\/inventory\.json$/;
const TOMBSTONE = "/tombstone.json";
const OTHER = "The target has it with another inventory";

/**
 * Copies an archive dataset by dataset. Every byte of content is hashed on the way and held against the inventory; a
 * dataset is visible when all of it is there, or not at all. May be run again after any end: datasets whose root
 * inventory is there already, the same one and with files of the same sizes, are passed over. Then tombstones and public
 * keys follow. Nothing that is visible in the target is changed or removed.
 */
export async function* copyArchive(
  from: ArchiveReader,
  to: CopyTarget,
  options: CopyOptions = {},
): AsyncGenerator<CopiedDataset> {
  if ((await readTextIfExists(from, `ocfl/${ROOT_DECLARATION.name}`)) !== ROOT_DECLARATION.content) {
    throw new Error("There is no archive to be copied: ocfl/ is no OCFL 1.1 storage root");
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

/** @throws Damaged when what is there already is another one, or not whole */
async function isThere(from: ArchiveReader, to: CopyTarget, object: string, fingerprint: string): Promise<boolean> {
  const inventory = await digestOf(to, `${object}/inventory.json`);
  if (inventory === undefined) return false;
  if (inventory !== (await digestOf(from, `${object}/inventory.json`))) {
    throw new Damaged(await otherInventory(from, to, object));
  }
  if ((await extentOf(to, object)).fingerprint !== fingerprint) {
    throw new Damaged("The target has it with other files, or files of other sizes");
  }
  return true;
}

/** What is there is never changed, also where it is but older. */
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
  return `The target has version ${there} of it, the source ${here}; datasets that are there are not changed: copy into an empty archive`;
}

/** How much there is of a dataset, and its paths and sizes as a fingerprint. */
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

/** A tombstone follows its receipts, as where it was set up. */
async function copyTombstones(from: ArchiveReader, to: CopyTarget): Promise<void> {
  const known = new Set<string>();
  for await (const path of to.names("withdrawn")) known.add(path);
  const files: { path: string; bytes: number }[] = [];
  for await (const file of from.list("withdrawn")) if (!known.has(file.path)) files.push(file);
  files.sort((a, b) => Number(a.path.endsWith(TOMBSTONE)) - Number(b.path.endsWith(TOMBSTONE)));
  for (const { path, bytes } of files) await to.put(path, bytes, await from.read(path));
}

/** Keys that either knows: a target may have signed receipts of its own. */
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

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
