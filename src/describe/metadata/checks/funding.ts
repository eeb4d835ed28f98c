import { funderIdentifierTypes } from "../../../../packages/rules/src/index.ts";
import { withoutUndefined } from "../../../domain/shape.ts";
import type { NormalizedFunding } from "../normalized.ts";
import { FundingReference } from "../schema.ts";
import { type FunderIdentifier, funderIdentifier } from "../values/funder.ts";
import type { Members } from "./members.ts";

/** Checks a funder and its grant, and normalises the identifier of the funder. */
export function checkFunding(funding: Members<FundingReference>): NormalizedFunding | undefined {
  funding.checkUnknown(FundingReference);
  const funderName = funding.required("funderName");
  const identifier = checkIdentifier(funding);
  const rest = {
    funderIdentifier: identifier?.identifier,
    funderIdentifierType: identifier?.type,
    awardNumber: funding.text("awardNumber"),
    awardTitle: funding.text("awardTitle"),
    awardUri: funding.address("awardUri"),
  };
  return funderName === undefined ? undefined : withoutUndefined<NormalizedFunding>({ funderName, ...rest });
}

function checkIdentifier(funding: Members<FundingReference>): FunderIdentifier | undefined {
  const sent = funding.text("funderIdentifier");
  const type = funding.term("funderIdentifierType", funderIdentifierTypes);
  if (sent === undefined) return undefined;
  const found = funderIdentifier(sent);
  if (found !== undefined && (type === undefined || type === found.type)) return found;
  if (type === "Other") return { identifier: sent, type };
  if (/(?:^|[/.])ror\.org\//i.test(sent)) {
    const detail = "The form or the checksum of the ROR id is wrong. Copy the id again from ror.org.";
    funding.findings.error(funding.at("funderIdentifier"), "identifier_invalid", detail);
    return undefined;
  }
  const wanted = type === undefined ? "a ROR id, a Crossref Funder id, an ISNI or a GRID id" : `a valid ${type}`;
  funding.findings.error(
    funding.at("funderIdentifier"),
    "identifier_invalid",
    `The identifier is not ${wanted}. For another kind, set “funderIdentifierType” to “Other”.`,
  );
  return undefined;
}
