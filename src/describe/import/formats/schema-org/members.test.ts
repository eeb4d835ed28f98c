import { describe, expect, test } from "vitest";
import { organisation, person, readCrate, readFile } from "../../../../../tests/support/metadata-files/read.ts";

describe("keywords", () => {
  const keywords = (stated: unknown) => readCrate({ keywords: stated }).values.subjects;

  test("of a list stay whole, as MeSH headings need", () => {
    expect(keywords(["Diabetes Mellitus, Type 2", "wheat"])).toEqual(["Diabetes Mellitus, Type 2", "wheat"]);
    expect(keywords(["Diabetes Mellitus, Type 2"])).toEqual(["Diabetes Mellitus, Type 2"]);
    expect(keywords([{ "@value": "Cells, Cultured" }])).toEqual(["Cells, Cultured"]);
  });

  test("of one text are divided at semicolons, or at commas if there are none", () => {
    expect(keywords("pots, cracks")).toEqual(["pots", "cracks"]);
    expect(keywords("Diabetes Mellitus, Type 2; wheat")).toEqual(["Diabetes Mellitus, Type 2", "wheat"]);
  });
});

describe("a citation", () => {
  const article = (author: unknown) => ({
    "@type": "ScholarlyArticle",
    "@id": "https://doi.org/10.1234/x",
    name: "Pots",
    author,
  });
  const citation = (author: unknown) =>
    readFile("codemeta", { referencePublication: article(author) }).values.relatedIdentifiers?.[0]?.citation;

  test("names the authors with their given names", () => {
    const [ann, team] = [{ givenName: "Ann", familyName: "Roe" }, { name: "Pot Team" }];
    expect(citation([ann, team, { familyName: "Poe" }, "Bob Doe"])).toBe("Roe, Ann; Pot Team; Poe; Bob Doe: Pots.");
  });

  test("of many authors says that there are more", () => {
    expect(citation(Array.from({ length: 25 }, (_, index) => ({ name: `A${index}` })))).toMatch(
      /A18; A19; et al\.: Pots\.$/,
    );
  });

  test("of CFF has volume, issue and pages", () => {
    const text = "preferred-citation: {title: Pots, journal: Kilns, volume: 5, issue: 2, start: 10, end: 20}";
    expect(readFile("cff", text).values.relatedIdentifiers?.[0]?.citation).toBe("Pots. Kilns, 5(2), 10–20");
  });

  test("of DataCite has volume, issue and pages", () => {
    const creators = [{ givenName: "Ann", familyName: "Roe" }];
    const item = {
      relationType: "Cites",
      titles: [{ title: "Kilns" }],
      creators,
      volume: "5",
      issue: "2",
      firstPage: "10",
      lastPage: "20",
    };
    expect(readFile("datacite-json", { relatedItems: [item] }).values.relatedIdentifiers?.[0]?.citation).toBe(
      "Roe, Ann: Kilns. 5(2), 10–20",
    );
  });
});

describe("members", () => {
  test("the abstract is the description, or a further one", () => {
    expect(readCrate({ abstract: "Pots." }).values).toEqual({ description: "Pots." });
    expect(readCrate({ abstract: "Pots.", description: "Cracks." }).values).toEqual({
      description: "Cracks.",
      descriptions: [{ description: "Pots." }],
    });
  });

  test.each(["publisher", "provider", "sourceOrganization"])("“%s” causes a remark", (member) => {
    const { values, remarks } = readCrate(
      { name: "Pots", [member]: { "@id": "#o" } },
      { "@id": "#o", name: "Archive" },
    );
    expect(values).toEqual({ title: "Pots" });
    expect(remarks).toEqual([{ place: `/@graph/1/${member}`, message: expect.stringContaining(member) }]);
  });

  test.each([
    ["copyrightHolder", "RightsHolder"],
    ["producer", "Producer"],
    ["sponsor", "Sponsor"],
  ])("“%s” is an author with the role %s", (member, role) => {
    expect(readCrate({ [member]: { "@type": "Person", name: "Ann Roe" } }).values.authors).toMatchObject([
      { role, lastName: "Roe" },
    ]);
  });

  test("of CodeMeta 1", () => {
    const { values } = readFile("codemeta", {
      "@type": "SoftwareSourceCode",
      title: "Potter",
      agents: [
        { "@type": "person", name: "Ann Roe" },
        { "@type": "organization", name: "Pots" },
      ],
      licenseId: "Apache-2.0",
    });
    expect(values).toEqual({
      title: "Potter",
      authors: [person("Ann", "Roe"), organisation("Pots")],
      license: "Apache-2.0",
      resourceTypeGeneral: "Software",
    });
  });

  test("of BIDS that say how to cite are descriptions", () => {
    expect(readFile("bids", { HowToAcknowledge: "Cite Roe (2020)." }).values).toEqual({
      descriptions: [{ description: "Cite Roe (2020).", descriptionType: "Other" }],
    });
  });
});
