import type { ResourceType } from "../../../packages/rules/src/index.ts";
import type {
  NormalizedDate,
  NormalizedDescription,
  NormalizedMetadata,
  NormalizedTitle,
} from "../../describe/metadata/normalized.ts";
import type { Licence } from "../../describe/metadata/values/licence.ts";

/** What an anonymous view shows of metadata. Only texts that describe the data themselves can name people. */
export interface AnonymousMetadata {
  title: string;
  description?: string;
  titles?: NormalizedTitle[];
  descriptions?: NormalizedDescription[];
  subjects: string[];
  subjectTerms?: { subject: string; language?: string }[];
  dates?: Pick<NormalizedDate, "date" | "dateType">[];
  embargoDate?: string;
  resourceTypeGeneral?: ResourceType;
  language?: string;
  license?: Licence;
}

/** Licences of an SPDX expression that the licensor has written. Their names can be those of people. */
const OWN_LICENCE = /LicenseRef-|DocumentRef-/i;

/**
 * The metadata without authors, contributors, institutions, funders, contact, places, related works, identifiers,
 * acknowledgements and the operator's fields. Made from a list of what is allowed, so that a new field is left out until it
 * is listed here.
 */
export function anonymousMetadata(metadata: NormalizedMetadata): AnonymousMetadata {
  const { title, description, titles, descriptions, subjects, subjectTerms, dates } = metadata;
  const { embargoDate, resourceTypeGeneral, language, license } = metadata;
  const isListed = license?.spdx !== undefined && !OWN_LICENCE.test(license.spdx);
  return {
    title,
    ...(description !== undefined && { description }),
    ...(titles !== undefined && {
      titles: titles.map((one) => ({ title: one.title, titleType: one.titleType, ...languageOf(one) })),
    }),
    ...(descriptions !== undefined && {
      descriptions: descriptions.map((one) => ({
        description: one.description,
        descriptionType: one.descriptionType,
        ...languageOf(one),
      })),
    }),
    subjects: [...subjects],
    ...(subjectTerms !== undefined && {
      subjectTerms: subjectTerms.map((one) => ({ subject: one.subject, ...languageOf(one) })),
    }),
    ...(dates !== undefined && { dates: dates.map(({ date, dateType }) => ({ date, dateType })) }),
    ...(embargoDate !== undefined && { embargoDate }),
    ...(resourceTypeGeneral !== undefined && { resourceTypeGeneral }),
    ...(language !== undefined && languageOf({ language })),
    ...(license !== undefined && isListed && { license: { ...license } }),
  };
}

/** The language without private subtags, which can be any word (BCP 47, section 2.2.7). */
function languageOf({ language }: { language?: string }): { language?: string } {
  const known = language?.replace(/(?:^|-)x-.*$/i, "");
  return known ? { language: known } : {};
}

/** A free text that an anonymous view shows, with the pointer to its field. */
export interface ShownText {
  field: string;
  text: string;
}

/** The free texts of an anonymous view, in order. */
export function shownTexts({
  title,
  description = "",
  titles = [],
  descriptions = [],
  subjects,
  subjectTerms = [],
}: AnonymousMetadata): ShownText[] {
  return [
    { field: "/title", text: title },
    { field: "/description", text: description },
    ...titles.map((one, at) => ({ field: `/titles/${at}/title`, text: one.title })),
    ...descriptions.map((one, at) => ({ field: `/descriptions/${at}/description`, text: one.description })),
    ...subjects.map((text, at) => ({ field: `/subjects/${at}`, text })),
    ...subjectTerms.map((one, at) => ({ field: `/subjectTerms/${at}/subject`, text: one.subject })),
  ].filter(({ text }) => text !== "");
}
