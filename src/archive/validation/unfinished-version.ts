import type { ReportFinding } from "../../../packages/ocfl/src/index.ts";
import type { ServiceCode } from "./codes.ts";

/** A version that is being added to an object, or whose addition was interrupted, according to the archive’s journal. */
export interface UnfinishedVersion {
  /** The object’s folder, relative to the storage root. */
  folder: string;
  version: number;
  /** The version that is visible: this one, or the one before. */
  head: number;
  /** The version to whose inventory the sidecar in the object’s root belongs. */
  sidecarOf: number;
}

/** Reports the warning WP01 for a version that is being published. */
export function reportUnfinishedVersion(
  { version, head }: UnfinishedVersion,
  report: ReportFinding<ServiceCode>,
): void {
  const what = `Version ${version} is being published, or its publication was interrupted. Version ${head} is visible`;
  report("WP01", "", `${what}. The service or “accession rebuild” completes the publication`);
}

/**
 * Whether a finding only says that a version is being published. Files of that version do not belong to the object until it
 * is visible, and the sidecar in the object’s root may be one version behind the inventory.
 */
export function isOfUnfinishedVersion(
  { version, head, sidecarOf }: UnfinishedVersion,
  code: string,
  path: string,
): boolean {
  if (head < version) return isBelow(`v${version}`, path) || isBelow(`logs/v${version}`, path);
  return code === "E060" && path === "inventory.json" && sidecarOf < version;
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
