import { givenText } from "../blank.ts";
import type { Findings } from "../findings.ts";
import { pointerTo, unknownNames, withoutUndefined } from "../shape.ts";
import { countryCode } from "./country.ts";
import type { NormalizedAuthor } from "./normalized.ts";
import { canonicalOrcid } from "./orcid.ts";
import { knownRole } from "./roles.ts";
import { canonicalRor } from "./ror.ts";
import { Author } from "./schema.ts";
import { suggestAuthorMember } from "./synonyms.ts";

/** Runs the rules of one author on whatever of it has the right shape, and normalises it. */
export function checkAuthor(author: Author, pointer: string, findings: Findings): NormalizedAuthor {
  const text = (name: keyof typeof Author.properties) =>
    givenText(findings.sound(author[name], pointerTo(pointer, name)));

  checkUnknown(Author, author, pointer, findings, suggestAuthorMember);
  const role = checkRole(text("role"), pointerTo(pointer, "role"), findings);
  const firstName = text("firstName");
  const lastName = text("lastName");
  if (role === "Creator" && !firstName && !lastName) {
    findings.error(pointer, "creator_name_required", "A creator needs a first or a last name.");
  }
  return withoutUndefined<NormalizedAuthor>({
    role,
    orcid: checkOrcid(text("orcid"), pointerTo(pointer, "orcid"), findings),
    firstName,
    lastName,
    affiliation: text("affiliation"),
    rorid: checkRor(text("rorid"), pointerTo(pointer, "rorid"), findings),
    address: text("address"),
    zipCode: text("zipCode"),
    city: text("city"),
    country: checkCountry(text("country"), pointerTo(pointer, "country"), findings),
  });
}

function checkRole(sent: string | undefined, pointer: string, findings: Findings): string {
  if (sent === undefined) {
    findings.warn(pointer, "role_unknown", "No role is given; the author counts as a Contributor.");
    return "Contributor";
  }
  const role = knownRole(sent);
  if (!role) findings.warn(pointer, "role_unknown", "This role is not known; it is kept as sent.");
  return role ?? sent;
}

function checkOrcid(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const orcid = sent && canonicalOrcid(sent);
  if (sent && !orcid) {
    findings.error(pointer, "orcid_invalid", "This is not an ORCID iD: the form or the check digit is wrong.");
  }
  return orcid;
}

function checkRor(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const ror = sent && canonicalRor(sent);
  if (sent && !ror) findings.warn(pointer, "ror_invalid", "This is not a ROR id: the form or the checksum is wrong.");
  return ror;
}

function checkCountry(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const country = sent && countryCode(sent);
  if (sent && !country) findings.warn(pointer, "country_unknown", "This country is not known; it is kept as sent.");
  return country ?? sent;
}

/**
 * Finds the members that the schema does not name: an error for a name that is probably misspelt, because metadata
 * cannot be corrected once they are archived, and a warning for any other.
 *
 * @param meant the known member that was probably meant by a name
 */
export function checkUnknown(
  schema: { properties: object },
  value: object,
  base: string,
  findings: Findings,
  meant: (name: string) => string | undefined,
): void {
  for (const name of unknownNames(schema, value)) {
    const pointer = pointerTo(base, name);
    const known = meant(name);
    if (known === undefined) findings.warn(pointer, "unknown_member", "This member is not known; it has no effect.");
    else findings.error(pointer, "misspelt_member", `This member is not known. Did you mean “${known}”?`);
  }
}
