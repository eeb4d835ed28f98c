import type { NormalizedPlace } from "../../metadata/normalized.ts";

/** A point as Well Known Text: longitude, then latitude. */
export function pointWkt(point: NonNullable<NormalizedPlace["geoLocationPoint"]>): string {
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
