import { expect, test } from "vitest";
import { apa } from "./apa.ts";

const item = { title: "Roots", issued: { "date-parts": [[2026, 5, 1]] }, publisher: "Accession", version: "2" };
const cited = (author: Parameters<typeof apa>[0]["author"], more: object = {}) => {
  const { before, title, after } = apa(
    { ...item, author, ...more },
    { published: "Data set", unpublished: "Unpublished data set" },
  );
  return before + title + after;
};

test.each([
  [[{ family: "Carberry", given: "Josiah" }], "Carberry, J. (2026). "],
  [
    [{ family: "Carberry", given: "Jean-Luc  S." }, { literal: "Brown University" }],
    "Carberry, J.-L. S., & Brown University. (2026). ",
  ],
  [[{ family: "King", given: "Martin Luther", suffix: "Jr." }], "King, M. L., Jr. (2026). "],
  [[{ given: "Josiah" }], "J. (2026). "],
  [[{ family: "Carberry" }], "Carberry. (2026). "],
  [[{ given: "𝒥osiah", family: "C" }], "C, 𝒥. (2026). "],
  [[], "(2026). "],
])("names authors as APA does: %j", (author, expected) => {
  expect(cited(author)).toBe(`${expected}Roots (Version 2) [Data set]. Accession.`);
});

test.each([
  [{}, "Accession."],
  [{ DOI: "10.5072/abcd2345" }, "Accession. https://doi.org/10.5072/abcd2345"],
])("says that a dataset is not published yet: %j", (more, end) => {
  expect(cited([{ literal: "A" }], { status: "Not published yet", ...more })).toBe(
    `A. (2026). Roots (Version 2) [Unpublished data set]. ${end}`,
  );
});

test("lists the first nineteen authors and the last one, and ends with the address", () => {
  const many = Array.from({ length: 25 }, (_, n) => ({ literal: `A${n + 1}` }));
  const said = cited(many, { URL: "https://example.org/1" });
  expect(said).toMatch(/^A1, A2, .*A19, … A25\. \(2026\)\./);
  expect(said).toMatch(/Accession\. https:\/\/example\.org\/1$/);
});
