import type { MailMessage } from "./mailer.ts";
import type { MailTexts } from "./words/en.ts";

/** A mail without its recipients. */
export type Letter = Omit<MailMessage, "to">;

/** What a mail says about an event. */
export interface MailWords {
  /** Without the title. */
  subject: string;
  /** Paragraphs before the links. */
  text: string[];
  /** What the recipient must do; undefined if nothing. */
  action?: string;
  /** True if the event asked for something that was done since: then there is no mail. */
  isOver?: boolean;
  attachment?: MailMessage["attachment"];
}

/** What a mail is about, and who receives it. */
interface MailAbout {
  /** Of the event and the party: the left side of the Message-ID. */
  id: string;
  /** What the title names: a dataset, or an upload. */
  kind?: "title" | "upload";
  title: string;
  /** Lines below the title. */
  links: readonly string[];
  /** Why the recipient gets it. */
  reason: keyof MailTexts["reasons"];
}

/** The words about an event of a submission or dataset, with what they are about. */
export interface Told extends MailAbout {
  words: MailWords;
}

/** The mail about one event. */
export function letterOf({ words, id, kind = "title", title, links, reason }: Told, texts: MailTexts): Letter {
  const { subject, text, action, attachment } = words;
  return {
    id,
    subject: `${subject}: ${oneLine(title)}`,
    text: [
      ...text,
      ...(action === undefined ? [] : [action]),
      [texts.frame[kind](oneLine(title)), ...links].join("\n"),
      texts.frame.why(texts.reasons[reason]),
    ].join("\n\n"),
    ...(attachment !== undefined && { attachment }),
  };
}

/** One mail about several events, in their order. */
export function digestLetter(parts: readonly Told[], texts: MailTexts): Letter {
  const { digest, frame, reasons } = texts;
  return {
    id: `digest.${parts[0]?.id}`,
    subject: digest.subject(parts.length),
    text: [
      ...parts.flatMap(({ words: { subject, text, action }, title, links }, index) => [
        [`${index + 1}. ${subject}: ${oneLine(title)}`, ...links.slice(0, 1)].join("\n"),
        ...text,
        ...(action === undefined ? [] : [action]),
      ]),
      frame.why(reasons.digest),
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
