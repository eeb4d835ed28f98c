import { stripVTControlCharacters, styleText } from "node:util";

/**
 * Text that a terminal may be given. Titles, keys and messages come from other people and could hold control
 * characters that move the cursor, rename the window or turn text around; whatever is put in through {@link show} or
 * {@link styled} is made visible instead. The output takes nothing else, so the compiler finds who forgets it.
 */
class Shown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Columns that it takes. */
  get width(): number {
    return widthOf(stripVTControlCharacters(this.text));
  }
}

export type { Shown };

export type Showable = string | number | Shown;
type Style = Parameters<typeof styleText>[0];

/** A template whose values are made harmless; the text around them is taken as written. */
export function show(parts: TemplateStringsArray, ...values: Showable[]): Shown {
  return new Shown(parts.map((part, index) => part + (index < values.length ? harmless(values[index]) : "")).join(""));
}

/** The value made harmless, in a colour or weight. */
export function styled(style: Style, value: Showable): Shown {
  return new Shown(styleText(style, harmless(value), { validateStream: false }));
}

/** The items with a separator between them. */
export function join(items: readonly Showable[], separator = ", "): Shown {
  return new Shown(items.map(harmless).join(separator));
}

/** Filled up with spaces to so many columns. */
export function pad(value: Showable, columns: number, side: "left" | "right" = "left"): Shown {
  const shown = show`${value}`;
  const fill = " ".repeat(Math.max(0, columns - shown.width));
  return new Shown(side === "left" ? shown.text + fill : fill + shown.text);
}

/** Cut to so many columns, with an ellipsis where something is missing. Styles do not survive a cut. */
export function cut(value: Showable, columns: number): Shown {
  const shown = show`${value}`;
  if (shown.width <= columns) return shown;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(shown.text))) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return new Shown(`${kept}…`);
}

/** Broken at spaces into lines of so many columns; those after the first begin with `hang` spaces. */
export function wrap(value: Shown, columns: number, hang: number): Shown {
  const lines: string[] = [];
  let line = "";
  for (const word of value.text.split(/(?<=\S) (?=\S)/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(stripVTControlCharacters(longer)) > columns) {
      lines.push(line);
      line = " ".repeat(hang) + word;
    } else line = longer;
  }
  return new Shown([...lines, line].join("\n"));
}

const NAMED: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
/** Controls (C0, DEL, C1), line separators, marks that turn text around, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

function harmless(value: Showable | undefined): string {
  if (value instanceof Shown) return value.text;
  return String(value ?? "").replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return NAMED[character] ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
  });
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

function widthOf(text: string): number {
  // Most text is ASCII, where a character is a column.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
