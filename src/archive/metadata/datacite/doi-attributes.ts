import { dataciteJson } from "../datacite.ts";
import { datasetUrn, type PackageFacts } from "../facts.ts";

/** The publication of a version, as its DOI states it. */
export interface DoiPublication {
  /** The landing page of the version. */
  url: string;
  /** `YYYY-MM-DD`. */
  issued: string;
  withdrawn?: { day: string; reason: string };
}

/**
 * The attributes of a DOI in DataCite's REST API: the dataset's record in DataCite 4.7, the address of the landing page, and
 * the dates of publication and withdrawal. A withdrawn dataset keeps its metadata: its DOI leads to the tombstone.
 */
export function doiAttributes(facts: PackageFacts, { url, issued, withdrawn }: DoiPublication): object {
  const { identifiers: _, alternateIdentifiers, dates, ...record } = dataciteJson(facts);
  const urn = { alternateIdentifier: datasetUrn(facts.datasetId), alternateIdentifierType: "URN" };
  return {
    ...record,
    url,
    alternateIdentifiers: [
      urn,
      ...alternateIdentifiers.filter(
        ({ alternateIdentifier }) => alternateIdentifier !== url && alternateIdentifier !== urn.alternateIdentifier,
      ),
    ],
    dates: [
      ...dates,
      { date: issued, dateType: "Issued" },
      ...(withdrawn === undefined
        ? []
        : [{ date: withdrawn.day, dateType: "Withdrawn", dateInformation: withdrawn.reason }]),
    ],
  };
}
