import { type Agent, type Described, namePartsOf, summaryOf } from "./described.ts";

/** The dataset as an item of CSL-JSON, in the form that DOI registration agencies return. */
export function csl(described: Described): object {
  const summary = summaryOf(described);
  const { licence, language, subjects } = summary;
  return {
    id: summary.url,
    type: "dataset",
    title: summary.title,
    author: summary.creators.map(nameOf),
    ...(summary.contributors.length > 0 && { contributor: summary.contributors.map(nameOf) }),
    issued: { "date-parts": [summary.available.split("-").map(Number)] },
    publisher: summary.publisher.name,
    version: summary.version,
    abstract: summary.description,
    ...(subjects.length > 0 && { keyword: subjects.join(", ") }),
    ...(language !== undefined && { language }),
    URL: summary.url,
    license: licence.url ?? licence.name,
  };
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
