import { withoutUndefined } from "../../../domain/shape.ts";
import type { NormalizedDate, NormalizedPlace } from "../normalized.ts";
import { GeoLocation, GeoLocationBox, GeoLocationPoint, MetadataDate } from "../schema.ts";
import { coordinate } from "../values/coordinate.ts";
import { dateOrRange } from "../values/date-range.ts";
import { dateTypes } from "../values/terms.ts";
import type { Members } from "./members.ts";

/** Checks a date or period. */
export function checkDate(date: Members<MetadataDate>): NormalizedDate | undefined {
  date.checkUnknown(MetadataDate);
  const sent = date.required("date");
  date.required("dateType");
  const dateType = date.term("dateType", dateTypes);
  const stated = sent === undefined ? undefined : dateOrRange(sent);
  if (sent !== undefined && stated === undefined) {
    const detail =
      "The value is not an existing date such as 2024, 2024-05 or 2024-05-17, or a range such as 2024-05/2024-07.";
    date.findings.error(date.at("date"), "date_invalid", detail);
  }
  if (stated === undefined || dateType === undefined) return undefined;
  return withoutUndefined<NormalizedDate>({ date: stated, dateType, dateInformation: date.text("dateInformation") });
}

/** Checks a place. Coordinates become numbers. */
export function checkPlace(place: Members<GeoLocation>): NormalizedPlace | undefined {
  place.checkUnknown(GeoLocation);
  const point = place.object("geoLocationPoint");
  const box = place.object("geoLocationBox");
  const checked = withoutUndefined<NormalizedPlace>({
    geoLocationPlace: place.text("geoLocationPlace"),
    geoLocationPoint: point && checkPoint(point as Members<Point>),
    geoLocationBox: box && checkBox(box as Members<Box>),
  });
  if (Object.keys(checked).length > 0) return checked;
  if (point === undefined && box === undefined) {
    place.findings.error(place.pointer, "required", "A place needs a name, a point or an area.");
  }
  return undefined;
}

type Point = { pointLatitude?: number | string; pointLongitude?: number | string };
type Box = Partial<
  Record<"westBoundLongitude" | "eastBoundLongitude" | "southBoundLatitude" | "northBoundLatitude", number | string>
>;

function checkPoint(point: Members<Point>): NormalizedPlace["geoLocationPoint"] {
  point.checkUnknown(GeoLocationPoint);
  const pointLatitude = checkCoordinate(point, "pointLatitude");
  const pointLongitude = checkCoordinate(point, "pointLongitude");
  if (pointLatitude === undefined || pointLongitude === undefined) return undefined;
  return { pointLatitude, pointLongitude };
}

function checkBox(box: Members<Box>): NormalizedPlace["geoLocationBox"] {
  box.checkUnknown(GeoLocationBox);
  const westBoundLongitude = checkCoordinate(box, "westBoundLongitude");
  const eastBoundLongitude = checkCoordinate(box, "eastBoundLongitude");
  const southBoundLatitude = checkCoordinate(box, "southBoundLatitude");
  const northBoundLatitude = checkCoordinate(box, "northBoundLatitude");
  if (westBoundLongitude === undefined || eastBoundLongitude === undefined) return undefined;
  if (southBoundLatitude === undefined || northBoundLatitude === undefined) return undefined;
  if (southBoundLatitude > northBoundLatitude) {
    const detail = "The southern latitude is greater than the northern latitude.";
    box.findings.error(box.at("southBoundLatitude"), "coordinate_invalid", detail);
  }
  return { westBoundLongitude, eastBoundLongitude, southBoundLatitude, northBoundLatitude };
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
