import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestFile, findContentPath } from "../../../packages/ocfl/src/index.ts";
import { datasetUrn } from "../../domain/uuid.ts";
import { datasetFolder } from "../layout.ts";
import type { PublicationRecord } from "./publication-record.ts";
import type { Receipt } from "./receipt.ts";
import { readTombstone } from "./tombstone.ts";

/** One difference between the archive and a receipt. */
interface Disagreement {
  code:
    | "dataset_missing"
    | "dataset_withdrawn"
    | "inventory_missing"
    | "inventory_changed"
    | "sidecar_changed"
    | "manifest_missing"
    | "manifest_changed"
    | "receipt_invalid";
  /** Relative to the archive's folder. */
  path: string;
  detail: string;
}

/**
 * Compares a receipt with the archive it was written for: the dataset's object, the inventory of its version (its bytes and
 * its sidecar), and the source manifest (its bytes). Reads the manifest and the inventory; `validateDataset` reads other content.
 * `archiveFolder` is the folder that contains `ocfl/`. Returns an empty list if everything matches.
 */
export async function checkReceiptAgainst(receipt: Receipt, archiveFolder: string): Promise<Disagreement[]> {
  const { identifier, id, version } = receipt.dataset;
  const { inventory } = receipt.digests;
  const [, ocflVersion] = /^v([1-9]\d*)\/inventory\.json$/.exec(inventory.path) ?? [];
  if (identifier !== datasetUrn(id) || ocflVersion === undefined || version > Number(ocflVersion)) {
    return [
      {
        code: "receipt_invalid",
        path: "",
        detail: "The receipt's identifier or inventory path contradicts its dataset id or version",
      },
    ];
  }
  const object = datasetFolder(id);
  const declared = await readFile(join(archiveFolder, object, "0=ocfl_object_1.1"), "utf8").catch(() => undefined);
  if (declared === undefined) {
    const withdrawn = (await readTombstone(archiveFolder, id))?.withdrawn;
    if (withdrawn !== undefined) {
      const detail = `The dataset was withdrawn on ${withdrawn.at} by ${withdrawn.by}: ${withdrawn.reason}`;
      return [{ code: "dataset_withdrawn", path: object, detail }];
    }
    return [
      { code: "dataset_missing", path: object, detail: `The archive does not contain the dataset ${identifier}` },
    ];
  }
  const found: Disagreement[] = [];
  const inventoryFile = join(object, inventory.path);
  const real = await digestOf(join(archiveFolder, inventoryFile));
  if (real === undefined) {
    found.push({ code: "inventory_missing", path: inventoryFile, detail: "The version's inventory cannot be read" });
    return found;
  }
  if (real !== inventory.sha512) {
    found.push({ code: "inventory_changed", path: inventoryFile, detail: differ(real, inventory.sha512) });
  }
  const sidecarFile = `${inventoryFile}.sha512`;
  const sidecar = await readFile(join(archiveFolder, sidecarFile), "utf8").catch(() => "");
  if (sidecar.split(/\s/, 1)[0] !== inventory.sha512) {
    found.push({
      code: "sidecar_changed",
      path: sidecarFile,
      detail: "The sidecar's digest differs from the one in the receipt",
    });
  }
  const manifest = await checkManifest(receipt, archiveFolder, object);
  return manifest === undefined ? found : [...found, manifest];
}

/**
 * Compares a publication record with the archive it was written for: the inventory that it names is there, with its digest.
 * Returns an empty list if everything matches.
 */
export async function checkRecordAgainst(
  { dataset, digests: { inventory } }: PublicationRecord,
  archiveFolder: string,
): Promise<Disagreement[]> {
  const isPath = /^v[1-9]\d*\/inventory\.json$/.test(inventory.path);
  if (!isPath || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(dataset.id)) {
    const detail = "The record's dataset id or inventory path is invalid";
    return [{ code: "receipt_invalid", path: "", detail }];
  }
  const path = join(datasetFolder(dataset.id), inventory.path);
  const real = await digestOf(join(archiveFolder, path));
  if (real === undefined) {
    return [{ code: "inventory_missing", path, detail: "The inventory that the record names cannot be read" }];
  }
  return real === inventory.sha512 ? [] : [{ code: "inventory_changed", path, detail: differ(real, inventory.sha512) }];
}

async function checkManifest(
  { digests: { inventory, sourceManifest } }: Receipt,
  archiveFolder: string,
  object: string,
): Promise<Disagreement | undefined> {
  const inventoryFile = join(archiveFolder, object, inventory.path);
  const contentPath = await findContentPath(inventoryFile, dirname(inventory.path), sourceManifest.path).catch(
    () => undefined,
  );
  const path = join(object, contentPath ?? sourceManifest.path);
  const real = contentPath === undefined ? undefined : await digestOf(join(archiveFolder, path));
  if (real === undefined) {
    return { code: "manifest_missing", path, detail: "The source manifest cannot be found or read" };
  }
  if (real === sourceManifest.sha512) return undefined;
  return { code: "manifest_changed", path, detail: differ(real, sourceManifest.sha512) };
}

async function digestOf(file: string): Promise<string | undefined> {
  return digestFile(file, "sha512").then(
    ({ digest }) => digest,
    () => undefined,
  );
}

function differ(real: string, receipt: string): string {
  return `Its SHA-512 is ${real}, the receipt says ${receipt}`;
}
