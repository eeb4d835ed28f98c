import {
  canonicalOrcid,
  canonicalRor,
  knownRole,
  knownTerm,
  type NameType,
  nameTypes,
} from "../../../../packages/rules/src/index.ts";
import type { NormalizedAuthor } from "../normalized.ts";
import { Affiliation, Author } from "../schema.ts";
import { countryCode } from "../values/country.ts";
import { checkOf, type Members } from "./members.ts";

/** Words for the two kinds of authors besides DataCite's. */
const KINDS: ReadonlyMap<string, NameType> = new Map([
  ["person", "Personal"],
  ["organisation", "Organizational"],
  ["organization", "Organizational"],
]);

/** Maximum number of characters of a name that a warning quotes. */
const QUOTED = 100;

/** Checks the members of one author that match the schema, and normalises the author. */
export function checkAuthor(author: Members<Author>): NormalizedAuthor {
  const checked = checkMembers(author);
  checkName(checked, author);
  return checked;
}

const checkMembers = checkOf<Author, NormalizedAuthor>(Author, {
  role: checkRole,
  nameType: checkNameType,
  orcid: checkOrcid,
  rorid: checkRor,
  affiliations: (author) => author.list("affiliations", checkAffiliation),
  country: checkCountry,
});

/** Checks that the author has one name, in the members that its kind has. */
function checkName(checked: NormalizedAuthor, author: Members<Author>): void {
  const { nameType, name, firstName, lastName, orcid } = checked;
  const isInParts = firstName !== undefined || lastName !== undefined;
  if (nameType === "Organizational") checkOrganisation(checked, author);
  else if (nameType === undefined && name !== undefined && !isInParts && orcid === undefined) {
    const detail =
      "“nameType” is missing. It states whether “name” is a person (Personal) or an organisation (Organizational).";
    author.findings.error(author.at("nameType"), "required", detail);
  } else if (name === undefined && !isInParts) checkUnnamed(checked, author);
  else if (name !== undefined && isInParts && !isSameName(checked)) {
    const detail = `“${shortened(name)}” has no effect, because the author also has “firstName” or “lastName”.`;
    author.findings.warn(author.at("name"), "name_ambiguous", detail);
  }
}

function checkOrganisation(checked: NormalizedAuthor, author: Members<Author>): void {
  const { findings } = author;
  const { name, firstName, lastName, affiliation, orcid } = checked;
  if (orcid !== undefined) {
    findings.error(author.at("orcid"), "orcid_invalid", "An ORCID iD belongs to a person, not to an organisation.");
  }
  for (const part of ["firstName", "lastName"] as const) {
    if (checked[part] === undefined) continue;
    const detail = `An organisation has no “${part}”. Its name is in “name”.`;
    findings.warn(author.at(part), "name_ambiguous", detail);
  }
  if (name === undefined && firstName === undefined && lastName === undefined && affiliation === undefined) {
    findings.error(author.at("name"), "creator_name_required", "An organisation must have a name.");
  }
}

/** Clients of the first version can send contributors without a name, so these are not refused. */
function checkUnnamed({ role, nameType, affiliation, orcid, rorid }: NormalizedAuthor, author: Members<Author>): void {
  const isOrganisation = nameType === undefined && orcid === undefined && affiliation !== undefined;
  if (role === "Creator") {
    const rather = isOrganisation
      ? " If the creator is an organisation, set “nameType” to “Organizational” and enter its name as “name”."
      : "";
    const detail = `A creator must have a first name or a last name.${rather}`;
    author.findings.error(author.pointer, "creator_name_required", detail);
    return;
  }
  if (isOrganisation) return;
  const shown = orcid === undefined ? rorid : `https://orcid.org/${orcid}`;
  const instead = shown === undefined ? "“Unnamed contributor”" : `${shown} instead of a name`;
  author.findings.warn(
    author.pointer,
    "author_name_missing",
    `The author has no name. Packages and exports show ${instead}.`,
  );
}

/** Whether `name` consists of the same words as the parts of the name. */
function isSameName({ name = "", firstName = "", lastName = "" }: NormalizedAuthor): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.sort()
      .join(" ");
  return words(name) === words(`${firstName} ${lastName}`);
}

function shortened(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED).toWellFormed()}…` : text;
}

/** An institution; undefined if it has neither a name nor a ROR id. */
function checkAffiliation(affiliation: Members<Affiliation>): Affiliation | undefined {
  const checked = checkInstitution(affiliation);
  return checked.name === undefined && checked.rorid === undefined ? undefined : checked;
}

const checkInstitution = checkOf<Affiliation, Affiliation>(Affiliation, { rorid: checkRor });

function checkRole(author: Members<Author>): string {
  const sent = author.text("role");
  if (sent === undefined) {
    author.findings.warn(author.at("role"), "role_unknown", "No role is given; the author counts as a Contributor.");
    return "Contributor";
  }
  const role = knownRole(sent);
  if (!role) author.findings.warn(author.at("role"), "role_unknown", "The role is not known and is kept as sent.");
  return role ?? sent;
}

function checkNameType(author: Members<Author>): NameType | undefined {
  const sent = author.text("nameType");
  if (sent === undefined) return undefined;
  const type = KINDS.get(sent.toLowerCase()) ?? knownTerm(nameTypes, sent);
  if (type === undefined) {
    author.findings.error(author.at("nameType"), "term_unknown", "The value must be Personal or Organizational.");
  }
  return type;
}

function checkOrcid(author: Members<Author>): string | undefined {
  const sent = author.text("orcid");
  const orcid = sent && canonicalOrcid(sent);
  if (sent && !orcid) {
    const detail =
      "The form or the check digit of the ORCID iD is wrong, or the number is an ISNI and not an ORCID iD.";
    author.findings.error(author.at("orcid"), "orcid_invalid", detail);
  }
  return orcid;
}

function checkRor(institution: Members<Author> | Members<Affiliation>): string | undefined {
  const sent = institution.text("rorid");
  const ror = sent && canonicalRor(sent);
  if (sent && !ror) {
    const detail = "The form or the checksum of the ROR id is wrong. Copy the id again from ror.org, or remove it.";
    institution.findings.error(institution.at("rorid"), "ror_invalid", detail);
  }
  return ror;
}

function checkCountry(author: Members<Author>): string | undefined {
  const sent = author.text("country");
  const country = sent && countryCode(sent);
  if (sent && !country) {
    author.findings.warn(author.at("country"), "country_unknown", "The country is not known and is kept as sent.");
  }
  return country ?? sent;
}
