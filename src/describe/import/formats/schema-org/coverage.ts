import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { boxAt, pointAt } from "../places.ts";

/** Properties of dates, with the types of DataCite. */
const DATES = [
  ["dateCreated", "Created"],
  ["temporalCoverage", "Coverage"],
  ["copyrightYear", "Copyrighted"],
] as const;

/** Adds the dates of the content. */
export function addDates(root: FileValue, draft: Draft): void {
  for (const [name, dateType] of DATES) {
    for (const entry of root.entries(name)) {
      const date = entry.text();
      if (date !== undefined) draft.add("dates", entry, { date, dateType });
    }
  }
}

/** Adds a place, with the first point and the first area that it states. */
export function addPlace(place: FileValue, draft: Draft): void {
  const geoLocationPlace = place.text("name") ?? place.text();
  const stated = place.linked("geo");
  const shapes = stated.length > 0 ? stated : [place];
  const geoLocationPoint = shapes.map(pointOf).find(isStated);
  const geoLocationBox = shapes.map(boxOf).find(isStated);
  draft.add("geoLocations", place, { geoLocationPlace, geoLocationPoint, geoLocationBox });
  for (const shape of shapes) {
    if (shape.member("polygon", "line", "circle") === undefined) continue;
    draft.remark(shape, "Only points and boxes are supported. The shape is not used.");
  }
}

function isStated(shape: object): boolean {
  return Object.values(shape).some((degrees) => degrees !== undefined);
}

function pointOf(geo: FileValue) {
  const wkt = /\bPOINT ?\(([^()]{1,100})\)$/i.exec(geo.text("asWKT")?.slice(0, 300) ?? "")?.[1];
  // Well-known text writes the longitude first.
  const [longitude, latitude] = wkt?.trim().split(/\s+/) ?? [];
  return pointAt(latitude ?? geo.text("latitude"), longitude ?? geo.text("longitude"));
}

function boxOf(geo: FileValue) {
  const corners = geo.text("box")?.slice(0, 300);
  return boxAt(corners?.split(/[\s,]+/) ?? []);
}
