import type {
  NormalizedAlternateIdentifier,
  NormalizedDate,
  NormalizedFunding,
  NormalizedMetadata,
  NormalizedPartLicense,
  NormalizedPlace,
  NormalizedSubjectTerm,
} from "../../metadata/normalized.ts";
import { isIdentifierType } from "../../metadata/values/identifier.ts";
import { descriptionOf, partLicenceText, placelessTexts } from "../../version-facts.ts";
import { encodeSegment, validUri } from "../iri.ts";
import { uriOfRelation } from "../relation.ts";
import { funder } from "./agents.ts";
import { type Entity, nonEmptyProperties } from "./entity.ts";
import { measuredVariables } from "./own-fields.ts";
import { relationProperties } from "./relations.ts";

/**
 * The optional properties of a dataset in schema.org, for RO-Crate and for the export. Properties that a dataset always has
 * are not included.
 */
export function optionalProperties(metadata: NormalizedMetadata): Record<string, unknown> {
  const { titles = [], descriptions = [], subjectTerms = [], geoLocations = [] } = metadata;
  return {
    ...nonEmptyProperties({
      alternateName: titles.map(({ title }) => title),
      measurementTechnique: descriptions
        .filter(({ descriptionType }) => descriptionType === "Methods")
        .map(({ description }) => description),
      about: subjectTerms.map(definedTerm),
    }),
    ...fundingProperties(metadata.fundingReferences),
    ...relationProperties(metadata.relatedIdentifiers),
    ...dateProperties(metadata.dates),
    ...measuredVariables(metadata),
    ...nonEmptyProperties({ contentLocation: geoLocations.map(place), additionalType: resourceTypes(metadata) }),
  };
}

/**
 * The description, further ones except methods, which have a property of their own, and the acknowledgements: RO-Crate 1.2
 * uses `creditText` for the citation of the dataset.
 */
export function allDescriptions(metadata: NormalizedMetadata): string[] {
  const { descriptions = [] } = metadata;
  const others = descriptions.filter(({ descriptionType }) => descriptionType !== "Methods");
  return [descriptionOf(metadata), ...others.map(({ description }) => description), ...placelessTexts(metadata)];
}

/** Funders, and grants that have a number, a title or an address. */
export function fundingProperties(references: readonly NormalizedFunding[] = []): Record<string, unknown> {
  return nonEmptyProperties({
    funder: references.map(funder),
    funding: references.flatMap((funding, index) => grant(funding, index)),
  });
}

function grant(funding: NormalizedFunding, index: number): Entity[] {
  const { awardNumber, awardTitle, awardUri } = funding;
  const name = awardTitle ?? awardNumber ?? awardUri;
  if (name === undefined) return [];
  const url = awardUri === undefined ? undefined : validUri(awardUri);
  return [
    {
      "@id": url ?? `#grant-${index + 1}`,
      "@type": "Grant",
      name,
      ...(awardNumber !== undefined && { identifier: awardNumber }),
      ...(url !== undefined && { url }),
      funder: funder(funding),
    },
  ];
}

/** A further identifier of the dataset, with its web address if its type is known. */
export function alternateIdentifier(alternate: NormalizedAlternateIdentifier, index: number): Entity {
  const { alternateIdentifier: value, alternateIdentifierType: type } = alternate;
  const url = isIdentifierType(type)
    ? uriOfRelation({ relatedIdentifier: value, relatedIdentifierType: type })
    : undefined;
  return {
    "@id": `#identifier-${index + 1}`,
    "@type": "PropertyValue",
    name: type,
    propertyID: type,
    value,
    ...(url?.startsWith("http") === true && { url }),
  };
}

/** Web addresses that identify the same dataset: those of its further identifiers, and of identical resources. */
export function sameAs({ alternateIdentifiers = [], relatedIdentifiers = [] }: NormalizedMetadata): string[] {
  const others = relatedIdentifiers.filter(({ relationType }) => relationType === "IsIdenticalTo").map(uriOfRelation);
  const own = alternateIdentifiers.map((one, index) => alternateIdentifier(one, index).url);
  return [...own, ...others].filter((url): url is string => typeof url === "string" && url.startsWith("http"));
}

