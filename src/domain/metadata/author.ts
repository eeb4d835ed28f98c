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

/** Checks the members of one author that match the schema, and normalises the author. */
export function checkAuthor(author: Author, pointer: string, findings: Findings): NormalizedAuthor {
  const text = (name: keyof typeof Author.properties) =>
    givenText(findings.sound(author[name], pointerTo(pointer, name)));

  checkUnknown(Author, author, pointer, findings, suggestAuthorMember);
  const role = checkRole(text("role"), pointerTo(pointer, "role"), findings);
  const firstName = text("firstName");
  const lastName = text("lastName");
  if (role === "Creator" && !firstName && !lastName) {
    findings.error(pointer, "creator_name_required", "A creator must have a first name or a last name.");
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
  if (!role) findings.warn(pointer, "role_unknown", "The role is not known and is kept as sent.");
  return role ?? sent;
}

function checkOrcid(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const orcid = sent && canonicalOrcid(sent);
  if (sent && !orcid) {
    findings.error(pointer, "orcid_invalid", "The form or the check digit of the ORCID iD is wrong.");
  }
  return orcid;
}

function checkRor(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const ror = sent && canonicalRor(sent);
  if (sent && !ror) findings.warn(pointer, "ror_invalid", "The form or the checksum of the ROR id is wrong.");
  return ror;
}

function checkCountry(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const country = sent && countryCode(sent);
  if (sent && !country) findings.warn(pointer, "country_unknown", "The country is not known and is kept as sent.");
  return country ?? sent;
}

/**
 * Reports members that are not in the schema: an error if the name is probably misspelt, because archived metadata cannot
 * be corrected, and a warning otherwise.
 *
 * @param meant returns the known member that a name probably means
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
    if (known === undefined) findings.warn(pointer, "unknown_member", "This field is not known and has no effect.");
    else findings.error(pointer, "misspelt_member", `This field is not known. Did you mean “${known}”?`);
  }
}
