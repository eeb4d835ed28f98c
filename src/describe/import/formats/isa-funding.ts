import type { Draft } from "../draft.ts";
import { addThanks, fundingIn } from "./funding-text.ts";
import type { IsaSection } from "./isa-section.ts";

/** Labels of comments for funders, their identifiers and grants, as MetaboLights, FAIRDOM and others write them. */
const FUNDERS = ["funding agency", "funder", "funder name", "funding"];
const IDENTIFIERS = [
  "funder ror id",
  "funder ror",
  "funder id",
  "funder identifier",
  "funder doi",
  "funding agency id",
];
const GRANTS = ["grant number", "grant identifier", "grant id", "grant", "award number", "funding number"];

/** Adds the funders of a section. A column has a funder and its grants, which semicolons separate. */
export function addFunding(section: IsaSection, draft: Draft): void {
  for (const value of section.columns(...FUNDERS, ...GRANTS)) {
    const used = (labels: string[]) => labels.find((label) => value(label) !== undefined);
    const [funders = [], identifiers = [], grants = []] = [FUNDERS, IDENTIFIERS, GRANTS].map((labels) =>
      partsOf(value(used(labels) ?? "")),
    );
    addColumn(funders, identifiers, grants, section.place(used(FUNDERS) ?? used(GRANTS) ?? ""), draft);
  }
}

function addColumn(funders: string[], identifiers: string[], grants: string[], place: string, draft: Draft): void {
  const [funder] = funders;
  const stated = funders.length === 1 && funder !== undefined ? fundingIn(funder) : undefined;
  const isPaired = funders.length > 1 && (grants.length === funders.length || grants.length === 0);
  if (stated !== undefined) {
    const numbers = grants.length === 0 ? [stated.awardNumber] : grants;
    for (const awardNumber of numbers) {
      const { funderName } = stated;
      draft.add("fundingReferences", place, { funderName, funderIdentifier: identifiers[0], awardNumber });
    }
  } else if (isPaired) {
    for (const [index, funderName] of funders.entries()) {
      const funderIdentifier = identifiers.length === funders.length ? identifiers[index] : undefined;
      draft.add("fundingReferences", place, { funderName, funderIdentifier, awardNumber: grants[index] });
    }
  } else addThanks([...funders, ...grants].join("; "), place, draft);
}

function partsOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
