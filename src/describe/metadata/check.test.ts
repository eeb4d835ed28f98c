import { describe, expect, test } from "vitest";
import { knownRole, roles } from "../../../packages/rules/src/index.ts";
import { rows } from "../../../tests/support/listed.ts";
import { checkMetadata } from "./check.ts";
import { publicAuthor } from "./normalized.ts";
import * as schema from "./schema.ts";

const brown = { nameType: "Organizational", name: "Brown University", role: "Sponsor" };
const josiah = { role: "Creator", firstName: "Josiah", lastName: "Carberry" };
const good = {
  title: "Barley root images",
  description: "Photographs of barley roots taken weekly from May to July 2026.",
  authors: [josiah],
  license: "CC-BY-4.0",
};

const inWords = (remarks: readonly { pointer: string; code: string }[]) =>
  remarks.map(({ pointer, code }) => `${code} ${pointer}`);

function errors(change: object): string[] {
  const { errors, normalized } = checkMetadata({ ...good, ...change }, { base: "" });
  expect(normalized === undefined).toBe(errors.length > 0);
  return inWords(errors);
}

function warnings(change: object): string[] {
  const check = checkMetadata({ ...good, ...change }, { base: "" });
  expect(check.errors).toEqual([]);
  return inWords(check.warnings);
}

test("normalises the metadata of e!DAL’s client without changing the original", () => {
  const postal = { address: "1 Prospect Street, Providence", zipCode: "02912" };
  const sent = Object.freeze({
    title: "  Barley root images ",
    description: good.description,
    authors: [
      {
        role: "creator",
        orcid: "https://orcid.org/0000-0002-1825-0097",
        firstName: "Josiah ",
        lastName: "Carberry",
        ...postal,
        country: "United States",
        rorid: "05gq02987",
        affiliation: "",
      },
      { role: "contact person", firstName: null, lastName: "Brown University" },
    ],
    language: "English",
    subjects: ["barley", " barley ", "", "roots"],
    license: "CC BY 4.0",
    embargoDate: "2027-06-30T00:00:00.000Z",
  });
  expect(checkMetadata(sent)).toEqual({
    errors: [],
    warnings: [],
    normalized: {
      title: "Barley root images",
      description: good.description,
      authors: [
        { ...josiah, ...postal, country: "US", orcid: "0000-0002-1825-0097", rorid: "https://ror.org/05gq02987" },
        { role: "ContactPerson", lastName: "Brown University" },
      ],
      language: "en",
      subjects: ["barley", "roots"],
      license: {
        spdx: "CC-BY-4.0",
        name: "Creative Commons Attribution 4.0 International",
        url: "https://creativecommons.org/licenses/by/4.0/legalcode",
      },
      embargoDate: "2027-06-30",
    },
  });
});

test("reports schema violations and rule errors of the whole metadata together", () => {
  const sent = {
    title: 7,
    description: ["x"],
    authors: [
      { role: "Creator", orcid: "0000-0002-1825-0098", city: 3 },
      "Josiah",
      { role: "Editor", orcid: 5, lastName: "a\0b" },
    ],
    language: "englisch",
    subjects: ["a", 1],
    embargoDate: "2026-02-30",
  };
  const found = inWords(checkMetadata(sent).errors);
  expect(found.sort()).toEqual([
    "creator_name_required /metadata/authors/0",
    "embargo_date_invalid /metadata/embargoDate",
    "language_unknown /metadata/language",
    "orcid_invalid /metadata/authors/0/orcid",
    "wrong_type /metadata/authors/0/city",
    "wrong_type /metadata/authors/1",
    "wrong_type /metadata/authors/2/orcid",
    "wrong_type /metadata/description",
    "wrong_type /metadata/subjects/1",
    "wrong_type /metadata/title",
    "wrong_value /metadata/authors/2/lastName",
  ]);
});

