import type { DateType } from "../../../../packages/rules/src/index.ts";
import type { NormalizedDate, NormalizedPlace } from "../../metadata/normalized.ts";

/** Properties of dates that are not a period which the data cover. */
const PROPERTIES: Partial<Record<DateType, string>> = {
  Accepted: "dcterms:dateAccepted",
  Copyrighted: "dcterms:dateCopyrighted",
  Created: "dcterms:created",
  Other: "dcterms:date",
  Valid: "dcterms:valid",
};

/** `dcterms:temporal` for the dates of collection and coverage, and a property for each of the other types. */
export function dateProperties(dates: readonly NormalizedDate[] = []): Record<string, unknown[]> {
  const properties: Record<string, unknown[]> = {};
  for (const date of dates) {
    const property = PROPERTIES[date.dateType] ?? "dcterms:temporal";
    properties[property] ??= [];
    properties[property].push(property === "dcterms:temporal" ? period(date) : typedDate(date.date));
  }
  return properties;
}

function period({ date, dateInformation }: NormalizedDate): object {
  const [start = "", end = start] = date.split("/");
  return {
    "@type": "dcterms:PeriodOfTime",
    ...(start !== "" && { "dcat:startDate": typedDate(start) }),
    ...(end !== "" && { "dcat:endDate": typedDate(end) }),
    ...(dateInformation !== undefined && { "rdfs:label": dateInformation }),
  };
}

/** A year, month or day with its type. XML Schema has no type for a range, which stays a text. */
function typedDate(date: string): object | string {
  const types: Record<number, string> = { 4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date" };
  // Years before the common era have a sign, and up to six digits.
  const type = date.includes("/") ? undefined : /^-\d+$/.test(date) ? "xsd:gYear" : types[date.length];
  return type === undefined ? date : { "@type": type, "@value": date };
}

/** A place as `dcterms:Location`, with coordinates as Well Known Text of GeoSPARQL. */
export function location({ geoLocationPlace, geoLocationPoint, geoLocationBox }: NormalizedPlace): object {
  const geometry = (wkt: string) => ({ "@type": "geosparql:wktLiteral", "@value": wkt });
  return {
    "@type": "dcterms:Location",
    ...(geoLocationPlace !== undefined && { "skos:prefLabel": geoLocationPlace }),
    ...(geoLocationPoint !== undefined && { "dcat:centroid": geometry(pointWkt(geoLocationPoint)) }),
    ...(geoLocationBox !== undefined && { "dcat:bbox": geometry(areaWkt(geoLocationBox)) }),
  };
}

/** A point as Well Known Text: longitude, then latitude. */
function pointWkt(point: NonNullable<NormalizedPlace["geoLocationPoint"]>): string {
  return `POINT(${point.pointLongitude} ${point.pointLatitude})`;
}

/** An area as Well Known Text. An area that crosses the 180th meridian has a part on each side. */
export function areaWkt(area: NonNullable<NormalizedPlace["geoLocationBox"]>): string {
  const { westBoundLongitude: west, eastBoundLongitude: east } = area;
  const ring = (from: number, to: number) => {
    const { southBoundLatitude: south, northBoundLatitude: north } = area;
    return `((${from} ${south}, ${to} ${south}, ${to} ${north}, ${from} ${north}, ${from} ${south}))`;
  };
  return west <= east ? `POLYGON${ring(west, east)}` : `MULTIPOLYGON(${ring(west, 180)}, ${ring(-180, east)})`;
}
