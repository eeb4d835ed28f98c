type Axis = "latitude" | "longitude";

const LIMITS: Record<Axis, number> = { latitude: 90, longitude: 180 };
const HEMISPHERES: Record<Axis, string> = { latitude: "NS", longitude: "EW" };
/** Decimals that are kept: about one centimetre. */
const DECIMALS = 7;
const DEGREES =
  /^([+-]?\d{1,3}(?:[.,]\d+)?)\s*(?:°\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|'')\s*)?)?([NSEW])?$/i;

/**
 * A coordinate in decimal degrees (WGS 84) with at most seven decimals. Accepts numbers, `51.8267`, `51,8267`,
 * `51.8267° N` and `51° 49′ 36″ N`. Undefined outside of ±90 or ±180, or if the hemisphere belongs to the other axis.
 */
export function coordinate(value: number | string, axis: Axis): number | undefined {
  const degrees = typeof value === "number" ? value : parsed(value.trim(), axis);
  if (degrees === undefined || !Number.isFinite(degrees) || Math.abs(degrees) > LIMITS[axis]) return undefined;
  return Number(degrees.toFixed(DECIMALS)) + 0;
}

function parsed(text: string, axis: Axis): number | undefined {
  const [, degrees, minutes = "0", seconds = "0", hemisphere] = DEGREES.exec(text) ?? [];
  if (degrees === undefined) return undefined;
  const letter = hemisphere?.toUpperCase() ?? "";
  if (!HEMISPHERES[axis].includes(letter) || (letter !== "" && /^[+-]/.test(degrees))) return undefined;
  const [whole, part, small] = [degrees, minutes, seconds].map((number) => Number(number.replace(",", ".")));
  if (whole === undefined || part === undefined || small === undefined || part >= 60 || small >= 60) return undefined;
  const size = Math.abs(whole) + part / 60 + small / 3600;
  const isNegative = letter === "S" || letter === "W" || degrees.startsWith("-");
  return isNegative ? -size : size;
}
