import { expect, test } from "vitest";
import { newEntries, newPerson } from "../entries/entries.ts";
import { findMetadataErrors } from "./form-errors.ts";

test("a ROR id that is not valid is an error at its field, also of an organisation and of a further affiliation", () => {
  const person = newPerson({ lastName: "Carberry", rorid: "05gq02988", affiliations: [{ name: "IPK", rorid: "ipk" }] });
  const organisation = newPerson({ nameType: "Organizational", name: "Brown University", rorid: "x" });
  const valid = newPerson({ lastName: "Doe", rorid: " https://ror.org/05gq02987 " });
  const errors = findMetadataErrors({ ...newEntries(), authors: [person, organisation, valid] });
  expect(errors.filter(({ word }) => word === "ror").map(({ pointer }) => pointer)).toEqual([
    "/metadata/authors/0/rorid",
    "/metadata/authors/0/affiliations/0/rorid",
    "/metadata/authors/1/rorid",
  ]);
});
