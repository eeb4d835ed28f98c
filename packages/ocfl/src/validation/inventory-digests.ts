import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import { digitsOf, malformed } from "../io/digests.ts";
import { type JsonVisitor, readJson } from "../io/read-json.ts";
import {
  IN_MANIFEST,
  IN_MANIFEST_UPPER,
  IN_STATE,
  IN_STATE_UPPER,
  type InventoryFacts,
  LIKE_SHA256,
  LIKE_SHA512,
} from "./inventory-facts.ts";
import { INVENTORY_ALGORITHMS } from "./inventory-rules.ts";

/**
 * Reports every digest of a state that the manifest lacks (E050), every digest of the manifest that no version uses
 * (E107), and every digest that does not match the inventory's algorithm (E030, E031, E039). The tables show whether
 * there are any. Only then is the inventory read again, to name them.
 */
export async function checkDigestUse(
  file: string,
  where: string,
  facts: InventoryFacts,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  const algorithm = INVENTORY_ALGORITHMS.find((name) => name === facts.digestAlgorithm);
  const like = algorithm === "sha512" ? LIKE_SHA512 : LIKE_SHA256;
  const isForeign = (bits: number) => algorithm !== undefined && isInManifest(bits) && (bits & like) === 0;
  const isSuperfluous = (bits: number) => !facts.invalidBlocks.has("versions") && isUnused(bits);
  const isLacking = (bits: number) => !facts.invalidBlocks.has("manifest") && isMissing(bits);
  const isAmiss = (bits: number) => isLacking(bits) || isSuperfluous(bits) || isForeign(bits);
  if (!facts.digests.some(isAmiss)) return;
  const bitsOf = (digest: string) => facts.digests.get(digest.toLowerCase()) ?? 0;
  const visitor: JsonVisitor = {
    open([member, second, third, fourth, ...rest]) {
      if (rest.length > 0 || second === undefined) return;
      if (member === "manifest" && third === undefined) {
        if (isSuperfluous(bitsOf(second))) {
          findings.add("E107", where, `No version uses the digest ${second} of the manifest`);
        }
        if (algorithm !== undefined && isForeign(bitsOf(second))) {
          findings.add(foreign(algorithm, second), where, `${second} in the manifest is not a ${algorithm} digest`);
        }
      }
      if (member === "versions" && third === "state" && fourth !== undefined && isLacking(bitsOf(fourth))) {
        findings.add("E050", where, `The state of ${second} has the digest ${fourth}, which is not in the manifest`);
      }
    },
    value() {},
  };
  await readJson(file, visitor, signal);
}

function foreign(algorithm: string, digest: string): OcflCode {
  const isOther = INVENTORY_ALGORITHMS.some((name) => digitsOf(name) === digest.length && /^[0-9a-f]+$/i.test(digest));
  return isOther ? "E039" : (malformed(algorithm, digest) ?? "E039");
}

/** Whether a state uses a digest in a case that the manifest does not contain. */
function isMissing(bits: number): boolean {
  return (
    ((bits & IN_STATE) !== 0 && (bits & IN_MANIFEST) === 0) ||
    ((bits & IN_STATE_UPPER) !== 0 && (bits & IN_MANIFEST_UPPER) === 0)
  );
}

function isUnused(bits: number): boolean {
  return isInManifest(bits) && (bits & (IN_STATE | IN_STATE_UPPER)) === 0;
}

function isInManifest(bits: number): boolean {
  return (bits & (IN_MANIFEST | IN_MANIFEST_UPPER)) !== 0;
}
