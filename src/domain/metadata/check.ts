import { givenText } from "../blank.ts";
import { Findings } from "../findings.ts";
import { size } from "../numbers.ts";
import type { Remark } from "../problems.ts";
import { pointerTo, shapeFaults, textFaults, withoutEmpty, withoutUndefined } from "../shape.ts";
import { checkAuthor, checkUnknown } from "./author.ts";
import { calendarDate } from "./date.ts";
import { canonicalLanguage } from "./language.ts";
import { knownLicence, type Licence } from "./licence.ts";
import type { NormalizedAuthor, NormalizedMetadata } from "./normalized.ts";
import { Metadata } from "./schema.ts";
import { suggestMetadataMember } from "./synonyms.ts";

/** Length of a description that Google Dataset Search expects, in characters. */
const shortDescription = 50;
const longDescription = 5_000;

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

/**
 * Checks the metadata as sent and reports all errors together: schema violations, and rule errors of all members that
 * match the schema. `base` is the pointer of the metadata in the request.
 * @throws Problem as {@link withoutEmpty} does.
 */
export function checkMetadata(sent: unknown, base = "/metadata"): MetadataCheck {
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
  const normalized = rules(value, base, findings);
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
function rules(sent: Partial<Metadata>, base: string, findings: Findings): NormalizedMetadata {
  const at = (name: keyof Metadata) => pointerTo(base, name);
  const text = (name: "title" | "description" | "language" | "license" | "embargoDate") =>
    givenText(findings.sound(sent[name], at(name)));

  checkUnknown(Metadata, sent, base, findings, suggestMetadataMember);
  const title = text("title") ?? "";
  if (findings.sound(sent.title, at("title")) !== undefined && title === "") {
    findings.error(at("title"), "required", "The title is empty.");
  }
  return withoutUndefined<NormalizedMetadata>({
    title,
    description: checkDescription(text("description"), at("description"), findings),
    authors: checkAuthors(sent.authors ?? [], at("authors"), findings),
    language: checkLanguage(text("language"), at("language"), findings),
    subjects: subjects(findings.sound(sent.subjects, at("subjects"))),
    license: checkLicence(text("license"), at("license"), findings),
    embargoDate: checkEmbargo(text("embargoDate"), at("embargoDate"), findings),
  });
}

function checkDescription(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const length = sent === undefined ? 0 : Array.from(sent).length;
  if (sent === undefined)
    findings.warn(pointer, "description_missing", "Without a description, the data is hard to find.");
  else if (length < shortDescription || length > longDescription) {
    const code = length < shortDescription ? "description_short" : "description_long";
    const wanted = `${shortDescription} to ${longDescription.toLocaleString("en-GB")}`;
    findings.warn(pointer, code, `The description has ${length} characters; dataset search engines expect ${wanted}.`);
  }
  return sent;
}

function checkAuthors(sent: unknown, pointer: string, findings: Findings): NormalizedAuthor[] {
  const list = findings.sound(sent, pointer);
  if (!Array.isArray(list)) return [];
  const authors = list.flatMap((author: unknown, index) => {
    const place = pointerTo(pointer, index);
    const isObject = typeof author === "object" && author !== null && !Array.isArray(author);
    return isObject ? [checkAuthor(author, place, findings)] : [];
  });
  if (!authors.some((author) => author.role === "Creator")) {
    findings.error(pointer, "creator_required", "At least one author must have the role “Creator”.");
  }
  return authors;
}

function subjects(sent: string[] = []): string[] {
  // Entries of another type are reported as schema violations, and then nothing is normalised.
  const texts = sent.filter((subject) => typeof subject === "string").map(givenText);
  return [...new Set(texts)].filter((subject) => subject !== undefined);
}

function checkLanguage(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const language = sent && canonicalLanguage(sent);
  if (sent && !language) {
    findings.error(
      pointer,
      "language_unknown",
      "The language is not a BCP 47 tag, an ISO 639 code or the English name of a language.",
    );
  }
  return language;
}

function checkLicence(sent: string | undefined, pointer: string, findings: Findings): Licence | undefined {
  if (!sent) {
    findings.warn(pointer, "license_missing", "Without a licence, others are not allowed to reuse the data.");
    return undefined;
  }
  const licence = knownLicence(sent);
  if (!licence) findings.warn(pointer, "license_unknown", "The licence is not known and is kept as sent.");
  return licence ?? { name: sent };
}

function checkEmbargo(sent: string | undefined, pointer: string, findings: Findings): string | undefined {
  const date = sent && calendarDate(sent);
  if (sent && !date) {
    findings.error(pointer, "embargo_date_invalid", "The value is not an existing date in the form YYYY-MM-DD.");
  }
  return date;
}
