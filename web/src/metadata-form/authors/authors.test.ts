import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROLES } from "./authors.ts";

test("the selectable roles are those of the API", () => {
  const description = new URL("../../../../clients/openapi.json", import.meta.url);
  const { Author } = JSON.parse(readFileSync(description, "utf8")).components.schemas;
  expect(ROLES).toEqual(Author.properties.role.examples);
});