describe("errors", () => {
  test.each([
    [{ title: "" }, ["required /title"]],
    [{ title: null }, ["required /title"]],
    [{ title: " \n" }, ["required /title"]],
    [{ title: "x".repeat(2_001) }, ["too_long /title"]],
    [{ authors: undefined }, ["creator_required /authors"]],
    [{ authors: null }, ["creator_required /authors"]],
    [{ authors: [] }, ["creator_required /authors"]],
    [{ authors: {} }, ["wrong_type /authors"]],
    [{ authors: [{ ...josiah, role: "Editor" }] }, ["creator_required /authors"]],
    [{ authors: [{ ...josiah, role: "" }] }, ["creator_required /authors"]],
    [{ authors: [{ role: "Creator", affiliation: "Brown" }] }, ["creator_name_required /authors/0"]],
    [{ authors: [{ role: "Creator", firstName: " " }] }, ["creator_name_required /authors/0"]],
    [{ authors: [{ ...josiah, rorid: "05gq02988" }] }, ["ror_invalid /authors/0/rorid"]],
    [{ authors: [{ ...josiah, rorid: "Brown University" }] }, ["ror_invalid /authors/0/rorid"]],
    [
      { authors: [{ ...josiah, affiliations: [{ name: "IPK" }, { rorid: "x" }] }] },
      ["ror_invalid /authors/0/affiliations/1/rorid"],
    ],
    [{ authors: [josiah, { role: "Sponsor", name: "Brown University" }] }, ["required /authors/1/nameType"]],
    [{ titles: [{ title: 5 }] }, ["wrong_type /titles/0/title"]],
    [
      { fundingReferences: [{ funderName: "DFG", funderIdentifier: "https://ror.org/018mejw65" }] },
      ["identifier_invalid /fundingReferences/0/funderIdentifier"],
    ],
    [{ authors: Array(10_001).fill(josiah) }, ["too_long /authors"]],
    [{ description: "x".repeat(100_001) }, ["too_long /description"]],
    [{ license: "x".repeat(1_001) }, ["too_long /license"]],
    [{ subjects: "barley" }, ["wrong_type /subjects"]],
    [{ subjects: Array(1_001).fill("x") }, ["too_long /subjects"]],
    [{ language: "klingonese" }, ["language_unknown /language"]],
    [{ embargoDate: "30.06.2027" }, ["embargo_date_invalid /embargoDate"]],
  ])("%#: each error has its place and code", (change, expected) => {
    expect(errors(change)).toEqual(expected);
  });

  test.each([
    [undefined, "required"],
    [null, "wrong_type"],
    ["x", "wrong_type"],
    [[], "wrong_type"],
  ])("%j is refused", (sent, code) => {
    expect(checkMetadata(sent)).toEqual({
      errors: [expect.objectContaining({ pointer: "/metadata", code })],
      warnings: [],
    });
  });
});

describe("warnings", () => {
  test.each([
    [{}, []],
    [{ description: "" }, ["description_missing /description"]],
    [{ description: "x".repeat(49) }, ["description_short /description"]],
    [{ description: "x".repeat(50) }, []],
    [{ description: "😀".repeat(5_000) }, []],
    [{ description: "x".repeat(5_001) }, ["description_long /description"]],
    [{ license: "" }, ["license_missing /license"]],
    [{ license: "ask me" }, ["license_unknown /license"]],
    [{ methods: 1, "a/b": 2 }, ["unknown_member /methods", "unknown_member /a~1b"]],
    [{ authors: [{ ...josiah, shoeSize: 45 }] }, ["unknown_member /authors/0/shoeSize"]],
    [{ authors: [{ ...josiah, country: "Atlantis" }] }, ["country_unknown /authors/0/country"]],
    [{ authors: [josiah, { role: "Wizard", lastName: "Doe" }] }, ["role_unknown /authors/1/role"]],
    [
      { authors: [josiah, { orcid: "0000-0002-1825-0097" }] },
      ["role_unknown /authors/1/role", "author_name_missing /authors/1"],
    ],
    [{ authors: [josiah, { affiliation: "Brown University", role: "Sponsor" }] }, []],
    [{ authors: [{ ...josiah, name: "Josiah Carberry" }] }, []],
    [{ authors: [{ ...josiah, name: "Carberry, Josiah" }] }, []],
    [{ authors: [{ ...josiah, name: "Brown University" }] }, ["name_ambiguous /authors/0/name"]],
    [{ authors: [josiah, { ...brown, firstName: "Josiah" }] }, ["name_ambiguous /authors/1/firstName"]],
    [
      { funding: [], related: [], email: "a@example.org" },
      ["unknown_member /funding", "unknown_member /related", "unknown_member /email"],
    ],
    [{ authors: [josiah, { lastName: "Doe" }] }, ["role_unknown /authors/1/role"]],
  ])("%#: each error has its place and code", (change, expected) => {
    expect(warnings(change)).toEqual(expected);
  });

  test("unknown values are kept as sent", () => {
    const authors = [{ ...josiah, country: "Atlantis" }, { role: "Wizard" }, {}];
    const { normalized } = checkMetadata({ ...good, authors, license: "ask me" });
    expect(normalized?.authors).toEqual([
      { ...josiah, country: "Atlantis" },
      { role: "Wizard" },
      { role: "Contributor" },
    ]);
    expect(normalized?.license).toEqual({ name: "ask me" });
  });
});

