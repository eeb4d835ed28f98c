import { acknowledgementsText, partLicenceText } from "../archive/metadata/facts.ts";
import type { NormalizedFunding, NormalizedMetadata, NormalizedTitle } from "../domain/metadata/normalized.ts";

/** Funding as one line of text. */
export function fundingText({
  funderName,
  funderIdentifier,
  awardNumber,
  awardTitle,
  awardUri,
}: NormalizedFunding): string {
  const parts = [funderName, funderIdentifier, awardTitle, awardNumber, awardUri];
  return `Funding: ${parts.filter((part) => part !== undefined).join(", ")}`;
}

/** What citation formats have no field for: other identifiers, licences of parts, funding, and acknowledgements. */
export function notesOf(metadata: NormalizedMetadata): string[] {
  const { alternateIdentifiers = [], licenses = [], fundingReferences = [], acknowledgements } = metadata;
  return [
    ...alternateIdentifiers.map(
      ({ alternateIdentifier, alternateIdentifierType: type }) => `Other identifier: ${alternateIdentifier} (${type})`,
    ),
    ...licenses.map((part) => `Licence of a part: ${partLicenceText(part)}`),
    ...fundingReferences.map(fundingText),
    ...(acknowledgements === undefined ? [] : [acknowledgementsText(acknowledgements)]),
  ];
}

/** A further title as a note, for formats that have no field for its type. */
export function titleNote({ title, titleType }: NormalizedTitle): string {
  const names = { AlternativeTitle: "Other title", Other: "Other title", Subtitle: "Subtitle" };
  return `${titleType === "TranslatedTitle" ? "Translated title" : names[titleType]}: ${title}`;
}
