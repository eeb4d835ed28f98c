import {
  funderIdentifierTypes,
  LONG_DESCRIPTION,
  resourceTypes,
  SHORT_DESCRIPTION,
} from "../../../packages/rules/src/index.ts";
import { givenText } from "../../domain/blank.ts";
import { Findings } from "../../domain/findings.ts";
import { size } from "../../domain/numbers.ts";
import type { Remark } from "../../domain/problems.ts";
import { pointerTo } from "../../domain/remarks.ts";
import { shapeFaults, textFaults, withoutEmpty, withoutUndefined } from "../../domain/shape.ts";
import { checkAuthor } from "./checks/author.ts";
import { checkDate, checkPlace } from "./checks/coverage.ts";
import { checkOf, language, Members, type Rules, term } from "./checks/members.ts";
import { checkAlternateIdentifier, checkRelation } from "./checks/related.ts";
import { checkContact, checkFurtherDescription, checkSubjectTerm, checkTitle } from "./checks/texts.ts";
import { checkFields, type FieldRules } from "./fields/check-fields.ts";
import type { NormalizedAuthor, NormalizedFunding, NormalizedMetadata, NormalizedPartLicense } from "./normalized.ts";
import { FundingReference, Metadata, PartLicense } from "./schema.ts";
import { calendarDate } from "./values/date.ts";
import { type FunderIdentifier, funderIdentifier } from "./values/funder.ts";
import { knownLicence, type Licence } from "./values/licence.ts";
import { newestLicence } from "./values/suggestions.ts";
import { descriptionWeakness, licenceWeakness } from "./weaknesses.ts";

/**
 * Maximum size of the metadata as sent, as compact JSON in UTF-8. 10,000 authors with name, role, ORCID iD, ROR id and
 * affiliation need about 2.5 MB.
 */
const MOST_METADATA_BYTES = 4 * 2 ** 20;

/** The result of {@link checkMetadata}. `normalized` is present if there are no errors. */
interface MetadataCheck {
  normalized?: NormalizedMetadata;
  errors: Remark[];
  warnings: Remark[];
}

/** Where the metadata are in the request, and what the operator's fields are checked against. */
interface CheckOptions extends Partial<FieldRules> {
  /** Pointer of the metadata in the request. The default is `/metadata`. */
  base?: string;
  /** The current day (UTC) as YYYY-MM-DD. The default is that of the clock. */
  today?: string;
}

/**
 * Checks the metadata as sent and reports all errors together: schema violations, and rule errors of all members that
 * match the schema.
 * @throws Problem as {@link withoutEmpty} does.
 */
export function checkMetadata(sent: unknown, options: CheckOptions = {}): MetadataCheck {
  const { base = "/metadata", groups = [], archived, today = new Date().toISOString().slice(0, 10) } = options;
  const value = withoutEmpty(sent);
  const findings = new Findings([...shape(value, base), ...textFaults(value, base)]);
  if (findings.isIncomplete || typeof value !== "object" || value === null || Array.isArray(value)) {
    return { errors: findings.errors, warnings: [] };
  }
  const bytes = Buffer.byteLength(JSON.stringify(sent));
  if (bytes > MOST_METADATA_BYTES) {
    findings.error(
      base,
      "metadata_too_large",
      `The metadata has ${size(bytes)} as JSON. The maximum is ${size(MOST_METADATA_BYTES)}.`,
    );
  }
  const fields = { groups, ...(archived !== undefined && { archived }) };
  const normalized = rules(value as Metadata, base, findings, { fields, today });
  const { errors, warnings } = findings;
  return errors.length === 0 ? { normalized, errors, warnings } : { errors, warnings };
}

/** Schema violations. A missing list of authors is reported only once, by the rule that requires a Creator. */
function shape(value: unknown, base: string): Remark[] {
  const authors = pointerTo(base, "authors");
  return shapeFaults(Metadata, value, base).filter(
    ({ pointer, code }) => !(pointer === authors && (code === "required" || code === "too_short")),
  );
}

/** `sent` may violate the schema of Metadata; `findings` contains the violations. */
function rules(
  sent: Metadata,
  base: string,
  findings: Findings,
  context: { fields: FieldRules; today: string },
): NormalizedMetadata {
  const metadata = new Members(sent, base, findings);
  const check = checkOf<Metadata, NormalizedMetadata>(Metadata, {
    ...RULES,
    embargoDate: () => checkEmbargo(metadata, context.today),
  });
  const own = checkFields(ownFields(metadata), metadata.at("fields"), findings, context.fields);
  return { ...check(metadata), ...own };
}

/** Members without a rule are texts. */
const RULES: Rules<Metadata, NormalizedMetadata> = {
  title: checkMainTitle,
  description: checkDescription,
  authors: checkAuthors,
  language,
  subjects: (metadata) => subjects(metadata.value("subjects")),
  license: checkMainLicence,
  titles: (metadata) => metadata.list("titles", checkTitle),
  descriptions: (metadata) => metadata.list("descriptions", checkFurtherDescription),
  contact: (metadata) => metadata.object("contact", checkContact),
  subjectTerms: (metadata) => metadata.list("subjectTerms", checkSubjectTerm),
  fundingReferences: (metadata) => metadata.list("fundingReferences", checkFunding),
  relatedIdentifiers: (metadata) => metadata.list("relatedIdentifiers", checkRelation),
  dates: (metadata) => metadata.list("dates", checkDate),
  geoLocations: (metadata) => metadata.list("geoLocations", checkPlace),
  resourceTypeGeneral: term(resourceTypes),
  alternateIdentifiers: (metadata) => metadata.list("alternateIdentifiers", checkAlternateIdentifier),
  licenses: (metadata) => metadata.list("licenses", checkPartLicence),
  // Checked by the schemas of the operator.
  fields: () => undefined,
};

