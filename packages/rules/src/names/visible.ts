/** Characters without a width, and those that change the direction of the surrounding text. */
const HIDDEN = /[\u007f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Within words of other scripts, joiners are spelling. */
const JOINERS = /(?<![^\u0000-\u007f])[\u200c\u200d]/g;

/** Replaces invisible characters, and those that change the direction of the surrounding text, by visible symbols. */
export function visible(name: string): string {
  return name
    .replaceAll(/[\u0000-\u001f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replaceAll(HIDDEN, "␦")
    .replaceAll(JOINERS, "␦");
}

/** The same for a text of several lines; keeps line breaks. */
export function visibleLines(text: string): string {
  return text.replaceAll(/[^\r\n]+/g, visible);
}

/** A text to copy: without the characters that `visibleLines` replaces. Keeps line breaks and tabs. */
export function withoutHidden(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
    .replaceAll(HIDDEN, "")
    .replaceAll(JOINERS, "");
}