/** The licence of a part of the dataset. */
export function partLicence(part: NormalizedPartLicense, index: number): Entity {
  const { license, appliesTo } = part;
  return {
    "@id": `#licence-${index + 1}`,
    "@type": "CreativeWork",
    name: license.name,
    description: `Licence: ${partLicenceText(part)}`,
    ...(license.spdx !== undefined && { identifier: license.spdx }),
    ...(license.url !== undefined && { url: validUri(license.url) }),
    ...(appliesTo !== undefined && {
      about: { "@id": `#part-${index + 1}`, "@type": "CreativeWork", name: appliesTo },
    }),
  };
}

function definedTerm(term: NormalizedSubjectTerm, index: number): Entity {
  const { subject, subjectScheme, schemeUri, valueUri, classificationCode } = term;
  const set = schemeUri === undefined ? undefined : validUri(schemeUri);
  const setName = subjectScheme ?? set;
  return {
    "@id": valueUri === undefined ? `#subject-${index + 1}` : validUri(valueUri),
    "@type": "DefinedTerm",
    name: subject,
    ...(classificationCode !== undefined && { termCode: classificationCode }),
    ...(setName !== undefined && {
      inDefinedTermSet: {
        "@id": set ?? `#subject-scheme-${encodeSegment(setName)}`,
        "@type": "DefinedTermSet",
        name: setName,
        ...(set !== undefined && { url: set }),
      },
    }),
  };
}

function resourceTypes({ resourceTypeGeneral, resourceType }: NormalizedMetadata): string[] {
  return [...new Set([resourceTypeGeneral, resourceType])].filter((type) => type !== undefined);
}

/** Dates that the content covers: of collection, of coverage, and during which the data are accurate. */
const COVERED = new Set(["Collected", "Coverage", "Valid"]);

/** `temporalCoverage`, `dateCreated` and `copyrightYear`. The first is a date or a range, the others are single dates. */
function dateProperties(dates: readonly NormalizedDate[] = []): Record<string, unknown> {
  const single = dates.filter(({ date }) => !date.includes("/"));
  return nonEmptyProperties({
    temporalCoverage: dates.filter(({ dateType }) => COVERED.has(dateType)).map(({ date }) => openRange(date)),
    dateCreated: single.filter(({ dateType }) => dateType === "Created").map(({ date }) => date),
    copyrightYear: single
      .filter(({ dateType }) => dateType === "Copyrighted")
      .map(({ date }) => Number(/^-?\d+/.exec(date)?.[0])),
  });
}

/** schema.org writes an open end as `..`, following ISO 8601-2. */
function openRange(date: string): string {
  return date.replace(/^\//, "../").replace(/\/$/, "/..");
}

/** `Place` with its coordinates. */
function place({ geoLocationPlace, geoLocationPoint, geoLocationBox }: NormalizedPlace, index: number): Entity {
  const number = index + 1;
  const shapes: Entity[] = [];
  if (geoLocationPoint !== undefined) {
    const { pointLatitude: latitude, pointLongitude: longitude } = geoLocationPoint;
    shapes.push({ "@id": `#point-${number}`, "@type": "GeoCoordinates", latitude, longitude });
  }
  if (geoLocationBox !== undefined) {
    const { southBoundLatitude, westBoundLongitude, northBoundLatitude, eastBoundLongitude } = geoLocationBox;
    // Lower corner, then upper corner, each as latitude and longitude.
    const box = [southBoundLatitude, westBoundLongitude, northBoundLatitude, eastBoundLongitude].join(" ");
    shapes.push({ "@id": `#area-${number}`, "@type": "GeoShape", box });
  }
  return {
    "@id": `#place-${number}`,
    "@type": "Place",
    ...(geoLocationPlace !== undefined && { name: geoLocationPlace }),
    ...nonEmptyProperties({ geo: shapes }),
  };
}
