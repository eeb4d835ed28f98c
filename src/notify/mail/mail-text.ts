import type { MailMessage } from "./mailer.ts";

/** A mail without its recipients. */
export type Letter = Omit<MailMessage, "to">;

/** The subject of a mail without the title, and its paragraphs before the links. */
export interface MailWords {
  subject: string;
  text: string[];
}

/**
 * A mail about a submission or dataset.
 * @param about.links lines below the title
 * @param about.why why the recipient gets it: the end of a sentence
 */
export function letterOf(
  { subject, text }: MailWords,
  { id, title, links, why }: { id: string; title: string; links: readonly string[]; why: string },
): Letter {
  return {
    id,
    subject: `${subject}: ${oneLine(title)}`,
    text: [
      ...text,
      [`Title: ${oneLine(title)}`, ...links].join("\n"),
      `You receive this mail because ${why}. Please do not reply: replies are not read.`,
    ].join("\n\n"),
  };
}

const LONGEST_TITLE = 100;
const LONGEST_QUOTE = 3_000;

/** Text from callers on one short line. Removes characters that could imitate a header or a paragraph of the mail, or change the text direction. */
export function oneLine(text: string, most = LONGEST_TITLE): string {
  const line = text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}

/** Text from callers with its lines. Each starts with “> ”, so that it cannot imitate a paragraph of the mail. */
export function quoted(text: string): string {
  const short = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return short
    .split(/[\r\n\u0085\u2028\u2029\v\f]+/)
    .map((line) => `> ${oneLine(line, LONGEST_QUOTE)}`.trimEnd())
    .join("\n");
}

/** A sentence from a text that may or may not end with a full stop. */
export function sentence(text: string): string {
  return `${oneLine(text, 500).replace(/[.!?]$/, "")}.`;
}
