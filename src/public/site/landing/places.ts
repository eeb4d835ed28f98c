import type { NormalizedPlace } from "../../../describe/metadata/normalized.ts";
import { type Html, html, NOTHING } from "../html.ts";
import type { Language } from "../site.ts";
import { WORDS } from "../words.ts";
import type { Landing } from "./shown.ts";
import { WORLD, WORLD_UNITS } from "./world.ts";

/** Degrees beside the places that the map shows at least. */
const MARGIN = 8;
/** The smallest part of the world that the map shows, in degrees. */
const SMALLEST = 30;

/** Places with a small map, which is drawn here and needs no other host. */
export function placesPart({ described, language }: Landing): Html {
  const places = described.facts.metadata.geoLocations ?? [];
  if (places.length === 0) return NOTHING;
  const words = WORDS[language].landing;
  const names = places.map((place) => html`<li>${placeText(place, language)}</li>`);
  return html`<section aria-labelledby="places"><h2 id="places">${words.places}</h2>${mapOf(places, words.map)}<ul>${names}</ul></section>`;
}

function placeText(
  { geoLocationPlace, geoLocationPoint: point, geoLocationBox: box }: NormalizedPlace,
  language: Language,
): string {
  const latitude = (value: number) => degrees(value, "N", "S", language);
  const longitude = (value: number) => degrees(value, language === "de" ? "O" : "E", "W", language);
  const parts = [
    point && `${latitude(point.pointLatitude)}, ${longitude(point.pointLongitude)}`,
    box &&
      `${latitude(box.southBoundLatitude)} – ${latitude(box.northBoundLatitude)}, ${longitude(box.westBoundLongitude)} – ${longitude(box.eastBoundLongitude)}`,
  ];
  const coordinates = parts.filter((part) => part !== undefined).join("; ");
  if (geoLocationPlace === undefined) return coordinates;
  return coordinates === "" ? geoLocationPlace : `${geoLocationPlace} (${coordinates})`;
}

function degrees(value: number, positive: string, negative: string, language: Language): string {
  return `${Math.abs(value).toLocaleString(language, { maximumFractionDigits: 4 })}° ${value < 0 ? negative : positive}`;
}

interface Area {
  west: number;
  east: number;
  south: number;
  north: number;
}

/** An equirectangular map (EPSG:4326) of the part of the world around the places. */
function mapOf(places: readonly NormalizedPlace[], label: string): Html {
  const areas = places.flatMap(areasOf);
  if (areas.length === 0) return NOTHING;
  const view = viewOf(areas);
  const [width, height] = [view.east - view.west, view.north - view.south];
  const radius = width / 90;
  const shapes = areas.map(({ west, east, south, north }) =>
    east - west < radius && north - south < radius
      ? html`<circle class="place" cx="${(west + east) / 2}" cy="${-(south + north) / 2}" r="${radius}"/>`
      : html`<rect class="place" x="${west}" y="${-north}" width="${Math.max(east - west, radius)}" height="${Math.max(north - south, radius)}"/>`,
  );
  return html`<svg class="map" viewBox="${view.west} ${-view.north} ${width} ${height}" role="img" aria-label="${label}"><path class="land" transform="scale(${1 / WORLD_UNITS})" d="${WORLD}"/>${shapes}</svg>`;
}

/** The areas of a place. A box that crosses the 180th meridian is two areas. */
function areasOf({ geoLocationPoint: point, geoLocationBox: box }: NormalizedPlace): Area[] {
  const areas: Area[] = [];
  if (point !== undefined) {
    const { pointLongitude: x, pointLatitude: y } = point;
    areas.push({ west: x, east: x, south: y, north: y });
  }
  if (box !== undefined) {
    const {
      westBoundLongitude: west,
      eastBoundLongitude: east,
      southBoundLatitude: south,
      northBoundLatitude: north,
    } = box;
    if (west <= east) areas.push({ west, east, south, north });
    else areas.push({ west, east: 180, south, north }, { west: -180, east, south, north });
  }
  return areas;
}

/** A part of the world, twice as wide as high, that contains the areas. */
function viewOf(areas: readonly Area[]): Area {
  const west = Math.min(...areas.map((area) => area.west)) - MARGIN;
  const east = Math.max(...areas.map((area) => area.east)) + MARGIN;
  const south = Math.min(...areas.map((area) => area.south)) - MARGIN;
  const north = Math.max(...areas.map((area) => area.north)) + MARGIN;
  const width = Math.min(360, Math.max(east - west, 2 * (north - south), SMALLEST));
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const left = Math.min(Math.max(x - width / 2, -180), 180 - width);
  const bottom = Math.min(Math.max(y - width / 4, -90), 90 - width / 2);
  const round = (value: number) => Math.round(value * 100) / 100;
  return { west: round(left), east: round(left + width), south: round(bottom), north: round(bottom + width / 2) };
}
