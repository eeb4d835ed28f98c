import { type Agent, type Described, summaryOf } from "./described.ts";

/** The dataset as an item of CSL-JSON, as DOI registration agencies answer it. */
export function csl(described: Described): object {
  const summary = summaryOf(described);
  const { licence, language, subjects } = summary;
  return {
    id: summary.identifier,
    type: "dataset",
    title: summary.title,
    author: summary.creators.map(nameOf),
    ...(summary.contributors.length > 0 && { contributor: summary.contributors.map(nameOf) }),
    issued: { "date-parts": [summary.available.split("-").map(Number)] },
    publisher: summary.publisher,
    version: summary.version,
    abstract: summary.description,
    ...(subjects.length > 0 && { keyword: subjects.join(", ") }),
    ...(language !== undefined && { language }),
    URL: described.url,
    license: licence.url ?? licence.name,
  };
}

function nameOf({ kind, name, family, given }: Agent): object {
  if (kind === "organisation" || (family === undefined && given === undefined)) return { literal: name };
  return { ...(family !== undefined && { family }), ...(given !== undefined && { given }) };
}
