import { stripVTControlCharacters, styleText } from "node:util";

/**
 * Text that is safe to print in a terminal. Titles, keys and messages come from other people and can contain control
 * characters that move the cursor, rename the window or reverse text. {@link show} and {@link styled} make these characters
 * visible. The output accepts only this type, so that the compiler detects unsafe texts.
 */
class Shown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Width in columns. */
  get width(): number {
    return widthOf(stripVTControlCharacters(this.text));
  }
}

export type { Shown };

export type Showable = string | number | Shown;
type Style = Parameters<typeof styleText>[0];

/** Template tag that makes values safe. The text around them is used as written. */
export function show(parts: TemplateStringsArray, ...values: Showable[]): Shown {
  return new Shown(parts.map((part, index) => part + (index < values.length ? harmless(values[index]) : "")).join(""));
}

/** Makes a value safe and adds a colour or weight. */
export function styled(style: Style, value: Showable): Shown {
  return new Shown(styleText(style, harmless(value), { validateStream: false }));
}

/** Makes a text of several lines safe. Line breaks stay line breaks, so it must not be part of a line. */
export function paragraphs(text: string): Shown {
  return new Shown(
    text
      .split(/\r?\n/)
      .map((line) => harmless(line))
      .join("\n"),
  );
}

/** Joins items with a separator. */
export function join(items: readonly Showable[], separator = ", "): Shown {
  return new Shown(items.map(harmless).join(separator));
}

/** Pads a value with spaces to this width. */
export function pad(value: Showable, columns: number, side: "left" | "right" = "left"): Shown {
  const shown = show`${value}`;
  const fill = " ".repeat(Math.max(0, columns - shown.width));
  return new Shown(side === "left" ? shown.text + fill : fill + shown.text);
}

/** Cuts a value to this width, with an ellipsis. A cut text loses its styles. */
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

/** Wraps text at spaces to lines of this width. Lines after the first are indented by `hang` spaces. */
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
/** Control characters (C0, DEL, C1), line separators, marks that change the text direction, and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Marks before lines: what succeeded, what failed, what to notice, and the next step. */
export const OK = styled("green", "✓");
export const FAILED = styled("red", "✗");
export const WARNING = styled("yellow", "!");
export const NEXT = styled("cyan", "→");

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
  // Fast path for ASCII, where each character has one column.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