test("a misspelt member is found after any number of unknown members", () => {
  const unknown = Object.fromEntries(Array.from({ length: 11_000 }, (_, n) => [`x${n}`, 1]));
  const { errors } = checkMetadata({ ...unknown, licence: "CC0-1.0" }, { base: "" });
  expect(errors).toContainEqual(expect.objectContaining({ pointer: "/licence", code: "misspelt_member" }));
});

describe("a member whose name is misspelt is an error that names the known one:", () => {
  const ofMetadata = rows`
    licence → license | lizenz → license | keywords → subjects | Keywords → subjects | tags → subjects
    abstract → description | summary → description | descripton → description | creators → authors | titel → title
    lang → language | embargo_date → embargoDate | embargo → embargoDate | fundingReference → fundingReferences
    funding_references → fundingReferences | relatedIdentifier → relatedIdentifiers
    relatedIdentifers → relatedIdentifiers | alternativeIdentifiers → alternateIdentifiers
    geoLocation → geoLocations | subjectTerm → subjectTerms | acknowledgments → acknowledgements
  `;
  test.each(ofMetadata)("%s → %s in the metadata", (name, meant) => {
    expect(errors({ [name]: "x" })).toEqual([`misspelt_member /${name}`]);
    expect(checkMetadata({ ...good, [name]: "x" }).errors[0]?.detail).toContain(`“${meant}”`);
  });

  const ofAuthors = rows`
    orcId → orcid | orcid_id → orcid | givenName → firstName | surname → lastName | institution → affiliation
    organization → affiliation | ror → rorid | postal_code → zipCode | adress → address
  `;
  test.each(ofAuthors)("%s → %s of an author", (name, meant) => {
    const { errors } = checkMetadata({ ...good, authors: [josiah, { ...josiah, [name]: "x" }] }, { base: "" });
    expect(inWords(errors)).toEqual([`misspelt_member /authors/1/${name}`]);
    expect(errors[0]?.detail).toContain(`“${meant}”`);
  });

  test("but not if the name is known in another place, or is a different word", () => {
    expect(warnings({ orcid: "x", role: "x", county: "x", version: "1", doi: "x", descriptionDe: "x" })).toHaveLength(
      6,
    );
    expect(warnings({ authors: [{ ...josiah, title: "Dr.", license: "x", email: "x", county: "x" }] })).toHaveLength(4);
  });
});

describe("a later member that has an ordinary word as its name is asked for, because older clients may send the word:", () => {
  test.each([
    ["date", "dates"],
    ["contacts", "contact"],
    ["funding", "fundingReferences"],
    ["resource_type", "resourceType"],
  ])("%s → %s", (name, meant) => {
    expect(warnings({ [name]: "x" })).toEqual([`unknown_member /${name}`]);
    expect(checkMetadata({ ...good, [name]: "x" }).warnings[0]?.detail).toContain(`Did you mean “${meant}”?`);
  });
});

test("unknown values of lists, languages and licences are answered with a suggestion", () => {
  const related = { relationType: "DescribedBy", relatedIdentifier: "https://example.org" };
  const { errors } = checkMetadata({ ...good, language: "Deutsch", relatedIdentifiers: [related] });
  expect(errors.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("Did you mean “de”?"),
    expect.stringMatching(/^Did you mean “IsDescribedBy”\? The value must be one of IsDescribedBy, /),
  ]);
  expect(checkMetadata({ ...good, license: "CC BY" }).warnings[0]?.detail).toContain("Did you mean “CC-BY-4.0”?");
});

