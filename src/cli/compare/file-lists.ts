import { createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { DatasetFile } from "../../../packages/client/src/index.ts";
import { digestFile, readVersion } from "../../../packages/ocfl/src/index.ts";
import type { Receipt } from "../../archive/receipts/receipt.ts";
import { verifyReceipt } from "../../archive/receipts/signing.ts";
import type { Client } from "../client/client.ts";
import { readJwks } from "../client/jwks.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { readTextFile } from "../terminal/read-input.ts";
import { show } from "../terminal/text.ts";
import type { ListedFile } from "./folder-comparison.ts";

/** A dataset of a service, by its address. */
export interface DatasetAddress {
  client: Client;
  id: string;
  /** Undefined for the latest version. */
  version?: number;
}

/** The files of a version of a dataset, and where the list comes from. */
export interface FileList {
  dataset: { identifier: string; version: number; title: string };
  /** Number and bytes of the objects of the bucket, for the progress. */
  objects: number;
  bytes: number;
  source: "service" | "inventory" | "source manifest";
  /** Whether the receipt's signature was verified. Undefined if the list comes from the service. */
  signer?: "established" | "not established";
  /** Calls `take` for each batch of files; the next one is read after its promise resolves. */
  read(take: (files: ListedFile[]) => Promise<void>): Promise<void>;
}

/** Files in a batch. */
const BATCH = 1_000;
/** The source manifest in an unpacked package. */
const SOURCE_MANIFEST = "metadata/source-manifest.jsonl";

/** The files of a dataset, as the service lists them. @throws Failure */
export async function listFromService({ client, id, version }: DatasetAddress): Promise<FileList> {
  const query = version === undefined ? {} : { version };
  const found = await client.ask(client.api.GET("/dataset/{id}", { params: { path: { id }, query } }));
  // The same version for each page, also if a new one is published meanwhile.
  const chosen = version ?? found.version;
  const entry = found.versions.find((one) => one.version === chosen);
  if (entry === undefined) throw new Failure(1, show`${found.identifier} has no version ${chosen}`);
  const { title, identifier } = found;
  return {
    dataset: { identifier, version: chosen, title },
    objects: entry.objects,
    bytes: entry.bytes,
    source: "service",
    async read(take) {
      const path = { id };
      const pages = client.pages((page) =>
        client.api.GET("/dataset/{id}/files", { params: { path, query: { version: chosen, ...page } } }),
      );
      await inBatches(pages, ({ path, bytes, sha512 }: DatasetFile) => ({ path, bytes, sha512 }), take);
    },
  };
}

export interface OfReceipt {
  /** File with the receipt. */
  receipt: string;
  /** File with the list: the inventory or the source manifest that the receipt names. Default: that of the copy. */
  list?: string | undefined;
  /** File or URL with the public keys. Without them the signature is not verified. */
  jwks?: string | undefined;
}

/**
 * The files of a dataset by its receipt, without the service. A receipt does not list the files. It states the SHA-512 of
 * two lists, and one of them must exist as a file: the inventory of the version, or the source manifest, which each
 * package contains.
 *
 * @param folder the copy
 * @throws Failure 1 if the receipt is not valid, or the list is not the one that the receipt was signed for
 */
export async function listFromReceipt(folder: string, { receipt: file, list, jwks }: OfReceipt): Promise<FileList> {
  const jws = await readTextFile(file, "The receipt");
  const verified = await verifyReceipt(jws, jwks === undefined ? undefined : await readJwks(jwks));
  if (!verified.ok) throw new Failure(1, show`The receipt is not valid: ${verified.detail}`);
  const { receipt, signer } = verified;
  const named = list ?? join(folder, SOURCE_MANIFEST);
  const source = await kindOf(named, receipt, list === undefined);
  const { dataset, title, counts, bytes } = receipt;
  const state = dirname(receipt.digests.inventory.path);
  return {
    dataset: { identifier: dataset.identifier, version: dataset.version, title },
    objects: counts.stored,
    bytes,
    source,
    signer,
    read: (take) =>
      source === "inventory"
        ? readVersion(named, state, (files) =>
            take(files.map(({ path, digest }) => ({ path, sha512: digest.toLowerCase() }))),
          )
        : inBatches(linesOf(named), storedFile, take),
  };
}

/** Which list of the receipt a file is, by its digest. @throws Failure if it is none of them */
async function kindOf(file: string, { digests }: Receipt, isDefault: boolean): Promise<FileList["source"]> {
  const found = await digestFile(file, "sha512").catch((error: unknown) => {
    const advice = isDefault
      ? ". Name the inventory or the source manifest of the version with --list, or compare with the address of the dataset"
      : "";
    throw new Failure(2, show`The list of files ${file} cannot be read: ${reasonOf(error)}${advice}`);
  });
  if (found.digest === digests.sourceManifest.sha512) return "source manifest";
  if (found.digest === digests.inventory.sha512) return "inventory";
  throw new Failure(
    1,
    show`${file} is not a list that the receipt was signed for: its SHA-512 is ${found.digest}, and the receipt states ${digests.sourceManifest.sha512} for the source manifest and ${digests.inventory.sha512} for the inventory`,
  );
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

/** The file in a line of the source manifest; undefined for an excluded object. */
function storedFile(line: string): ListedFile | undefined {
  const { path, bytes, sha512 } = JSON.parse(line) as Partial<ListedFile>;
  return path === undefined || sha512 === undefined ? undefined : { path, bytes, sha512 };
}

async function inBatches<T>(
  entries: AsyncIterable<T>,
  fileOf: (entry: T) => ListedFile | undefined,
  take: (files: ListedFile[]) => Promise<void>,
): Promise<void> {
  let batch: ListedFile[] = [];
  for await (const entry of entries) {
    const file = fileOf(entry);
    if (file !== undefined) batch.push(file);
    if (batch.length < BATCH) continue;
    await take(batch);
    batch = [];
  }
  if (batch.length > 0) await take(batch);
}
