import type { AccessKind, DescriptionType } from "../../../../packages/rules/src/index.ts";
import { unmarked } from "../../markup.ts";
import type { NormalizedMetadata, NormalizedSubjectTerm } from "../../metadata/normalized.ts";
import { placelessTexts } from "../../version-facts.ts";
import { validUri } from "../iri.ts";
import { isEntity, oneOrAll } from "../schema-org/entity.ts";

const DESCRIPTIONS: Partial<Record<DescriptionType, string>> = {
  Abstract: "dcterms:abstract",
  TableOfContents: "dcterms:tableOfContents",
};

/** A text with its language, if that is stated. */
export function text(value: string, language: string | undefined): string | object {
  return language === undefined ? value : { "@language": language, "@value": value };
}

/** A statement of rights. The range of `dcterms:rights` and `dcterms:accessRights` is a resource, not a text. */
export function rightsStatement(label: string): object {
  return { "@type": "dcterms:RightsStatement", "rdfs:label": label };
}

/** By the vocabulary of the European Union: its metadata catalogues require one of these terms. */
const ACCESS_RIGHTS = "http://publications.europa.eu/resource/authority/access-right/";

/** Who may read the files of a published version, and until when an embargo is in force. */
export function accessRights(access: AccessKind | undefined, embargo: string | undefined): object[] {
  const id = `${ACCESS_RIGHTS}${access === "open" ? "PUBLIC" : "RESTRICTED"}`;
  return [
    ...(access === undefined ? [] : [{ "@id": id, "@type": "dcterms:RightsStatement" }]),
    ...(embargo === undefined ? [] : [rightsStatement(`Under embargo until ${embargo}`)]),
  ];
}

/** The language of the data. DCAT uses the addresses of the Library of Congress, which exist for codes of two letters. */
export function languageResource(tag: string): object {
  const [, code] = /^([a-z]{2})(?:-|$)/.exec(tag) ?? [];
  return {
    ...(code !== undefined && { "@id": `http://id.loc.gov/vocabulary/iso639-1/${code}` }),
    "@type": "dcterms:LinguisticSystem",
    "rdfs:label": tag,
  };
}

/** The description, further ones with their language, and the acknowledgements. */
export function descriptionProperties(main: string, metadata: NormalizedMetadata): Record<string, unknown[]> {
  const { descriptions = [] } = metadata;
  const properties: Record<string, unknown[]> = { "dcterms:description": [main] };
  for (const { description, descriptionType, language } of descriptions) {
    const property = DESCRIPTIONS[descriptionType] ?? "dcterms:description";
    properties[property] ??= [];
    properties[property].push(text(unmarked(description), language));
  }
  properties["dcterms:description"]?.push(...placelessTexts(metadata));
  return properties;
}

/** Terms that have an address, as `dcat:theme` requires. The names of all terms are keywords. */
export function themes(terms: readonly NormalizedSubjectTerm[] = []): object[] {
  return terms.flatMap((term) => (term.valueUri === undefined ? [] : [concept(term, validUri(term.valueUri))]));
}

function concept(
  { subject, subjectScheme, schemeUri, classificationCode, language }: NormalizedSubjectTerm,
  id: string,
) {
  return {
    "@id": id,
    "@type": "skos:Concept",
    "skos:prefLabel": text(subject, language),
    ...(classificationCode !== undefined && { "skos:notation": classificationCode }),
    ...((subjectScheme ?? schemeUri) !== undefined && {
      "skos:inScheme": {
        ...(schemeUri !== undefined && { "@id": validUri(schemeUri) }),
        "@type": "skos:ConceptScheme",
        ...(subjectScheme !== undefined && { "dcterms:title": subjectScheme }),
      },
    }),
  };
}

/** Values of schema.org with prefixed names, and without ids that are valid only within a crate. */
export function prefixed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prefixed);
  if (!isEntity(value)) return value;
  const { "@id": id, "@type": type, ...members } = value;
  return {
    ...(!id.startsWith("#") && { "@id": id }),
    "@type": oneOrAll([type].flat().map((one) => `schema:${one}`)),
    ...Object.fromEntries(Object.entries(members).map(([name, member]) => [`schema:${name}`, prefixed(member)])),
  };
}
