import { Findings } from "./validation/findings.ts";

/** A version that is being added to an object, or whose addition was interrupted, as this archive’s journal tells. */
export interface UnderWay {
  /** The object’s folder, relative to the storage root. */
  folder: string;
  version: number;
  /** The version that is visible: this one, or the one before. */
  head: number;
  /** The version to whose inventory the sidecar in the object’s root belongs. */
  sidecarOf: number;
}

/**
 * Findings about an object to which a version is being added. What is of that version and not visible yet is none of the
 * object; the sidecar may be one behind the inventory. A warning of this archive’s own, WP01, stands for all of it.
 */
export function findingsBeside(underWay: UnderWay | undefined): Findings {
  if (underWay === undefined) return new Findings();
  const { version, head, sidecarOf } = underWay;
  const findings = new Findings((code, path) =>
    head < version
      ? isBelow(`v${version}`, path) || isBelow(`logs/v${version}`, path)
      : code === "E060" && path === "inventory.json" && sidecarOf < version,
  );
  const what = `Version ${version} is being published, or that was interrupted; version ${head} is what is visible`;
  findings.add("WP01", "", `${what}. The service, or accession rebuild, finishes it`);
  return findings;
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
