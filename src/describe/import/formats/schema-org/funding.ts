import { funderIdentifier } from "../../../metadata/values/funder.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addThanks, fundingIn } from "../funding-text.ts";
import { globalIdOf, identifiersOf, typesOf } from "./entity.ts";

/** A funder, and the grants that it gave. */
interface Funder {
  name: string;
  identifier: string | undefined;
  place: string;
  hasGrant: boolean;
}

const GRANT = /(?:^|[/#:])(?:Monetary)?Grant$/;

/**
 * Adds the funders and grants of the entity. A grant that states no funder belongs to the funder of the dataset, if it has only
 * one. Otherwise, its text becomes part of the acknowledgements.
 */
export function addFunding(root: FileValue, draft: Draft): void {
  const funding = root.linked("funding");
  const stated = [...root.linked("funder"), ...funding];
  // Some files mix up the two members.
  const isGrant = (one: FileValue) =>
    typesOf(one).some((type) => GRANT.test(type)) || one.member("funder", "sponsor") !== undefined;
  const inFunding = new Set(funding);
  const isFunder = (one: FileValue) => !isGrant(one) && (!inFunding.has(one) || typesOf(one).length > 0);
  const funders = stated.filter(isFunder).flatMap((one) => funderOf(one, draft));
  for (const grant of stated.filter((one) => !isFunder(one))) addGrant(grant, funders, draft);
  for (const funder of funders.filter(({ hasGrant }) => !hasGrant)) {
    draft.add("fundingReferences", funder, { funderName: funder.name, funderIdentifier: funder.identifier });
  }
}

function funderOf(entity: FileValue, draft: Draft): Funder[] {
  const identifier = identifiersOf(entity).find(({ text }) => funderIdentifier(text) !== undefined)?.text;
  const text = entity.text("name") ?? entity.text();
  if (text === undefined) {
    draft.remark(entity, "The funder has no name and is not used.");
    return [];
  }
  const { funderName, awardNumber } = fundingIn(text) ?? {};
  if (funderName !== undefined && awardNumber === undefined) {
    return [{ name: funderName, identifier, place: entity.place, hasGrant: false }];
  }
  if (funderName === undefined) addThanks(text, entity.place, draft);
  else draft.add("fundingReferences", entity, { funderName, funderIdentifier: identifier, awardNumber });
  return [];
}

function addGrant(grant: FileValue, funders: Funder[], draft: Draft): void {
  const own = grant.linked("funder", "sponsor").flatMap((one) => funderOf(one, draft));
  const award = awardOf(grant);
  const of = own.length > 0 ? own : funders.length === 1 ? funders : [];
  for (const { name, identifier } of of) {
    draft.add("fundingReferences", grant, { funderName: name, funderIdentifier: identifier, ...award });
  }
  for (const funder of funders) if (of.some((one) => isSame(one, funder))) funder.hasGrant = true;
  if (of.length > 0) return;
  const { funderName, awardNumber } = fundingIn(grant.text() ?? "") ?? {};
  if (funderName !== undefined && awardNumber !== undefined) {
    draft.add("fundingReferences", grant, { funderName, awardNumber });
    return;
  }
  addThanks(
    [award.awardTitle, award.awardNumber, award.awardUri].filter((part) => part !== undefined).join(", "),
    grant.place,
    draft,
  );
}

function awardOf(grant: FileValue) {
  const stated = grant.linked("identifier");
  const numbers = stated.map((one) => one.text("value") ?? one.text() ?? globalIdOf(one));
  const awardUri = grant.text("url") ?? webAddress(globalIdOf(grant)) ?? numbers.find(webAddress);
  // CodeMeta's generator writes “number; title”.
  const [, number, title] = /^([\w./-]{0,40}\d[\w./-]{0,40}) ?; ?(\S.*)$/.exec(grant.text() ?? "") ?? [];
  const text = title ?? grant.text();
  // A text without spaces is a number; another one describes the grant.
  const isNumber = text === undefined || !/\S\s+\S+\s+\S/.test(text);
  const known = numbers.find((one) => one !== undefined && webAddress(one) === undefined) ?? number;
  const awardNumber = known ?? (isNumber ? text : undefined);
  const name = grant.text("name") ?? title ?? (isNumber ? undefined : text);
  return { awardNumber, awardTitle: name === awardNumber || name === awardUri ? undefined : name, awardUri };
}

function webAddress(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//i.test(text) ? text : undefined;
}

function isSame(one: Funder, other: Funder): boolean {
  const ids = [one, other].map(({ identifier }) => identifier && funderIdentifier(identifier)?.identifier);
  return one.name === other.name || (ids[0] !== undefined && ids[0] === ids[1]);
}
