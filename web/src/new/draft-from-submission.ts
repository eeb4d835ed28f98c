import type { Submission } from "@accession/client";
import { isOfFolder } from "./data-source/ticks.ts";
import { type DataSource, type Description, type Draft, newDraft, newPerson, type Person } from "./draft.ts";

/** The entries of an earlier submission as a draft. Ignores values of an unexpected type. */
export function draftFromSubmission({
  metadata,
  source,
}: Submission): Pick<Draft, "dataSource" | "description" | "authors"> {
  const { dataSource, description } = newDraft();
  const sent = members(metadata);
  const selection = members(source.selection);
  const authors = (Array.isArray(sent.authors) ? sent.authors : []).map(personOf);
  return {
    dataSource: {
      ...dataSource,
      endpoint: source.endpoint,
      region: source.region ?? "",
      bucket: source.bucket,
      prefix: typeof selection.prefix === "string" ? selection.prefix : "",
      ...typedAndTicked(textsOf(selection.include), textsOf(selection.exclude)),
    },
    description: {
      ...description,
      ...texts<Description>(sent, description),
      subjects: textsOf(sent.subjects).join(", "),
      embargoDate: dayOf(sent.embargoDate),
    },
    authors: authors.length === 0 ? [newPerson()] : authors,
  };
}

/** Folder patterns become ticks. So do patterns that a line of a text field cannot represent. */
function typedAndTicked(
  include: string[],
  exclude: string[],
): Pick<DataSource, "include" | "exclude" | "chosen" | "leftOut"> {
  const isTick = (pattern: string) => isOfFolder(pattern) || pattern.trim() !== pattern || pattern.includes("\n");
  const typed = (patterns: string[]) => patterns.filter((pattern) => !isTick(pattern)).join("\n");
  return {
    include: typed(include),
    exclude: typed(exclude),
    chosen: include.filter(isTick),
    leftOut: exclude.filter(isTick),
  };
}

function personOf(author: unknown): Person {
  const blank = newPerson();
  return { ...blank, ...texts<Person>(members(author), blank), id: blank.id };
}

/** The day of a date, without a time: the field accepts only days. */
function dayOf(date: unknown): string {
  return typeof date === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? "") : "";
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

/** The members that are texts, as in the blank draft. */
function texts<Shape extends object>(sent: Record<string, unknown>, blank: Shape): Partial<Shape> {
  const names = Object.entries(blank).flatMap(([name, value]) => (typeof value === "string" ? [name] : []));
  const known = names.flatMap((name) => (typeof sent[name] === "string" ? [[name, sent[name]]] : []));
  return Object.fromEntries(known) as Partial<Shape>;
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
