import { describe, expect, test } from "vitest";
import {
  organisation,
  person,
  readCrate,
  readDatacite,
  readFile,
  readIsa,
} from "../../../../tests/support/metadata-files/read.ts";

const creator = (name: string, ...identifiers: string[]) =>
  readDatacite(`<creators><creator><creatorName>${name}</creatorName>${identifiers.join("")}</creator></creators>`);
const identifier = (scheme: string, text: string, uri = "") =>
  `<nameIdentifier nameIdentifierScheme="${scheme}" schemeURI="${uri}">${text}</nameIdentifier>`;

describe("identifiers of other schemes", () => {
  test("an ISNI is not taken for an ORCID iD", () => {
    const { values, remarks } = creator("Institute of Wheat", identifier("ISNI", "0000000094455866"));
    expect(values.authors).toEqual([organisation("Institute of Wheat")]);
    expect(remarks).toEqual([{ place: expect.any(String), message: expect.stringContaining("other than ORCID iDs") }]);
  });

  test.each(["ISNI", "GND", "ResearcherID", "Scopus Author ID"])(
    "a number in the form of an ORCID iD in the scheme %s is none",
    (scheme) => {
      const { values } = creator("Carberry, Josiah", identifier(scheme, "0000-0002-1825-0097"));
      expect(values.authors).toEqual([person("Josiah", "Carberry")]);
    },
  );

  test.each(["ORCID", "ORCID iD", "https://orcid.org/"])("the scheme %s is that of ORCID iDs", (scheme) => {
    const { values } = creator("Carberry, Josiah", identifier(scheme, "0000-0002-1825-0097"));
    expect(values.authors).toEqual([{ ...person("Josiah", "Carberry"), orcid: "0000-0002-1825-0097" }]);
  });

  test("the scheme of an RO-Crate identifier is respected", () => {
    const named = (propertyID: string) =>
      readCrate({
        author: {
          "@type": "Person",
          name: "Josiah Carberry",
          identifier: { "@type": "PropertyValue", propertyID, value: "0000-0002-1825-0097" },
        },
      }).values.authors;
    expect(named("https://registry.identifiers.org/registry/orcid")).toMatchObject([{ orcid: "0000-0002-1825-0097" }]);
    expect(named("ISNI")).toEqual([person("Josiah", "Carberry")]);
  });

  test("an ORCID iD as people paste it", () => {
    const cff = (orcid: string) => readFile("cff", `authors: [{family-names: Carberry, orcid: "${orcid}"}]`);
    for (const orcid of ["https://orcid.org/my-orcid?orcid=0000-0002-1825-0097", "ORCID: 0000-0002-1825-0097"]) {
      expect(cff(orcid).remarks).toEqual([]);
    }
    expect(cff("0000 0001 2103 2683").remarks).toHaveLength(1);
  });
});

describe("organisations", () => {
  test.each(["United Countries Geological Survey", "Fachhochschule Musterstadt", "Barley Ltd.", "EMBL"])(
    "a creator without type: %s",
    (name) => {
      expect(creator(name).values.authors).toEqual([organisation(name)]);
    },
  );

  test("in the cells for the names of a person, with a remark", () => {
    const people = [
      "STUDY CONTACTS",
      "Study Person Last Name\tConsortium\tRoe",
      "Study Person First Name\tThe Wheat\tAnn",
    ];
    const { values, remarks } = readIsa(...people);
    expect(values.authors).toEqual([organisation("The Wheat Consortium"), person("Ann", "Roe")]);
    expect(remarks).toEqual([{ place: "line 5", message: expect.stringContaining("that of an organisation") }]);
  });

  test("with the type of a person keep their name whole, with a remark", () => {
    const { values, remarks } = readCrate({ author: { "@type": "Person", name: "Institute of Wheat" } });
    expect(values.authors).toEqual([{ role: "Creator", nameType: "Personal", lastName: "Institute of Wheat" }]);
    expect(remarks).toHaveLength(1);
  });

  test("with the type of an organisation are never divided", () => {
    const { values } = readCrate({ author: { "@type": "Organization", name: "Roe, Poe & Doe" } });
    expect(values.authors).toEqual([organisation("Roe, Poe & Doe")]);
  });

  test("of a crate keep the organisations to which they belong", () => {
    const memberOf = { "@type": "Organization", name: "Example University", "@id": "https://ror.org/05gq02987" };
    const { values } = readCrate({ author: { "@type": "Organization", name: "Barley Team", memberOf } });
    expect(values.authors).toEqual([
      {
        ...organisation("Barley Team"),
        affiliations: [{ name: "Example University", rorid: "https://ror.org/05gq02987" }],
      },
    ]);
  });
});

test("a text that claims to be a ROR id and is none is named, and identifiers of other registries are not", () => {
  const readAuthor = (id: string) => readCrate({ author: { "@type": "Organization", name: "Barley Team", "@id": id } });
  const wrong = readAuthor("https://ror.org/05gq02988");
  expect(wrong.values.authors).toEqual([organisation("Barley Team")]);
  expect(wrong.remarks.map(({ message }) => message)).toEqual([
    "“rorid”: The ROR id is not valid. The value is not used.",
  ]);
  expect(readAuthor("https://www.wikidata.org/wiki/Q49114").remarks).toEqual([]);
});

describe("several people in one text", () => {
  test("are several authors, without what belongs to only one of them", () => {
    const { values, remarks } = readFile("datapackage", {
      contributors: [{ title: "Ann Roe and Bob Poe", role: "author", organization: "Brown University" }],
    });
    expect(values.authors).toEqual([person("Ann", "Roe"), person("Bob", "Poe")]);
    expect(remarks).toEqual([
      { place: "/contributors/0", message: expect.stringContaining("stated for several people") },
    ]);
  });

  test("that cannot be told apart are kept whole, with a remark", () => {
    const { values, remarks } = readFile("bids", { Authors: ["Ann and Bob Roe", "Toth C"] });
    expect(values.authors).toEqual([organisation("Ann and Bob Roe"), person("C", "Toth")]);
    expect(remarks).toEqual([{ place: "/Authors/0", message: expect.stringContaining("kept whole") }]);
  });
});
