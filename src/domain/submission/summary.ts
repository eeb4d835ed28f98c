import type { Remark } from "../problems.ts";
import type { Selection } from "./selection.ts";

/*
 * Lists show a summary of each submission, because metadata can have 4 MiB. The summary is created when the submission is
 * accepted and stored separately, so that lists never read the metadata.
 */

/** Maximum characters (code points) of each text in a summary, and maximum entries of each list. */
export const SUMMARY = { title: 300, description: 300, text: 100, authors: 3, subjects: 5, warnings: 3, patterns: 5 };
/** A list of patterns with more characters than this is left out, because a shortened pattern selects other objects. */
const LONGEST_PATTERNS = 1_000;

/** A bounded subset of the metadata as sent. */
export interface MetadataSummary {
  title: string;
  description?: string;
  authors: Partial<Record<(typeof AUTHOR_MEMBERS)[number], string>>[];
  authorsTotal: number;
  subjects: string[];
  subjectsTotal: number;
  language?: string;
  license?: string;
  embargoDate?: string;
}

/** The part of a submission that is stored for lists. */
export interface SubmissionSummary {
  metadata: MetadataSummary;
  selection: Selection;
  warnings: Remark[];
  warningsTotal: number;
  /** Whether any text or list was shortened. */
  shortened: boolean;
}

/** Input of a summary. `sent` may have any form, because a rebuild reads it from an archive. */
interface Summarized {
  sent: unknown;
  selection: unknown;
  warnings: readonly Remark[];
}

const AUTHOR_MEMBERS = ["role", "name", "orcid", "firstName", "lastName"] as const;

/** Summarizes a submission in less than 20 kB of JSON. */
export function summarize({ sent, selection, warnings }: Summarized): SubmissionSummary {
  const shortener = new Shortener();
  return {
    metadata: metadataOf(membersOf(sent), shortener),
    selection: selectionOf(membersOf(selection), shortener),
    warnings: shortener.entries(warnings, SUMMARY.warnings).map(({ pointer, code, detail }) => ({
      pointer: shortener.text(pointer, SUMMARY.description),
      code,
      detail: shortener.text(detail, SUMMARY.description),
    })),
    warningsTotal: warnings.length,
    shortened: shortener.hasShortened,
  };
}

/** A text of at most `most` characters; a shortened text ends with an ellipsis. */
export function shortText(text: string, most: number): string {
  // A code point has at most two UTF-16 units, so the rest of a long text need not be split.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Shortens values and remembers whether it had to. */
class Shortener {
  hasShortened = false;

  text(text: string, most: number): string {
    const short = shortText(text, most);
    if (short !== text) this.hasShortened = true;
    return short;
  }

  entries<T>(list: readonly T[], most: number): readonly T[] {
    if (list.length > most) this.hasShortened = true;
    return list.slice(0, most);
  }
}

function metadataOf(sent: Record<string, unknown>, shortener: Shortener): MetadataSummary {
  const authors = listOf(sent.authors).map(membersOf);
  const subjects = listOf(sent.subjects).filter((subject) => typeof subject === "string");
  const text = (name: string, most = SUMMARY.text) => {
    const value = sent[name];
    return typeof value === "string" && value !== "" ? { [name]: shortener.text(value, most) } : {};
  };
  return {
    title: typeof sent.title === "string" ? shortener.text(sent.title.trim(), SUMMARY.title) : "",
    ...text("description", SUMMARY.description),
    authors: shortener.entries(authors, SUMMARY.authors).map((author) => authorOf(author, shortener)),
    authorsTotal: authors.length,
    subjects: shortener.entries(subjects, SUMMARY.subjects).map((one) => shortener.text(one, SUMMARY.text)),
    subjectsTotal: subjects.length,
    ...text("language"),
    ...text("license"),
    ...text("embargoDate"),
  };
}

function authorOf(author: Record<string, unknown>, shortener: Shortener): MetadataSummary["authors"][number] {
  return Object.fromEntries(
    AUTHOR_MEMBERS.flatMap((name) => {
      const value = author[name];
      return typeof value === "string" && value !== "" ? [[name, shortener.text(value, SUMMARY.text)]] : [];
    }),
  );
}

function selectionOf(selection: Record<string, unknown>, shortener: Shortener): Selection {
  const patterns = (name: "include" | "exclude") => {
    const list = listOf(selection[name]).filter((pattern) => typeof pattern === "string");
    const first = list.slice(0, SUMMARY.patterns);
    const isBounded = first.length === list.length && first.join("").length <= LONGEST_PATTERNS;
    if (!isBounded) shortener.hasShortened = true;
    return isBounded && first.length > 0 ? { [name]: first } : {};
  };
  return {
    ...(typeof selection.prefix === "string" && { prefix: selection.prefix }),
    ...patterns("include"),
    ...patterns("exclude"),
    ...(typeof selection.refetch === "boolean" && { refetch: selection.refetch }),
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
