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
