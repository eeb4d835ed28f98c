import { citationType } from "../metadata/values/citation-types.ts";
import { type Agent, citedOf, type ExportInput, namePartsOf, summaryOf } from "./export-input.ts";
import { notesOf, titleNote } from "./notes.ts";

/** The dataset as an item of CSL-JSON, in the form that DOI registration agencies return. */
export function csl(described: ExportInput): object {
  const summary = summaryOf(described);
  const { id, doi, url, status } = citedOf(described);
  // Keywords can contain commas, as MeSH headings do.
  const { licence, language, keywords } = summary;
  const { metadata } = described.facts;
  const genre = metadata.resourceType ?? metadata.resourceTypeGeneral;
  const notes = [...(metadata.titles ?? []).map(titleNote), ...notesOf(metadata)];
  return {
    id,
    type: citationType(metadata.resourceTypeGeneral).csl,
    title: summary.title,
    author: summary.creators.map(nameOf),
    ...(summary.contributors.length > 0 && { contributor: summary.contributors.map(nameOf) }),
    issued: { "date-parts": [summary.issued.split("-").map(Number)] },
    publisher: summary.publisher.name,
    version: summary.version,
    abstract: summary.description,
    ...(keywords.length > 0 && { keyword: keywordText(keywords) }),
    ...(language !== undefined && { language }),
    ...(doi !== undefined && { DOI: doi }),
    ...(url !== undefined && { URL: url }),
    ...(status !== undefined && { status }),
    license: licence.url ?? licence.name,
    ...(genre !== undefined && { genre }),
    ...(notes.length > 0 && { annote: notes.join("; ") }),
  };
}

/** A single keyword ends with a semicolon if it contains a comma, so that readers do not divide it there. */
function keywordText(keywords: readonly string[]): string {
  const text = keywords.join("; ");
  return keywords.length === 1 && text.includes(",") ? `${text};` : text;
}

function nameOf(agent: Agent): object {
  const { family, given, suffix } = namePartsOf(agent);
  const isLiteral = agent.kind === "organisation" || (family === undefined && given === undefined);
  if (isLiteral) return { literal: agent.name };
  return {
    ...(family !== undefined && { family }),
    ...(given !== undefined && { given }),
    ...(suffix !== undefined && { suffix, "comma-suffix": true }),
  };
}