/** The operator's fields as sent; none if the member is not an object, which is reported already. */
function ownFields(metadata: Members<Metadata>): Record<string, unknown> {
  const sent = metadata.value("fields");
  return typeof sent === "object" && !Array.isArray(sent) ? sent : {};
}

function checkMainTitle(metadata: Members<Metadata>): string {
  const title = metadata.text("title") ?? "";
  if (metadata.value("title") !== undefined && title === "") {
    metadata.findings.error(metadata.at("title"), "required", "The title is empty.");
  }
  return title;
}

function checkDescription(metadata: Members<Metadata>): string | undefined {
  const sent = metadata.text("description");
  const weakness = descriptionWeakness(sent);
  if (weakness === undefined) return sent;
  const expected = `${SHORT_DESCRIPTION} to ${LONG_DESCRIPTION.toLocaleString("en-GB")}`;
  const detail =
    sent === undefined
      ? "Without a description, the data is hard to find."
      : `The description has ${Array.from(sent).length} characters; dataset search engines expect ${expected}.`;
  metadata.findings.warn(metadata.at("description"), weakness, detail);
  return sent;
}

function checkAuthors(metadata: Members<Metadata>): NormalizedAuthor[] {
  const authors = metadata.list("authors", checkAuthor) ?? [];
  const pointer = metadata.at("authors");
  const isSound = metadata.findings.sound(true, pointer) === true;
  if (isSound && !authors.some((author) => author.role === "Creator")) {
    metadata.findings.error(pointer, "creator_required", "At least one author must have the role “Creator”.");
  }
  return authors;
}

function subjects(sent: string[] = []): string[] {
  // Entries of another type are reported as schema violations, and then nothing is normalised.
  const texts = sent.filter((subject) => typeof subject === "string").map(givenText);
  return [...new Set(texts)].filter((subject) => subject !== undefined);
}

function checkMainLicence(metadata: Members<Metadata>): Licence | undefined {
  const pointer = metadata.at("license");
  const licence = licenceOf(metadata.text("license"), pointer, metadata.findings);
  if (licenceWeakness(licence) === "license_missing") {
    const detail = "Without a licence, others are not allowed to reuse the data.";
    metadata.findings.warn(pointer, "license_missing", detail);
  }
  return licence;
}

function checkEmbargo(metadata: Members<Metadata>, today: string): string | undefined {
  const sent = metadata.text("embargoDate");
  const date = sent && calendarDate(sent);
  if (sent && !date) {
    const detail = "The value is not an existing date in the form YYYY-MM-DD.";
    metadata.findings.error(metadata.at("embargoDate"), "embargo_date_invalid", detail);
  }
  if (date && date < today) {
    const detail = "The date is in the past, so it does not delay the publication of the data.";
    metadata.findings.warn(metadata.at("embargoDate"), "embargo_date_past", detail);
  }
  return date;
}

/** The licence that a text names. A text that is not a known licence is kept as sent, with a warning. */
function licenceOf(sent: string | undefined, pointer: string, findings: Findings): Licence | undefined {
  if (sent === undefined) return undefined;
  const licence = knownLicence(sent) ?? { name: sent };
  if (licenceWeakness(licence) === "license_unknown") {
    const newest = newestLicence(sent);
    const question = newest === undefined ? "" : ` Did you mean “${newest}”?`;
    findings.warn(pointer, "license_unknown", `The licence is not known and is kept as sent.${question}`);
  }
  return licence;
}

const checkPartLicence = checkOf<PartLicense, NormalizedPartLicense>(PartLicense, {
  license: (part) => licenceOf(part.required("license"), part.at("license"), part.findings),
});

/** Checks a funder and its grant, and normalises the identifier of the funder. */
function checkFunding(funding: Members<FundingReference>): NormalizedFunding | undefined {
  funding.checkUnknown(FundingReference);
  const funderName = funding.required("funderName");
  const identifier = checkIdentifier(funding);
  const rest = {
    funderIdentifier: identifier?.identifier,
    funderIdentifierType: identifier?.type,
    awardNumber: funding.text("awardNumber"),
    awardTitle: funding.text("awardTitle"),
    awardUri: funding.address("awardUri"),
  };
  return funderName === undefined ? undefined : withoutUndefined<NormalizedFunding>({ funderName, ...rest });
}

function checkIdentifier(funding: Members<FundingReference>): FunderIdentifier | undefined {
  const sent = funding.text("funderIdentifier");
  const type = funding.term("funderIdentifierType", funderIdentifierTypes);
  if (sent === undefined) return undefined;
  const found = funderIdentifier(sent);
  if (found !== undefined && (type === undefined || type === found.type)) return found;
  if (type === "Other") return { identifier: sent, type };
  if (/(?:^|[/.])ror\.org\//i.test(sent)) {
    const detail = "The form or the checksum of the ROR id is wrong. Copy the id again from ror.org.";
    funding.findings.error(funding.at("funderIdentifier"), "identifier_invalid", detail);
    return undefined;
  }
  const wanted = type === undefined ? "a ROR id, a Crossref Funder id, an ISNI or a GRID id" : `a valid ${type}`;
  funding.findings.error(
    funding.at("funderIdentifier"),
    "identifier_invalid",
    `The identifier is not ${wanted}. For another kind, set “funderIdentifierType” to “Other”.`,
  );
  return undefined;
}
