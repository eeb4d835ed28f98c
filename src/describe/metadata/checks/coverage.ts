import { dateTypes } from "../../../../packages/rules/src/index.ts";
import type { NormalizedDate, NormalizedPlace } from "../normalized.ts";
import * as schema from "../schema.ts";
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

type Axis = "latitude" | "longitude";

const LIMITS: Record<Axis, number> = { latitude: 90, longitude: 180 };
const HEMISPHERES: Record<Axis, string> = { latitude: "NS", longitude: "EW" };
/** Decimals that are kept: about one centimetre. */
const DECIMALS = 7;
/** Numbers below one millionth are rounded to six decimals, because programs write smaller ones as `1e-7`. */
const SMALLEST = 1e-6;
const DEGREES =
  /^([NSEW])?\s*([+-]?\d{1,3}(?:[.,]\d+)?)\s*(?:°\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|'')\s*)?)?([NSEW])?$/i;
/** As programs write very small numbers. */
const EXPONENT = /^[+-]?\d{1,3}(?:\.\d{1,30})?e-\d{1,2}$/i;

/**
 * A coordinate in decimal degrees (WGS 84) with at most seven decimals. Accepts numbers, `51.8267`, `51,8267`,
 * `51.8267° N`, `N 51.8267` and `51° 49′ 36″ N`, also with the minus sign of typesetting (`−`). Undefined outside of ±90 or
 * ±180, or if the hemisphere belongs to the other axis.
 */
export function coordinate(value: number | string, axis: Axis): number | undefined {
  const degrees = typeof value === "number" ? value : parsed(value.trim(), axis);
  if (degrees === undefined || !Number.isFinite(degrees) || Math.abs(degrees) > LIMITS[axis]) return undefined;
  const rounded = Number(degrees.toFixed(DECIMALS));
  // −0 has no JSON form of its own.
  return (Math.abs(rounded) < SMALLEST ? Number(degrees.toFixed(DECIMALS - 1)) : rounded) + 0;
}

function parsed(sent: string, axis: Axis): number | undefined {
  // The minus sign, and the ordinal sign that some keyboards have instead of the degree sign.
  const text = sent.replace("\u2212", "-").replace("º", "°");
  if (EXPONENT.test(text)) return Number(text);
  const [, before, degrees, minutes = "0", seconds = "0", after] = DEGREES.exec(text) ?? [];
  if (degrees === undefined || (before !== undefined && after !== undefined)) return undefined;
  const letter = (before ?? after ?? "").toUpperCase();
  if (!HEMISPHERES[axis].includes(letter) || (letter !== "" && /^[+-]/.test(degrees))) return undefined;
  const [whole, part, small] = [degrees, minutes, seconds].map((number) => Number(number.replace(",", ".")));
  if (whole === undefined || part === undefined || small === undefined || part >= 60 || small >= 60) return undefined;
  const size = Math.abs(whole) + part / 60 + small / 3600;
  const isNegative = letter === "S" || letter === "W" || degrees.startsWith("-");
  return isNegative ? -size : size;
}
