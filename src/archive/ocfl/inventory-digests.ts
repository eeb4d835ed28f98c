import type { Findings } from "./findings.ts";
import { IN_MANIFEST, IN_MANIFEST_UPPER, IN_STATE, IN_STATE_UPPER, type InventoryFacts } from "./inventory-survey.ts";
import { type JsonVisitor, readJson } from "./read-json.ts";

/**
 * Reports every digest of a state that the manifest lacks (E050) and every digest of the manifest that no version uses
 * (E107). The tables know whether there are any; only then is the inventory read again, to name them.
 */
export async function checkDigestUse(
  file: string,
  where: string,
  facts: InventoryFacts,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  if (!facts.digests.some((bits) => isMissing(bits) || isUnused(bits))) return;
  const bitsOf = (digest: string) => facts.digests.get(digest.toLowerCase()) ?? 0;
  const visitor: JsonVisitor = {
    open([member, second, third, fourth, ...rest]) {
      if (rest.length > 0 || second === undefined) return;
      if (member === "manifest" && third === undefined && isUnused(bitsOf(second))) {
        findings.add("E107", where, `No version uses the digest ${second} of the manifest`);
      }
      if (member === "versions" && third === "state" && fourth !== undefined && isMissing(bitsOf(fourth))) {
        findings.add("E050", where, `The state of ${second} has the digest ${fourth}, which the manifest lacks`);
      }
    },
    value() {},
  };
  await readJson(file, visitor, signal);
}

/** A state writes the digest in a way the manifest does not. */
function isMissing(bits: number): boolean {
  return (
    ((bits & IN_STATE) !== 0 && (bits & IN_MANIFEST) === 0) ||
    ((bits & IN_STATE_UPPER) !== 0 && (bits & IN_MANIFEST_UPPER) === 0)
  );
}

function isUnused(bits: number): boolean {
  return (bits & (IN_MANIFEST | IN_MANIFEST_UPPER)) !== 0 && (bits & (IN_STATE | IN_STATE_UPPER)) === 0;
}
