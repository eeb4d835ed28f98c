import { join } from "node:path";
import {
  digester,
  entriesOf,
  type ParsedObject,
  type RegularFiles,
  type ReportFinding,
  walk,
} from "../../../packages/ocfl/src/index.ts";
import { RECORD_KINDS } from "../../publication/rules/publication.ts";
import { LOGS_MANIFEST, readLogsManifest } from "../receipts/logs.ts";
import { checkReceipt, type KnownReceipts } from "./check-receipts.ts";
import { checkRecords } from "./check-records.ts";
import type { ServiceCode } from "./codes.ts";

type Report = ReportFinding<ServiceCode>;

const RECEIPT = "receipt.jws";
/** A manifest of the logs has at most some hundred lines. A larger file is not one. */
const MANIFEST_BYTES = 1 << 20;

/** The identifiers of datasets in an archive of this software. Objects with other identifiers need no receipt. */
const DATASET_ID = /^urn:uuid:/;

/** How many versions an object has, and how many of their receipts were verified with the keys. */
export interface CheckedReceipts {
  versions: number;
  receiptsVerified: number;
}

/**
 * Checks the logs that this software writes beside each version (docs/package-format.md, “Outside the versions”). Each file
 * in their manifest exists and has its digest, there are no other files, and the version's inventory is the one that its
 * receipt was signed for. OCFL says nothing about logs, so the codes are this software's own: EL01 changed, EL02 missing,
 * EL03 unexpected, EL04 no manifest, EL05 and EL06 about receipts, WL01 no logs at all. Logs may be left out when a dataset
 * is copied out of its archive; in an archive each version has a receipt, and one that is missing is EL02. Logs of other
 * software are not checked.
 */
export async function checkLogs(
  object: ParsedObject,
  report: Report,
  { receipts = {}, signal }: { receipts?: KnownReceipts | undefined; signal?: AbortSignal | undefined } = {},
): Promise<CheckedReceipts> {
  const { files } = object;
  const signed: CheckedReceipts = { versions: 0, receiptsVerified: 0 };
  let areOurs = false;
  const issued = new Set(receipts.issued?.keys());
  const isArchived = receipts.isArchived === true && DATASET_ID.test(object.id ?? "");
  for (const version of object.versions) {
    signed.versions += 1;
    const logs = `logs/${version}`;
    const path = `${logs}/${RECEIPT}`;
    const hasReceipt = await files.has(path);
    if (hasReceipt || (await files.has(`${logs}/${LOGS_MANIFEST}`))) {
      areOurs = true;
      const named = await checkVersionLogs(files, logs, report, signal);
      await checkReceiptsInventory(files, version, report);
      if (hasReceipt || named.has(RECEIPT)) issued.delete(version);
      else if (!issued.has(version))
        report("EL02", path, "The receipt is missing, but other logs of the version exist");
      if (hasReceipt && named.get(RECEIPT) !== "changed") {
        const isVerified = await checkReceipt(files, { id: object.id, version, path }, report, receipts);
        if (isVerified) signed.receiptsVerified += 1;
      }
    } else if (isArchived && !issued.has(version)) {
      report("EL02", path, "The receipt is missing; in an archive each version has one");
    } else if (!issued.has(version) && hasManifest(object, version)) {
      report("WL01", logs, "The receipt and the other logs of this version are missing");
    }
  }
  for (const version of issued) {
    report("EL02", `logs/${version}/${RECEIPT}`, "The receipt is missing; the service issued one for this version");
  }
  if (!areOurs) return signed;
  for await (const { name } of entriesOf(join(files.folder, "logs"))) {
    const kind = RECORD_KINDS.find((one) => one === name);
    if (kind !== undefined) await checkRecords(files, { kind, id: object.id, keys: receipts.keys }, report);
    else if (!object.hasVersion(name)) report("EL03", `logs/${name}`, "The folder does not belong to any version");
  }
  return signed;
}

function hasManifest({ contentDirectory, hasContent }: ParsedObject, version: string): boolean {
  return hasContent(`${version}/${contentDirectory}/metadata/source-manifest.jsonl`);
}

/** Checks each file that the manifest of the logs names. @returns the result for each file */
async function checkVersionLogs(
  files: RegularFiles,
  logs: string,
  report: Report,
  signal?: AbortSignal,
): Promise<Map<string, "held" | "changed" | "missing">> {
  const found = new Map<string, "held" | "changed" | "missing">();
  const manifest = `${logs}/${LOGS_MANIFEST}`;
  const text = await files.text(manifest, MANIFEST_BYTES);
  const digests = text === undefined ? undefined : readLogsManifest(text);
  if (digests === undefined) {
    const why = (await files.has(manifest)) ? "has an invalid format" : "is missing";
    report("EL04", manifest, `The manifest of the logs ${why}`);
    return found;
  }
  for (const [name, wanted] of digests) {
    const path = `${logs}/${name}`;
    if (await files.has(path)) found.set(name, await checkLog(files, path, { wanted, manifest }, report, signal));
    else {
      report("EL02", path, `The file is missing; ${manifest} names it`);
      found.set(name, "missing");
    }
  }
  // The check of the object's folder has already reported folders that cannot be read.
  for await (const { path, kind } of walk(join(files.folder, logs), () => undefined)) {
    if (digests.has(path) || path === LOGS_MANIFEST || (kind !== "file" && kind !== "undecodable")) continue;
    report("EL03", `${logs}/${path}`, `The file is not in ${manifest}`);
  }
  return found;
}

async function checkLog(
  files: RegularFiles,
  path: string,
  { wanted, manifest }: { wanted: string; manifest: string },
  report: Report,
  signal: AbortSignal | undefined,
): Promise<"held" | "changed"> {
  const hash = digester("sha512");
  const digest = await files
    .read(path, (piece) => hash.update(piece), signal)
    .then(
      () => hash.digest(),
      (error: NodeJS.ErrnoException) => {
        signal?.throwIfAborted();
        return error.code ?? "unreadable";
      },
    );
  if (digest === wanted) return "held";
  report("EL01", path, `The sha512 is ${digest}, but ${manifest} states ${wanted}`);
  return "changed";
}

/** OCFL only recommends an inventory for each version. A receipt requires it, because it holds its digest. */
async function checkReceiptsInventory(files: RegularFiles, version: string, report: Report): Promise<void> {
  const path = `${version}/inventory.json`;
  if (await files.has(path)) return;
  report("EL02", path, "The file is missing; the receipt names it");
}
