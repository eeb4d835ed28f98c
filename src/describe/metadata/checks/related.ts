import { identifierTypes, relationTypes, resourceTypes } from "../../../../packages/rules/src/index.ts";
import { withoutUndefined } from "../../../domain/shape.ts";
import type { NormalizedAlternateIdentifier, NormalizedRelation } from "../normalized.ts";
import { AlternateIdentifier, RelatedIdentifier } from "../schema.ts";
import { type Identifier, identifierOf, recognizedIdentifier } from "../values/identifier.ts";
import type { Members } from "./members.ts";

/** Checks a related resource, and normalises its identifier: the address of a DOI becomes the DOI. */
export function checkRelation(related: Members<RelatedIdentifier>): NormalizedRelation | undefined {
  related.checkUnknown(RelatedIdentifier);
  related.required("relationType");
  const relationType = related.term("relationType", relationTypes);
  const identifier = checkIdentifier(related);
  const citation = related.text("citation");
  const resourceTypeGeneral = related.term("resourceTypeGeneral", resourceTypes);
  if (related.text("relatedIdentifier") === undefined && citation === undefined) {
    const detail = "A related resource needs an identifier or a citation.";
    related.findings.error(related.at("relatedIdentifier"), "required", detail);
  }
  if (relationType === undefined) return undefined;
  return withoutUndefined<NormalizedRelation>({
    relationType,
    relatedIdentifier: identifier?.identifier,
    relatedIdentifierType: identifier?.type,
    resourceTypeGeneral,
    citation,
  });
}

function checkIdentifier(related: Members<RelatedIdentifier>): Identifier | undefined {
  const sent = related.text("relatedIdentifier");
  const type = related.term("relatedIdentifierType", identifierTypes);
  if (sent === undefined) return undefined;
  if (type === undefined) {
    const found = recognizedIdentifier(sent);
    if (found === undefined && related.text("relatedIdentifierType") === undefined) {
      const detail =
        "The type of the identifier cannot be recognised. Add “relatedIdentifierType”, or check the identifier.";
      related.findings.error(related.at("relatedIdentifier"), "identifier_invalid", detail);
    }
    return found;
  }
  const identifier = identifierOf(type, sent);
  if (identifier === undefined) {
    related.findings.error(
      related.at("relatedIdentifier"),
      "identifier_invalid",
      `The identifier is not a valid ${type}.`,
    );
    return undefined;
  }
  return { identifier, type };
}

export function checkAlternateIdentifier(
  alternate: Members<AlternateIdentifier>,
): NormalizedAlternateIdentifier | undefined {
  alternate.checkUnknown(AlternateIdentifier);
  const sent = alternate.required("alternateIdentifier");
  const stated = alternate.text("alternateIdentifierType");
  if (sent === undefined) return undefined;
  const found = recognizedIdentifier(sent);
  const isOfStatedType = stated === undefined || stated.toLowerCase() === found?.type.toLowerCase();
  if (found !== undefined && isOfStatedType) {
    return { alternateIdentifier: found.identifier, alternateIdentifierType: found.type };
  }
  return { alternateIdentifier: sent, alternateIdentifierType: stated ?? "Local" };
}
