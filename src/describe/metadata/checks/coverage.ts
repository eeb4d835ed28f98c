import { dateTypes } from "../../../../packages/rules/src/index.ts";
import type { NormalizedDate, NormalizedPlace } from "../normalized.ts";
import * as schema from "../schema.ts";
import { coordinate } from "../values/coordinate.ts";
import { dateOrRange } from "../values/date-range.ts";
import { checkOf, type Members, requiredTerm } from "./members.ts";

/** Checks a date or period. */
export const checkDate = checkOf<schema.MetadataDate, NormalizedDate>(schema.MetadataDate, {
  date: checkPeriod,
  dateType: requiredTerm(dateTypes),
});

function checkPeriod(date: Members<schema.MetadataDate>): string | undefined {
  const sent = date.required("date");
  const stated = sent === undefined ? undefined : dateOrRange(sent);
  if (sent !== undefined && stated === undefined) {
    const detail =
      "The value is not an existing date such as 2024, 2024-05 or 2024-05-17, or a range such as 2024-05/2024-07.";
    date.findings.error(date.at("date"), "date_invalid", detail);
  }
  return stated;
}

/** Checks a place. Coordinates become numbers. */
export function checkPlace(place: Members<schema.GeoLocation>): NormalizedPlace | undefined {
  const checked = checkMembers(place);
  if (Object.keys(checked).length > 0) return checked;
  place.findings.error(place.pointer, "required", "A place needs a name, a point or an area.");
  return undefined;
}

const checkMembers = checkOf<schema.GeoLocation, NormalizedPlace>(schema.GeoLocation, {
  geoLocationPoint: (place) => place.object("geoLocationPoint", checkPoint),
  geoLocationBox: (place) => place.object("geoLocationBox", checkBox),
});

const checkPoint = checkOf<schema.GeoLocationPoint, NonNullable<NormalizedPlace["geoLocationPoint"]>>(
  schema.GeoLocationPoint,
  { pointLatitude: checkCoordinate, pointLongitude: checkCoordinate },
);

const checkBounds = checkOf<schema.GeoLocationBox, NonNullable<NormalizedPlace["geoLocationBox"]>>(
  schema.GeoLocationBox,
  {
    westBoundLongitude: checkCoordinate,
    eastBoundLongitude: checkCoordinate,
    southBoundLatitude: checkCoordinate,
    northBoundLatitude: checkCoordinate,
  },
);

function checkBox(box: Members<schema.GeoLocationBox>) {
  const checked = checkBounds(box);
  if (checked.southBoundLatitude > checked.northBoundLatitude) {
    const detail = "The southern latitude is greater than the northern latitude.";
    box.findings.error(box.at("southBoundLatitude"), "coordinate_invalid", detail);
  }
  return checked;
}

function checkCoordinate<T extends object>(members: Members<T>, name: keyof T & string): number | undefined {
  const sent = members.value(name);
  const axis = name.endsWith("Latitude") ? "latitude" : "longitude";
  const isStated = typeof sent === "number" || (typeof sent === "string" && members.text(name) !== undefined);
  if (!isStated) {
    members.required(name);
    return undefined;
  }
  const degrees = coordinate(sent, axis);
  if (degrees === undefined) {
    const range = axis === "latitude" ? "−90 to 90" : "−180 to 180";
    const detail = `The value is not a ${axis} in degrees from ${range}, such as 11.28 or 11° 17′ ${axis === "latitude" ? "N" : "E"}.`;
    members.findings.error(members.at(name), "coordinate_invalid", detail);
  }
  return degrees;
}
