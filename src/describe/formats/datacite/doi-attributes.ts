import { datasetUrn } from "../../../domain/uuid.ts";
import type { RegisteredRecord } from "../../metadata/datacite-record.ts";
import type { VersionFacts } from "../../version-facts.ts";
import { datasetRelation, resourceRelationsOf, urnOf } from "./context.ts";
import { dataciteJson } from "./datacite.ts";

/** The publication of a version, as its DOI states it. */
export interface DoiPublication {
  /** The landing page of the version. */
  url: string;
  withdrawn?: { day: string; reason: string };
}

/** The attributes of a DOI in DataCite's REST API. */
export type DoiAttributes = Omit<RegisteredRecord, "identifiers"> & { url: string };

/**
 * The attributes of a DOI: the dataset's record in DataCite 4.7, the address of the landing page, and
 * the date of withdrawal. A withdrawn dataset keeps its metadata: its DOI leads to the tombstone.
 */
export function doiAttributes(facts: VersionFacts, { url, withdrawn }: DoiPublication): DoiAttributes {
  const { identifiers: _, alternateIdentifiers, dates, ...record } = dataciteJson(facts);
  return {
    ...record,
    url,
    alternateIdentifiers: [
      urnOf(facts.datasetId),
      ...alternateIdentifiers.filter(
        ({ alternateIdentifier: one }) => one !== url && one !== datasetUrn(facts.datasetId),
      ),
    ],
    dates: [
      ...dates,
      ...(withdrawn === undefined
        ? []
        : [{ date: withdrawn.day, dateType: "Withdrawn" as const, dateInformation: withdrawn.reason }]),
    ],
  };
}

/**
 * The attributes of a concept DOI, which stands for all versions of a dataset: the metadata of its newest published version
 * without what belongs to that version alone, and relations to the DOIs of all published versions.
 *
 * @param versions DOIs of the published versions
 */
export function conceptAttributes(
  facts: VersionFacts,
  publication: DoiPublication,
  versions: readonly string[],
): DoiAttributes {
  const { version: _, sizes: __, formats: ___, ...common } = doiAttributes(facts, publication);
  return {
    ...common,
    alternateIdentifiers: [urnOf(facts.datasetId), ...(facts.metadata.alternateIdentifiers ?? [])],
    relatedIdentifiers: [
      ...versions.map((doi) => datasetRelation("HasVersion", doi)),
      ...resourceRelationsOf(facts.metadata),
    ],
  };
}
