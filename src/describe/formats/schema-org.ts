import type { AccessKind } from "../../../packages/rules/src/index.ts";
import { CONCEPT } from "../../publication/rules/doi.ts";
import { unmarked } from "../markup.ts";
import { doiUrl } from "../version-facts.ts";
import { ACCESS_TERMS } from "./access-terms.ts";
import { type Agent, type ExportInput, type Institution, type Summary, summaryOf } from "./export-input.ts";
import { personNames } from "./schema-org/agents.ts";
import { isEntity, nonEmptyProperties, oneOrAll } from "./schema-org/entity.ts";
import { withOwnIds } from "./schema-org/own-ids.ts";
import {
  allDescriptions,
  alternateIdentifier,
  optionalProperties,
  partLicence,
  sameAs,
} from "./schema-org/properties.ts";
import { cutAtWord } from "./schema-org/short-text.ts";

/** Dataset search engines refuse longer descriptions. */
const LONGEST_DESCRIPTION = 5_000;

/** The dataset in the vocabulary of schema.org, as JSON-LD for dataset search engines. */
export function schemaOrg(described: ExportInput): object {
  const summary = summaryOf(described);
  const { licence, language, keywords, embargo } = summary;
  const { metadata, access, dois } = described.facts;
  const concept = dois?.get(CONCEPT);
  // Dataset search engines read `spatialCoverage`; RO-Crate uses `contentLocation`.
  const { contentLocation: spatialCoverage, ...properties } = optionalProperties(metadata);
  const { publisher, creator, contributor, optional } = withOwnIds({
    publisher: publisherOf(summary),
    creator: summary.creators.map(agent),
    contributor: summary.contributors.map(agent),
    optional: properties,
  });
  return withoutLocalIds({
    "@context": "https://schema.org",
    "@type": "Dataset",
    "@id": summary.url,
    identifier: oneOrAll([summary.identifier, ...(metadata.alternateIdentifiers ?? []).map(alternateIdentifier)]),
    url: summary.url,
    name: summary.title,
    description: cutAtWord(allDescriptions(metadata).map(unmarked).join("\n\n"), LONGEST_DESCRIPTION),
    creator,
    ...(contributor.length > 0 && { contributor }),
    publisher,
    datePublished: summary.issued,
    ...nonEmptyProperties({ dateModified: modifiedOn(described, summary), sameAs: sameAs(metadata) }),
    version: summary.version,
    // Not a `Dataset`, which search engines would list as another one.
    ...(concept !== undefined && { exampleOfWork: { "@type": "CreativeWork", "@id": doiUrl(concept) } }),
    ...(keywords.length > 0 && { keywords }),
    ...(language !== undefined && { inLanguage: language }),
    license: oneOrAll([licence.url ?? licence.name, ...(metadata.licenses ?? []).map(partLicence)]),
    ...accessProperties(access, embargo),
    ...optional,
    ...(spatialCoverage !== undefined && { spatialCoverage }),
    size: `${described.facts.objects} files, ${described.facts.bytes} bytes`,
    distribution: described.downloads.map(({ url, name, mediaType }) => ({
      "@type": "DataDownload",
      name,
      contentUrl: url,
      encodingFormat: mediaType,
    })),
  });
}

/** Who may read the files: whether anyone can, the term, and in words what the term does not say. */
function accessProperties(access: AccessKind | undefined, embargo: string | undefined): Record<string, unknown> {
  return {
    ...(access !== undefined && { isAccessibleForFree: access === "open" }),
    ...nonEmptyProperties({
      conditionsOfAccess: [
        ...(access === undefined ? [] : [ACCESS_TERMS[access].coar]),
        ...(access === "restricted" ? ["Restricted: readers can ask for access"] : []),
        ...(embargo === undefined ? [] : [`Under embargo until ${embargo}`]),
      ],
    }),
  };
}

/** The day on which the metadata were changed after publication. */
function modifiedOn({ revisedOn }: ExportInput, { issued }: Summary): string[] {
  return revisedOn !== undefined && revisedOn >= issued ? [revisedOn] : [];
}

/** The publisher, with its contact and that of the dataset: `contactPoint` is not a property of datasets. */
function publisherOf({ publisher: { name, url, email, ror }, contact }: Summary): object {
  return {
    "@type": "Organization",
    ...(ror !== undefined && { "@id": ror }),
    name,
    ...(url !== undefined && { url }),
    ...nonEmptyProperties({
      contactPoint: [
        ...(contact === undefined
          ? []
          : [{ "@type": "ContactPoint", ...(contact.name && { name: contact.name }), email: contact.email }]),
        ...(email === undefined || email === contact?.email ? [] : [{ "@type": "ContactPoint", email }]),
      ],
    }),
  };
}

function agent(one: Agent): object {
  const { kind, name, orcid, ror, affiliations } = one;
  if (kind === "organisation") {
    return {
      ...organization({ name, ...(ror !== undefined && { ror }) }),
      ...nonEmptyProperties({ memberOf: affiliations.map(organization) }),
    };
  }
  return {
    "@type": "Person",
    ...(orcid !== undefined && { "@id": orcid }),
    ...personNames(one),
    ...nonEmptyProperties({ affiliation: affiliations.map(organization) }),
  };
}

function organization({ name, ror }: Institution): object {
  return { "@type": "Organization", ...(ror !== undefined && { "@id": ror }), name };
}

/** Entities without ids that are valid only within a crate. */
function withoutLocalIds<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutLocalIds) as T;
  if (!isEntity(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => name !== "@id" || !String(member).startsWith("#"));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutLocalIds(member)])) as T;
}
