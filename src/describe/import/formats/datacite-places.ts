import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { degrees } from "./degrees.ts";

/** Adds the places of a DataCite record. */
export function addPlaces(record: FileValue, draft: Draft): void {
  for (const place of record.entries("geoLocations")) {
    const [points, boxes] = [place.entries("geoLocationPoint"), place.entries("geoLocationBox")];
    if (place.member("geoLocationPolygon") !== undefined) {
      draft.remark(place.place, "Polygons are not supported. The polygon is not used.");
    }
    // Each of our places has one point and one area.
    for (let index = 0; index < Math.max(1, points.length, boxes.length); index += 1) {
      draft.add(
        "geoLocations",
        {
          geoLocationPlace: index === 0 ? place.text("geoLocationPlace") : undefined,
          geoLocationPoint: point(points[index]),
          geoLocationBox: box(boxes[index]),
        },
        place.place,
      );
    }
  }
}

function point(stated: FileValue | undefined) {
  // Kernel 3 writes “latitude longitude” as one text.
  const [latitude, longitude] = stated?.text()?.split(/\s+/) ?? [];
  return {
    pointLatitude: degrees(latitude ?? stated?.text("pointLatitude")),
    pointLongitude: degrees(longitude ?? stated?.text("pointLongitude")),
  };
}

function box(stated: FileValue | undefined) {
  // Kernel 3 writes the south-western and the north-eastern corner as one text.
  const [south, west, north, east] = stated?.text()?.split(/\s+/) ?? [];
  return {
    westBoundLongitude: degrees(west ?? stated?.text("westBoundLongitude")),
    eastBoundLongitude: degrees(east ?? stated?.text("eastBoundLongitude")),
    southBoundLatitude: degrees(south ?? stated?.text("southBoundLatitude")),
    northBoundLatitude: degrees(north ?? stated?.text("northBoundLatitude")),
  };
}
