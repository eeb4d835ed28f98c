import { lstat } from "node:fs/promises";
import {
  type ObjectChecks,
  type ObjectOptions,
  type ObjectReport,
  type OcflCode,
  type Finding as OcflFinding,
  validateObject,
} from "../../../packages/ocfl/src/index.ts";
import { type CheckedReceipts, checkLogs } from "./check-logs.ts";
import type { KnownReceipts } from "./check-receipts.ts";
import type { Code, ServiceCode } from "./codes.ts";
import { isOfUnfinishedVersion, reportUnfinishedVersion, type UnfinishedVersion } from "./unfinished-version.ts";

/** An error or a warning about a dataset in the archive, or about an object or a storage root of other software. */
export type Finding = OcflFinding<Code>;

/** The result of a check. `ok` means that there is no error; `findings` can still hold warnings. */
export interface Checked extends ObjectReport<ServiceCode>, CheckedReceipts {}

export interface CheckOptions extends Omit<ObjectOptions<ServiceCode>, "checks"> {
  /** A version that is being added to the object. */
  unfinished?: UnfinishedVersion | undefined;
  /** What the receipts of the object are compared with, besides its inventories. */
  receipts?: KnownReceipts | undefined;
}

/** The counts of a check that has read nothing. */
export const NOTHING_READ: Omit<Checked, "ok" | "findings"> = { files: 0, bytes: 0, versions: 0, receiptsVerified: 0 };

/**
 * Validates one OCFL object (`validateObject` of @accession/ocfl) and the logs and receipts that the service writes beside
 * each version. docs/validation.md lists the codes of the findings.
 */
export async function validateDataset(folder: string, options: CheckOptions = {}): Promise<Checked> {
  const { unfinished, receipts, ...others } = options;
  let checked: CheckedReceipts = { versions: 0, receiptsVerified: 0 };
  const checks = datasetChecks(unfinished, receipts, (found) => {
    checked = found;
  });
  return { ...(await validateObject<ServiceCode>(folder, { ...others, checks })), ...checked };
}

/** What the service checks besides OCFL. @param onReceipts is called when the receipts of the object were checked */
export function datasetChecks(
  unfinished: UnfinishedVersion | undefined,
  receipts: KnownReceipts | undefined,
  onReceipts: (checked: CheckedReceipts) => void,
): ObjectChecks<ServiceCode> {
  return {
    begin: (report) => unfinished && reportUnfinishedVersion(unfinished, report),
    isExempt: (code: OcflCode | ServiceCode, path) =>
      unfinished !== undefined && isOfUnfinishedVersion(unfinished, code, path),
    check: async (object, report, signal) => onReceipts(await checkLogs(object, report, { receipts, signal })),
  };
}

/** {@link validateDataset} that never throws: an object that cannot be read is a finding too. */
export async function validateDatasetOrReport(folder: string, options: CheckOptions): Promise<Checked> {
  try {
    await lstat(folder);
    return await validateDataset(folder, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail =
      code === "ENOENT" ? "The dataset's folder is missing" : `The dataset cannot be read: ${code ?? message}`;
    return { ok: false, findings: [{ code: "E000", path: "", detail }], ...NOTHING_READ };
  }
}
