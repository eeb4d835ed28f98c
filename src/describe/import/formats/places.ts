/** A coordinate as a number. Other texts are kept, because the check accepts `51° 49′ N`, too. */
function degrees(text: string | undefined): number | string | undefined {
  return text !== undefined && /^[+-]?\d{1,3}(?:\.\d{1,30})?(?:e-\d{1,2})?$/.test(text) ? Number(text) : text;
}

/** A point; its members are undefined if they are not stated. */
export function pointAt(latitude: string | undefined, longitude: string | undefined) {
  return { pointLatitude: degrees(latitude), pointLongitude: degrees(longitude) };
}

/** An area, by its south-western and north-eastern corner; its members are undefined if they are not stated. */
export function boxAt([south, west, north, east]: (string | undefined)[]) {
  return {
    westBoundLongitude: degrees(west),
    eastBoundLongitude: degrees(east),
    southBoundLatitude: degrees(south),
    northBoundLatitude: degrees(north),
  };
}
