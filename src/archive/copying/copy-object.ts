import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { HashTable, InvalidJson, readManifest } from "../../../packages/ocfl/src/index.ts";
import { type ArchiveReader, readTextIfExists } from "../reader.ts";
import { LOGS_MANIFEST, readLogsManifest } from "../receipts/logs.ts";
import type { CopyTarget } from "./copy-target.ts";

const DIGEST_BYTES = 64;

/** Maps paths to their SHA-512. Stored outside the JavaScript heap, about 120 bytes for each file. */
class Digests {
  readonly #table = new HashTable();
  #digests = Buffer.alloc(DIGEST_BYTES * 1024);

  /** Number of paths. */
  get size(): number {
    return this.#table.size;
  }

  /** @param digest in hexadecimal */
  set(path: string, digest: string): void {
    this.#table.set(path, 1);
    const at = (this.#table.ordinal(path) ?? 0) * DIGEST_BYTES;
    if (at >= this.#digests.length) {
      const larger = Buffer.alloc(this.#digests.length * 2);
      this.#digests.copy(larger);
      this.#digests = larger;
    }
    this.#digests.write(digest, at, "hex");
  }

  /** In lower-case hexadecimal; undefined for an unknown path. */
  get(path: string): string | undefined {
    const ordinal = this.#table.ordinal(path);
    if (ordinal === undefined) return undefined;
    return this.#digests.toString("hex", ordinal * DIGEST_BYTES, (ordinal + 1) * DIGEST_BYTES);
  }
}

/** A dataset's files differ from its inventory. */
export class Damaged extends Error {}

/** The files that make a dataset visible, in the order in which they are written. */
const VISIBILITY_FILES = ["0=ocfl_object_1.1", "inventory.json.sha512", "inventory.json"];
const CONTENT = /^v\d+\/content\//;
const LOGS = /^logs\/v\d+\//;
const INVENTORY = /^v\d+\/inventory\.json$/;

interface Options {
  signal?: AbortSignal;
  passed?: (bytes: number) => void;
}

/**
 * Copies a dataset's files, and those that make it visible last. Verifies the SHA-512 of every file that an inventory,
 * a sidecar or the manifest of the logs names.
 *
 * @throws Damaged at the first file that is missing, unexpected or changed
 */
export async function copyObject(
  from: ArchiveReader,
  to: CopyTarget,
  object: string,
  { signal, passed }: Options,
): Promise<void> {
  const inventory = await sidecarOf(from, `${object}/inventory.json`);
  const manifest = await manifestOf(from, `${object}/inventory.json`, signal);
  const visibility = new Map<string, number>();
  const put = async (path: string, bytes: number, digest: string | undefined) => {
    signal?.throwIfAborted();
    await to.put(`${object}/${path}`, bytes, checked(await from.read(`${object}/${path}`), { path, digest, passed }));
  };
  let contents = 0;
  let logs = new Map<string, string>();
  let logsOf = "";
  for await (const { path: whole, bytes } of from.list(object)) {
    const path = whole.slice(object.length + 1);
    const folder = LOGS.exec(path)?.[0];
    if (folder !== undefined && folder !== logsOf) {
      logsOf = folder;
      logs = readLogsManifest((await readTextIfExists(from, `${object}/${folder}${LOGS_MANIFEST}`)) ?? "") ?? new Map();
    }
    if (VISIBILITY_FILES.includes(path)) visibility.set(path, bytes);
    else if (CONTENT.test(path)) {
      const digest = manifest.get(path);
      if (digest === undefined) throw new Damaged(`${path} is not in the inventory`);
      contents++;
      await put(path, bytes, digest);
    } else if (folder !== undefined) await put(path, bytes, logs.get(path.slice(folder.length)));
    else await put(path, bytes, INVENTORY.test(path) ? await sidecarOf(from, `${object}/${path}`) : undefined);
  }
  if (contents < manifest.size) throw new Damaged(`${manifest.size - contents} content files are missing`);
  for (const path of VISIBILITY_FILES) {
    const bytes = visibility.get(path);
    if (bytes === undefined) throw new Damaged(`${path} is missing`);
    await put(path, bytes, path === "inventory.json" ? inventory : undefined);
  }
}

/** The digest in an inventory's sidecar. */
async function sidecarOf(from: ArchiveReader, inventory: string): Promise<string> {
  return (await readTextIfExists(from, `${inventory}.sha512`))?.split(/\s/)[0] ?? "";
}

/** The content paths of the newest inventory with their digests. */
async function manifestOf(from: ArchiveReader, inventory: string, signal: AbortSignal | undefined): Promise<Digests> {
  const folder = await mkdtemp(join(tmpdir(), "accession-copy-"));
  try {
    const file = join(folder, "inventory.json");
    await pipeline(await from.read(inventory), createWriteStream(file, { mode: 0o600 }));
    const digests = new Digests();
    await readManifest(file, (contentPath, digest) => digests.set(contentPath, digest), signal);
    return digests;
  } catch (error) {
    if (error instanceof InvalidJson) throw new Damaged("inventory.json is not JSON");
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Passes content through and fails at its end if the digest differs, so that the receiver does not complete the file.
 */
async function* checked(
  content: AsyncIterable<Uint8Array>,
  { path, digest, passed }: { path: string; digest: string | undefined; passed: Options["passed"] },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha512");
  for await (const chunk of content) {
    hash.update(chunk);
    passed?.(chunk.length);
    yield chunk;
  }
  if (digest !== undefined && hash.digest("hex") !== digest)
    throw new Damaged(`${path} does not have the SHA-512 that its manifest states`);
}
