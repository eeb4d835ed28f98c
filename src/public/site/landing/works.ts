import { addressOfIdentifier } from "../../../../packages/rules/src/index.ts";
import type { NormalizedRelation } from "../../../describe/metadata/normalized.ts";
import { type Html, html, isWebAddress, NOTHING } from "../html.ts";
import { WORDS } from "../words.ts";
import { placeFor, type Stated } from "./stated.ts";

/** Related works with the kind of their relation. */
export function relatedPart(stated: Stated): Html {
  const { language } = stated;
  const { relatedIdentifiers = [] } = stated.metadata;
  if (relatedIdentifiers.length === 0) return NOTHING;
  const words = WORDS[language];
  return html`<section aria-labelledby="related"><h2 id="related">${words.landing.related}</h2><ul>${relatedIdentifiers.map(
    (one) => html`<li>${words.relations[one.relationType]}: ${work(one)}</li>`,
  )}</ul>${placeFor("relatedIdentifiers", stated)}</section>`;
}

function work({ citation, relatedIdentifier, relatedIdentifierType }: NormalizedRelation): Html {
  const url =
    relatedIdentifier === undefined ? undefined : addressOfIdentifier(relatedIdentifier, relatedIdentifierType);
  const text = citation ?? relatedIdentifier ?? "";
  if (url === undefined)
    return html`${text}${citation === undefined || relatedIdentifier === undefined ? "" : ` (${relatedIdentifier})`}`;
  return citation === undefined
    ? html`<a href="${url}">${text}</a>`
    : html`${citation} <a href="${url}">${relatedIdentifier ?? ""}</a>`;
}

/** Funders with their awards. */
export function fundingPart(stated: Stated): Html {
  const { language } = stated;
  const { fundingReferences = [] } = stated.metadata;
  if (fundingReferences.length === 0) return NOTHING;
  const words = WORDS[language].landing;
  const items = fundingReferences.map(({ funderName, funderIdentifier, awardNumber, awardTitle, awardUri }) => {
    const funder = isWebAddress(funderIdentifier)
      ? html`<a href="${funderIdentifier}">${funderName}</a>`
      : html`${funderName}`;
    const number = awardNumber === undefined ? undefined : words.award(awardNumber);
    const named = [number, awardTitle].filter((part) => part !== undefined).join(": ");
    const award = isWebAddress(awardUri)
      ? html`<a href="${awardUri}">${named === "" ? awardUri : named}</a>`
      : html`${named}`;
    return html`<li>${funder}${award.text === "" ? NOTHING : html`. ${award}`}</li>`;
  });
  return html`<section aria-labelledby="funding"><h2 id="funding">${words.funding}</h2><ul>${items}</ul>${placeFor("fundingReferences", stated)}</section>`;
}
