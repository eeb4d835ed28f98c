import { createHash } from "node:crypto";
import type { JSONWebKeySet } from "jose";
import type { RegularFiles, ReportFinding } from "../../../packages/ocfl/src/index.ts";
import type { Receipt } from "../receipts/receipt.ts";
import { verifyReceipt } from "../receipts/signing.ts";
import type { ServiceCode } from "./codes.ts";

/** What other sources than the object's folder say about its receipts. Plain data, so that it can be sent to a thread. */
export interface KnownReceipts {
  /** The public keys of the archive. Without them no signature is checked. */
  keys?: JSONWebKeySet | undefined;
  /** The object is part of an archive: each version of a dataset must have a receipt. */
  isArchived?: boolean;
  /** The receipts that the database has: the name of the version → {@link fingerprintOf} of its receipt. */
  issued?: ReadonlyMap<string, string>;
}

/** A receipt names at most 6,000 keys of 1,024 bytes, which JSON and Base64 can make eight times as long. */
const RECEIPT_BYTES = 64 << 20;

/** The SHA-256 of a receipt in lower-case hex, without white space around it. */
export function fingerprintOf(jws: string): string {
  return createHash("sha256").update(jws.trim()).digest("hex");
}

/**
 * Compares a version's inventory with its signed receipt (docs/package-format.md, “The receipt”): the receipt holds the
 * inventory's SHA-512, and the inventory those of all files, so a change of content is found even where inventory and
 * sidecar were changed with it. The codes are this program's own: EL05 the receipt is invalid, EL06 the inventory is not
 * the one in the receipt.
 *
 * @param path of the receipt, a plain file in the object's folder
 * @returns true when the signature was checked and the receipt and the inventory are correct
 */
export async function checkReceipt(
  files: RegularFiles,
  { id, version, path }: { id: string | undefined; version: string; path: string },
  report: ReportFinding<ServiceCode>,
  { keys, issued }: KnownReceipts,
): Promise<boolean> {
  const invalid = (detail: string) => {
    report("EL05", path, detail);
    return false;
  };
  const jws = await files.text(path, RECEIPT_BYTES);
  const known = issued?.get(version);
  if (known !== undefined && (jws === undefined || fingerprintOf(jws) !== known)) {
    return invalid("The receipt is not the one that this service issued");
  }
  const verified = await verifyReceipt(jws ?? "", keys);
  if (!verified.ok) return invalid(verified.detail);
  const { dataset, digests } = verified.receipt;
  const inventory = `${version}/inventory.json`;
  if (dataset.identifier !== id || digests.inventory.path !== inventory || !isPossible(dataset, version)) {
    return invalid(`The receipt is for ${dataset.identifier}, version ${dataset.version}, ${digests.inventory.path}`);
  }
  if (!(await files.has(inventory))) return false;
  const digest = await files.digest(inventory, "sha512");
  if (digest === digests.inventory.sha512) return keys !== undefined;
  report("EL06", inventory, `The sha512 is ${digest}, but ${path} states ${digests.inventory.sha512}`);
  return false;
}

/** Metadata revisions also add versions to the OCFL object, so it has at least as many as the dataset. */
function isPossible(dataset: Receipt["dataset"], version: string): boolean {
  return Number.isInteger(dataset.version) && dataset.version >= 1 && dataset.version <= Number(version.slice(1));
}
