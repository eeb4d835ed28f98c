import { describe, expect, test } from "vitest";
import { isFromEdal, withAffiliations, withoutInvalidRors } from "./edal.ts";

const sent = { endpoint: "https://s3.example.org", validated: true, validationMsg: "Connection successful" };
const taken = (author: unknown, raw: unknown = author) => {
  const { metadata, warnings } = withAffiliations({ title: "x", authors: [author] }, { authors: [raw] });
  const [after] = (metadata as { authors: { affiliation?: string; address?: string }[] }).authors;
  return { affiliation: after?.affiliation, address: after?.address, warnings };
};

test("an access of e!DAL’s client is recognised by the result of its connection test", () => {
  expect(isFromEdal(sent)).toBe(true);
  // An empty text means “not given”.
  expect(isFromEdal({ ...sent, validationMsg: undefined })).toBe(true);
  for (const other of [{ ...sent, validated: undefined }, { ...sent, validated: "true" }, [], null, "x", undefined]) {
    expect(isFromEdal(other)).toBe(false);
  }
});

describe("the affiliation is the text before the first comma of the address", () => {
  test.each([
    ["IPK Gatersleben, Seeland, Corrensstraße 3", "IPK Gatersleben"],
    ["IPK Gatersleben, , ", "IPK Gatersleben"],
    ["IPK Gatersleben, Seeland, ", "IPK Gatersleben"],
    ["IPK Gatersleben, , Corrensstraße 3", "IPK Gatersleben"],
    ["IPK Gatersleben, undefined, undefined", "IPK Gatersleben"],
    ["  IPK Gatersleben , Seeland, Corrensstraße 3, OT Gatersleben", "IPK Gatersleben"],
    // A name with a comma cannot be distinguished from the city.
    ["University of California, Davis, Davis, One Shields Avenue", "University of California"],
  ])("%j", (address, affiliation) => {
    const found = taken({ role: "Creator", address });
    expect(found).toMatchObject({ affiliation, address });
    expect(found.warnings).toEqual([
      {
        pointer: "/metadata/authors/0/affiliation",
        code: "affiliation_recovered",
        detail: expect.stringContaining(`“${affiliation}”`),
      },
    ]);
  });

  test.each([
    [", Seeland, Corrensstraße 3"],
    [", , "],
    [" , Seeland, Corrensstraße 3"],
    ["\u200b, Seeland, Corrensstraße 3"],
    ["undefined, undefined, undefined"],
    ["null, Seeland, Corrensstraße 3"],
    ["Corrensstr. 3, Gatersleben"],
    ["Corrensstr. 3,Seeland,Gatersleben"],
    ["IPK Gatersleben"],
    [7],
    [undefined],
  ])("and %j has no affiliation", (address) => {
    expect(taken({ role: "Creator", address })).toMatchObject({ affiliation: undefined, warnings: [] });
  });

  test.each([
    ["Seestr. 12, Aufgang B, 3. OG"],
    ["12 Canary Lane, Flat 3, Canary City"],
    ["06466 Seeland, Gatersleben, Deutschland"],
    ["１２ Canary Lane, Flat, Canary City"],
    ["Corrensstraße, OT Gatersleben, Seeland"],
    ["Seegasse, Wien, AT"],
    ["Gartenweg, Bonn, DE"],
    ["Rue de la Paix, Paris, FR"],
    ["Am Markt, Halle, DE"],
    ["Gower Street, Bloomsbury, London"],
    ["Postfach, Seeland, Deutschland"],
    ["c/o Carberry, Canary City, Canary Court"],
    ["Université Paris 8, Paris, Rue X 1"],
  ])("and %j, which could begin with a postal address, causes a warning that does not quote it", (address) => {
    const { affiliation, warnings } = taken({ role: "Creator", address });
    expect(affiliation).toBeUndefined();
    expect(warnings).toMatchObject([{ pointer: "/metadata/authors/0/affiliation", code: "affiliation_unclear" }]);
    for (const part of address.split(", ")) expect(JSON.stringify(warnings)).not.toContain(part);
  });

  test.each([{ city: "Berlin" }, { city: "" }, { city: null }, { affiliation: "" }, { affiliation: null }])(
    "nor if the author was sent with %j, which that client does not send",
    (members) => {
      const author = { role: "Creator", address: "Canary Court, Aufgang B, Canary Hof" };
      expect(taken(author, { ...author, ...members })).toMatchObject({ affiliation: undefined, warnings: [] });
    },
  );

  test("nor if there is an affiliation, or no author", () => {
    const address = "IPK Gatersleben, Seeland, Corrensstraße 3";
    expect(taken({ affiliation: "Brown University", address })).toMatchObject({ affiliation: "Brown University" });
    for (const metadata of [undefined, null, 7, [], {}, { authors: {} }, { authors: [null, 7, [], "x"] }]) {
      expect(withAffiliations(metadata, metadata)).toEqual({ metadata, warnings: [] });
    }
  });
});

test("ROR ids that are not valid are left out with a warning", () => {
  const authors = ["05gq02988", "undefined", "https://ror.org/05gq02987", ""].map((rorid) => ({
    lastName: "x",
    rorid,
  }));
  const { metadata, warnings } = withoutInvalidRors({ authors: [...authors, { lastName: "x" }, 1] });
  expect(warnings.map(({ pointer, code }) => [pointer, code])).toEqual([
    ["/metadata/authors/0/rorid", "ror_invalid"],
    ["/metadata/authors/1/rorid", "ror_invalid"],
  ]);
  expect(metadata).toEqual({
    authors: [{ lastName: "x" }, { lastName: "x" }, authors[2], authors[3], { lastName: "x" }, 1],
  });
});
