import { canonicalRor, type FunderIdentifierType, isniCheckDigit } from "../../../../packages/rules/src/index.ts";
import { canonicalDoi } from "./identifier.ts";

/** Identifier of a funder in canonical form. */
export interface FunderIdentifier {
  identifier: string;
  type: FunderIdentifierType;
}

/** Prefix of all DOIs in the Crossref Funder Registry. */
const FUNDREF = "10.13039/";

/**
 * A funder's identifier: a ROR id, a Crossref Funder id (`10.13039/…`, as an address or as digits after `501100…`), an
 * ISNI or a GRID id; the address of the first two is canonical. Undefined if it has none of these forms, or a wrong
 * check digit.
 */
export function funderIdentifier(text: string): FunderIdentifier | undefined {
  const stated = text.trim();
  const ror = canonicalRor(stated);
  if (ror !== undefined) return { identifier: ror, type: "ROR" };
  const doi = canonicalDoi(/^(?:501)?100\d{6,9}$/.test(stated) ? FUNDREF + stated : stated);
  if (doi?.startsWith(FUNDREF)) return { identifier: `https://doi.org/${doi}`, type: "Crossref Funder ID" };
  const [, isni] =
    /^(?:https?:\/\/(?:www\.)?isni\.org\/(?:isni\/)?)?((?:\d{4}[ -]?){3}\d{3}[\dX])$/i.exec(stated) ?? [];
  if (isni !== undefined) {
    const digits = isni.replace(/[ -]/g, "").toUpperCase();
    return isniCheckDigit(digits.slice(0, 15)) === digits.slice(15) ? { identifier: digits, type: "ISNI" } : undefined;
  }
  const [, grid] =
    /^(?:https?:\/\/(?:www\.)?grid\.ac\/institutes\/)?(grid\.\d{4,6}\.[0-9a-f]{1,2})$/i.exec(stated) ?? [];
  return grid === undefined ? undefined : { identifier: grid.toLowerCase(), type: "GRID" };
}
