import type { Findings } from "../../../domain/findings.ts";
import type { NormalizedPartLicense } from "../normalized.ts";
import { PartLicense } from "../schema.ts";
import { knownLicence, type Licence } from "../values/licence.ts";
import { newestLicence } from "../values/suggestions.ts";
import { licenceWeakness } from "../weaknesses.ts";
import { checkOf } from "./members.ts";

/** The licence that a text names. A text that is not a known licence is kept as sent, with a warning. */
export function licenceOf(sent: string | undefined, pointer: string, findings: Findings): Licence | undefined {
  if (sent === undefined) return undefined;
  const licence = knownLicence(sent) ?? { name: sent };
  if (licenceWeakness(licence) === "license_unknown") {
    const newest = newestLicence(sent);
    const question = newest === undefined ? "" : ` Did you mean “${newest}”?`;
    findings.warn(pointer, "license_unknown", `The licence is not known and is kept as sent.${question}`);
  }
  return licence;
}

export const checkPartLicence = checkOf<PartLicense, NormalizedPartLicense>(PartLicense, {
  license: (part) => licenceOf(part.required("license"), part.at("license"), part.findings),
});
