import type { NormalizedDate, NormalizedPlace } from "../../metadata/normalized.ts";
import { type Entity, stated } from "./entity.ts";

/** Dates that the content covers: of collection, of coverage, and during which the data are accurate. */
const COVERED = new Set(["Collected", "Coverage", "Valid"]);

/** `temporalCoverage`, `dateCreated` and `copyrightYear`. The first is a date or a range, the others are single dates. */
export function dateProperties(dates: readonly NormalizedDate[] = []): Record<string, unknown> {
  const single = dates.filter(({ date }) => !date.includes("/"));
  return stated({
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
export function place({ geoLocationPlace, geoLocationPoint, geoLocationBox }: NormalizedPlace, index: number): Entity {
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
    ...stated({ geo: shapes }),
  };
}
