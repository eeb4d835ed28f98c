import { join } from "node:path";
import {
  entriesOf,
  isDeclaration,
  type RegularFiles,
  type ReportFinding,
  validateStorageRoot,
  walk,
} from "../../../packages/ocfl/src/index.ts";
import { LAYOUT_EXTENSION, LAYOUT_FILES } from "../layout.ts";
import type { CheckedReceipts } from "./check-logs.ts";
import { type Checked, datasetChecks } from "./check-object.ts";
import type { KnownReceipts } from "./check-receipts.ts";
import type { ServiceCode } from "./codes.ts";
import type { UnfinishedVersion } from "./unfinished-version.ts";

/** The result of the check of a storage root, over all its objects. */
export interface CheckedRoot extends Checked {
  objects: number;
}

interface RootOptions {
  signal?: AbortSignal;
  /** Versions that are being published. Their files are ignored until the version is visible. */
  unfinished?: readonly UnfinishedVersion[];
  /** What the receipts of the objects are compared with, besides their inventories. */
  receipts?: KnownReceipts;
}

/**
 * Validates an OCFL storage root with all its objects (`validateStorageRoot` of @accession/ocfl), and the logs and receipts
 * that the service writes beside each version. docs/validation.md lists the codes of the findings.
 */
export async function checkRoot(folder: string, options: RootOptions = {}): Promise<CheckedRoot> {
  const { unfinished = [], receipts = {}, signal } = options;
  const byFolder = new Map(unfinished.map((one) => [one.folder, one]));
  const total: CheckedReceipts = { versions: 0, receiptsVerified: 0 };
  const onReceipts = ({ versions, receiptsVerified }: CheckedReceipts) => {
    total.versions += versions;
    total.receiptsVerified += receiptsVerified;
  };
  const checks = {
    checkRoot: checkArchiveRoot,
    checksOf: (object: string) => datasetChecks(byFolder.get(object), receipts, onReceipts),
  };
  return { ...(await validateStorageRoot<ServiceCode>(folder, { signal, checks })), ...total };
}

/** Larger than any file of a layout. */
const MAX_BYTES = 1 << 20;

/**
 * Reports files (W000) that the service does not write, in a storage root that it made. OCFL allows other files there. The
 * root is the service's own when at least one of the files of its layout is as the service writes it.
 */
async function checkArchiveRoot(root: RegularFiles, report: ReportFinding<ServiceCode>): Promise<void> {
  const own = await Promise.all(
    LAYOUT_FILES.map(async ([path, wanted]) => ({ path, isAsWritten: (await root.text(path, MAX_BYTES)) === wanted })),
  );
  if (!own.some(({ isAsWritten }) => isAsWritten)) return;
  for (const { path, isAsWritten } of own) {
    if (!isAsWritten) report("W000", path, "The file is missing, or differs from the one that the service writes");
  }
  const paths = new Set(own.map(({ path }) => path));
  if (await root.hasFolder(LAYOUT_EXTENSION)) {
    // Folders that cannot be read were reported before.
    for await (const { path: name, kind } of walk(join(root.folder, LAYOUT_EXTENSION), () => undefined)) {
      const path = `${LAYOUT_EXTENSION}/${name}`;
      if (kind !== "file" || name.includes("/") || paths.has(path)) continue;
      report("W000", path, "The file does not belong to the extension");
    }
  }
  for await (const { name, kind } of entriesOf(root.folder)) {
    if (kind !== "file" || isDeclaration(name) || paths.has(name)) continue;
    report("W000", name, "The service does not write this file");
  }
}
