import { readFileSync } from "node:fs";
import * as rules from "@accession/rules";
import { expect, test } from "vitest";
import * as terms from "./terms.ts";

const description = new URL("../../../../../clients/openapi.json", import.meta.url);
const { schemas } = JSON.parse(readFileSync(description, "utf8")).components;

/** The terms that the API accepts for a member. */
function accepted(schema: string, member: string): string[] {
  const [, listed = ""] = /One of (.*)\.$/.exec(schemas[schema].properties[member].description) ?? [];
  return listed.replaceAll("`", "").split(", ").sort();
}

test.each([
  ["Title", "titleType", rules.titleTypes],
  ["Description", "descriptionType", terms.DESCRIPTION_TYPES],
  ["MetadataDate", "dateType", terms.DATE_TYPES],
  ["RelatedIdentifier", "relationType", [...terms.USUAL_RELATIONS, ...terms.OTHER_RELATIONS]],
  ["RelatedIdentifier", "relatedIdentifierType", terms.IDENTIFIER_TYPES],
  ["RelatedIdentifier", "resourceTypeGeneral", rules.resourceTypes],
  ["Metadata", "resourceTypeGeneral", rules.resourceTypes],
  ["FundingReference", "funderIdentifierType", rules.funderIdentifierTypes],
])("the form offers the terms that the API accepts: %s.%s", (schema, member, offered) => {
  expect([...offered].sort()).toEqual(accepted(schema, member));
});

test("the selectable roles are those of the API", () => {
  expect(rules.roles).toEqual(schemas.Author.properties.role.examples);
});
