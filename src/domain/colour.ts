/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The colour that a text such as `#1d6653` names; undefined for another text. */
export function rgbOf(text: string): Rgb | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The text of a colour, such as `#1d6653`. */
export function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, made lighter until it has this contrast to a dark background. */
export function lightened(colour: Rgb, background: Rgb, least: number): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, share);
    if (contrast(mixed, background) >= least) return mixed;
  }
  return [255, 255, 255];
}

function mix([red, green, blue]: Rgb, share: number): Rgb {
  const part = (value: number) => Math.round(value + (255 - value) * share);
  return [part(red), part(green), part(blue)];
}

/** WCAG 2.2, “relative luminance”. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
