import { unmarked } from "../markup.ts";
import { agentOf } from "../metadata/agent.ts";
import type {
  NormalizedDate,
  NormalizedFunding,
  NormalizedMetadata,
  NormalizedPlace,
  NormalizedTitle,
} from "../metadata/normalized.ts";
import { partLicenceText, placelessTexts, publicContactOf } from "../version-facts.ts";
import { relationText } from "./relation.ts";

/** Funding as one line of text. */
export function fundingText(funding: NormalizedFunding): string {
  const { funderName, funderIdentifier, awardNumber, awardTitle, awardUri } = funding;
  return `Funding: ${joined(funderName, funderIdentifier, awardTitle, awardNumber, awardUri)}`;
}

/**
 * What citation formats have no field for: further descriptions, related resources, dates, places, other identifiers,
 * licences of parts, funding, a public contact, and acknowledgements.
 */
export function notesOf(metadata: NormalizedMetadata): string[] {
  const { descriptions = [], relatedIdentifiers = [], dates = [], geoLocations = [] } = metadata;
  const { alternateIdentifiers = [], licenses = [], fundingReferences = [] } = metadata;
  const contact = publicContactOf(metadata);
  return [
    ...descriptions.map(({ description, descriptionType }) => `${wordsOf(descriptionType)}: ${unmarked(description)}`),
    ...relatedIdentifiers.map((relation) => `${wordsOf(relation.relationType)}: ${relationText(relation)}`),
    ...dates.map(dateText),
    ...geoLocations.map(placeText),
    ...alternateIdentifiers.map(
      ({ alternateIdentifier, alternateIdentifierType: type }) => `Other identifier: ${alternateIdentifier} (${type})`,
    ),
    ...licenses.map((part) => `Licence of a part: ${partLicenceText(part)}`),
    ...fundingReferences.map(fundingText),
    ...(contact === undefined ? [] : [`Contact: ${joined(contact.name, contact.email)}`]),
    ...placelessTexts(metadata),
  ];
}

/** Contributors with their role, for formats whose fields for them mean something else, such as the editor of a book. */
export function contributorNotes({ authors }: NormalizedMetadata): string[] {
  const contributors = authors.filter(({ role }) => role !== "Creator");
  return contributors.map((author) => `${wordsOf(author.role)}: ${agentOf(author).name}`);
}

/** A further title as a note, for formats that have no field for its type. */
export function titleNote({ title, titleType }: NormalizedTitle): string {
  const names = { AlternativeTitle: "Other title", Other: "Other title", Subtitle: "Subtitle" };
  return `${titleType === "TranslatedTitle" ? "Translated title" : names[titleType]}: ${title}`;
}

function dateText({ date, dateType, dateInformation }: NormalizedDate): string {
  return `Date (${dateType}): ${joined(date, dateInformation)}`;
}

/** A place with its coordinates in degrees: latitude and longitude of a point, then of two corners of an area. */
function placeText({ geoLocationPlace, geoLocationPoint: point, geoLocationBox: box }: NormalizedPlace): string {
  return `Place: ${joined(
    geoLocationPlace,
    point && `${point.pointLatitude} ${point.pointLongitude}`,
    box && `${box.southBoundLatitude} ${box.westBoundLongitude} to ${box.northBoundLatitude} ${box.eastBoundLongitude}`,
  )}`;
}

/** A term of DataCite as words: `IsDescribedBy` is “Is described by”. Other texts stay as they are. */
function wordsOf(term: string): string {
  if (!/^(?:[A-Z][a-z]+)+$/.test(term)) return term;
  return term.replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", ");
}
