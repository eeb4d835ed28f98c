import type { AuditFinding, AuditRow } from "../../db/datasets/audits.ts";
import type { VersionRow } from "../../db/datasets/datasets.ts";

/** The version of the OCFL object to which a path belongs. */
const OCFL_VERSION = /^(?:logs\/)?v(\d+)\//;

/**
 * Whether the last audit found no damage in what a reader sees. It concerns the files of all versions. Later versions contain
 * the files of earlier ones, so that damage in an earlier version counts, and damage in a later, hidden version does not.
 *
 * @param archived all versions of the dataset
 * @param visible numbers of the versions that the reader sees; at least one
 */
export function isIntactFor(
  { ok, findings }: Pick<AuditRow, "ok" | "findings">,
  archived: readonly VersionRow[],
  visible: Iterable<number>,
): boolean {
  if (ok === true) return true;
  const newest = Math.max(...visible);
  const hidden = archived.filter(({ version }) => version > newest).map(({ ocfl_version }) => ocfl_version);
  const firstHidden = Math.min(...hidden, Number.POSITIVE_INFINITY);
  const isHidden = ({ path }: AuditFinding) => Number(OCFL_VERSION.exec(path)?.[1] ?? 0) >= firstHidden;
  return (findings as AuditFinding[]).length > 0 && (findings as AuditFinding[]).every(isHidden);
}