test.each([
  ["2026-06-29", ["embargo_date_past /embargoDate"]],
  ["2026-06-30", []],
])("on 30 June 2026 the embargo date %s has the warnings %j", (embargoDate, expected) => {
  const { warnings } = checkMetadata({ ...good, embargoDate }, { base: "", today: "2026-06-30" });
  expect(inWords(warnings)).toEqual(expected);
});

describe("a text without visible characters counts as not given:", () => {
  test.each([
    ["zero-width spaces", "\u200b\u200b\ufeff"],
    ["joiners and direction marks", "\u200d\u200e\u202e\u2060"],
    ["control characters", "\u0001\u0085\t"],
    ["combining marks", "\u0301\u0308"],
    ["fillers", "\u3164\u115f\uffa0\u2800"],
    ["white space of all kinds", "\u00a0\u2003\u3000\n "],
    ["soft hyphens, selectors and tags", "\u00ad\ufe0f\u{e0041}"],
  ])("%s", (_, text) => {
    expect(errors({ title: text })).toEqual(["required /title"]);
    expect(errors({ authors: [{ role: "Creator", firstName: text, lastName: text }] })).toEqual([
      "creator_name_required /authors/0",
    ]);
    const change = { description: text, license: text, language: text, embargoDate: text, subjects: [text, "barley"] };
    const authors = [{ ...josiah, affiliation: text, orcid: text, rorid: text, country: text, city: text }];
    const { normalized } = checkMetadata({ ...good, ...change, authors });
    expect(normalized).toEqual({ title: good.title, authors: [josiah], subjects: ["barley"] });
  });

  test.each(["नि", "👩‍🔬", "e\u0301", "می\u200cخواهم", "日本", "…", "🄯"])("“%s” is visible", (text) => {
    expect(checkMetadata({ ...good, title: text }).normalized?.title).toBe(text);
  });
});

test("members called __proto__ and constructor are unknown members", () => {
  const sent: unknown = JSON.parse(`{"__proto__":{"title":"x"},"constructor":{},${JSON.stringify(good).slice(1)}`);
  const { errors, warnings } = checkMetadata(sent, { base: "" });
  expect(errors).toEqual([]);
  expect(warnings.map(({ pointer }) => pointer)).toEqual(["/__proto__", "/constructor"]);
});

test("errors of ten thousand authors are reported individually", () => {
  const authors = Array(10_000).fill({ role: "Creator" });
  expect(checkMetadata({ ...good, authors }).errors).toHaveLength(10_000);
});

test("a public author has no postal data", () => {
  const postal = { address: "1 Prospect Street", zipCode: "02912", city: "Providence", country: "US" };
  expect(publicAuthor({ ...josiah, ...postal })).toEqual(josiah);
});

test("roles are recognised in any case and spacing", () => {
  for (const role of roles) {
    for (const spelling of [role, role.toUpperCase(), role.replace(/\B[A-Z]/g, " $&")])
      expect(knownRole(spelling)).toBe(role);
  }
  expect(knownRole("constructor")).toBeUndefined();
});

test.each([
  ["titles", {}, "/titles/0", schema.Title],
  ["descriptions", {}, "/descriptions/0", schema.Description],
  ["subjectTerms", {}, "/subjectTerms/0", schema.SubjectTerm],
  ["fundingReferences", {}, "/fundingReferences/0", schema.FundingReference],
  ["relatedIdentifiers", { citation: "A book" }, "/relatedIdentifiers/0", schema.RelatedIdentifier],
  ["dates", {}, "/dates/0", schema.MetadataDate],
  ["geoLocations", { geoLocationPoint: {} }, "/geoLocations/0/geoLocationPoint", schema.GeoLocationPoint],
  ["geoLocations", { geoLocationBox: {} }, "/geoLocations/0/geoLocationBox", schema.GeoLocationBox],
  ["alternateIdentifiers", {}, "/alternateIdentifiers/0", schema.AlternateIdentifier],
  ["licenses", {}, "/licenses/0", schema.PartLicense],
])(
  "the schema marks the members of %s %j that the check requires, once each",
  (list, entry, base, { required = [] }) => {
    const found = checkMetadata({ title: "T", authors: [josiah], [list]: [entry] }, { base: "" }).errors;
    const missing = found.filter(({ code }) => code === "required").map(({ pointer }) => pointer);
    expect(missing.toSorted()).toEqual(required.map((name) => `${base}/${name}`).toSorted());
  },
);
