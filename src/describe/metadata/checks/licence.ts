import type { Findings } from "../../../domain/findings.ts";
import { withoutUndefined } from "../../../domain/shape.ts";
import type { NormalizedPartLicense } from "../normalized.ts";
import { PartLicense } from "../schema.ts";
import { knownLicence, type Licence } from "../values/licence.ts";
import { newestLicence } from "../values/suggestions.ts";
import type { Members } from "./members.ts";

/** The licence that a text names. A text that is not a known licence is kept as sent, with a warning. */
export function licenceOf(sent: string | undefined, pointer: string, findings: Findings): Licence | undefined {
  if (sent === undefined) return undefined;
  const licence = knownLicence(sent);
  if (!licence) {
    const newest = newestLicence(sent);
    const question = newest === undefined ? "" : ` Did you mean “${newest}”?`;
    findings.warn(pointer, "license_unknown", `The licence is not known and is kept as sent.${question}`);
  }
  return licence ?? { name: sent };
}

export function checkPartLicence(part: Members<PartLicense>): NormalizedPartLicense | undefined {
  part.checkUnknown(PartLicense);
  const license = licenceOf(part.required("license"), part.at("license"), part.findings);
  if (license === undefined) return undefined;
  return withoutUndefined<NormalizedPartLicense>({ license, appliesTo: part.text("appliesTo") });
}
