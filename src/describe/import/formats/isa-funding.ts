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
  const columns = section.columns(...FUNDERS, ...GRANTS);
  for (let column = 0; column < columns; column += 1) {
    const value = (labels: string[]) =>
      labels.map((label) => section.value(label, column)).find((text) => text !== undefined);
    const [funders, identifiers, grants] = [FUNDERS, IDENTIFIERS, GRANTS].map((labels) => partsOf(value(labels)));
    const place = section.place(
      FUNDERS.find((label) => section.value(label, column) !== undefined) ??
        GRANTS.find((label) => section.value(label, column) !== undefined) ??
        "",
    );
    addColumn(funders ?? [], identifiers ?? [], grants ?? [], place, draft);
  }
}

function addColumn(funders: string[], identifiers: string[], grants: string[], place: string, draft: Draft): void {
  const [funder] = funders;
  const stated = funders.length === 1 && funder !== undefined ? fundingIn(funder) : undefined;
  const isPaired = funders.length > 1 && (grants.length === funders.length || grants.length === 0);
  if (stated !== undefined) {
    const numbers = grants.length === 0 ? [stated.awardNumber] : grants;
    for (const awardNumber of numbers) {
      draft.add(
        "fundingReferences",
        { funderName: stated.funderName, funderIdentifier: identifiers[0], awardNumber },
        place,
      );
    }
  } else if (isPaired) {
    for (const [index, funderName] of funders.entries()) {
      const funderIdentifier = identifiers.length === funders.length ? identifiers[index] : undefined;
      draft.add("fundingReferences", { funderName, funderIdentifier, awardNumber: grants[index] }, place);
    }
  } else addThanks([...funders, ...grants].join("; "), place, draft);
}

function partsOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
