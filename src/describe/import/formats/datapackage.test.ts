import { expect, test } from "vitest";
import { organisation, person, readFile, related } from "../../../../tests/support/metadata-files/read.ts";

const read = (value: object) => readFile("datapackage", value);

test("a minimal descriptor", () => {
  expect(read({ name: "pots", title: "Cracks in pots", resources: [] })).toEqual({
    values: { title: "Cracks in pots" },
    remarks: [],
  });
});

test("a rich descriptor of version 2", () => {
  const { values, remarks } = read({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    id: "https://doi.org/10.1234/pots",
    title: "Cracks in pots",
    description: "Photographs of **cracks**, see [the site](https://example.org).",
    version: "1.0.0",
    created: "2026-08-01T23:20:50.52Z",
    homepage: "https://example.org/pots",
    keywords: ["pots"],
    contributors: [
      {
        title: "Josiah Carberry",
        givenName: "Josiah",
        familyName: "Carberry",
        path: "https://orcid.org/0000-0002-1825-0097",
        roles: ["dataCurator", "creator"],
        organization: "Brown University",
      },
      { title: "Museum of Pots", roles: ["publisher"] },
      { email: "x@example.org" },
    ],
    licenses: [{ name: "ODC-PDDL-1.0", path: "http://opendatacommons.org/licenses/pddl/", title: "PDDL 1.0" }],
    sources: [{ title: "World pots", path: "http://data.example.org/pots" }, { title: "An old book" }],
  });
  expect(values).toEqual({
    title: "Cracks in pots",
    description: "Photographs of cracks, see the site.",
    versionLabel: "1.0.0",
    authors: [
      person("Josiah", "Carberry", { orcid: "0000-0002-1825-0097", affiliation: "Brown University" }),
      organisation("Museum of Pots", { role: "Distributor" }),
    ],
    subjects: ["pots"],
    license: "PDDL-1.0",
    relatedIdentifiers: [
      related("IsDerivedFrom", "URL", "http://data.example.org/pots", { citation: "World pots" }),
      { relationType: "IsDerivedFrom", citation: "An old book" },
      { relationType: "IsDocumentedBy", relatedIdentifier: "https://example.org/pots", relatedIdentifierType: "URL" },
    ],
    dates: [{ date: "2026-08-01T23:20:50.52Z", dateType: "Created" }],
    alternateIdentifiers: [{ alternateIdentifier: "10.1234/pots", alternateIdentifierType: "DOI" }],
  });
  expect(remarks).toEqual([
    { place: "/contributors/2", message: "The person or organisation has no name and is not used." },
  ]);
});

test("contributors and licence of version 1 and earlier", () => {
  const { values } = read({
    author: "Josiah Carberry <josiah@example.org> (https://example.org)",
    contributors: [
      { title: "Ada Curator", role: "wrangler" },
      { title: "Csilla Toth", role: "author" },
      { title: "Tom Wirt" },
    ],
    license: "ODC-By-1.0",
  });
  expect(values.authors).toMatchObject([
    { role: "Creator", firstName: "Josiah", lastName: "Carberry" },
    { role: "DataCurator", lastName: "Curator" },
    { role: "Creator", lastName: "Toth" },
    { role: "Contributor", lastName: "Wirt" },
  ]);
  expect(values.license).toBe("ODC-By-1.0");
});
