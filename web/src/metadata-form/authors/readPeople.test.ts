import { expect, test, vi } from "vitest";
import { readPeople } from "./readPeople.ts";

const read = (text: string) =>
  readPeople(text).entries.map(({ firstName, lastName, role, orcid, affiliation, country }) =>
    [firstName, lastName, role, orcid, affiliation, country].join("|"),
  );

test.each([
  ["Josiah Carberry", "Josiah|Carberry|Creator|||"],
  ["Carberry, Josiah", "Josiah|Carberry|Creator|||"],
  [
    "Carberry, Josiah; 0000-0002-1825-0097; Brown University",
    "Josiah|Carberry|Creator|0000-0002-1825-0097|Brown University|",
  ],
  ["Josiah S. Carberry (Brown University)", "Josiah S.|Carberry|Creator||Brown University|"],
  ["Carberry, Josiah; data curator; Brown University", "Josiah|Carberry|DataCurator||Brown University|"],
  [
    "Josiah Carberry https://orcid.org/0000-0002-1825-0097",
    "Josiah|Carberry|Creator|https://orcid.org/0000-0002-1825-0097||",
  ],
])("the line “%s”", (line, person) => {
  expect(read(`${line}\n`)).toEqual([person]);
});

test.each([",", ";", "\t"])("a table with “%s” as separator", (mark) => {
  const rows = [
    ["First name", "Last name", "Role", "ORCID", "Shoe size", "Country"],
    ["Josiah", "Carberry", "Creator", "0000-0002-1825-0097", "44", "United States"],
    ["", "Brown University", "hosting institution", "", "", "US"],
  ];
  expect(read(rows.map((row) => row.join(mark)).join("\r\n"))).toEqual([
    "Josiah|Carberry|Creator|0000-0002-1825-0097||US",
    "|Brown University|HostingInstitution|||US",
  ]);
});

test("German headings, quoted cells, a byte order mark", () => {
  const text =
    '\uFEFFVorname,Nachname,Einrichtung,Land\nJosiah,Carberry,"Brown University, Providence",Vereinigte Staaten\n';
  expect(read(text)).toEqual(["Josiah|Carberry|Creator||Brown University, Providence|US"]);
});

test("an empty text contains no authors", () => {
  expect(readPeople(" \n\n")).toEqual({ entries: [], left: [] });
});

const names = (text: string) => readPeople(text).entries.map(({ firstName, lastName }) => `${firstName}|${lastName}`);
const three = ["Jane|Doe", "John|Smith", "Ann|Miller"];

test.each([
  "Doe, Jane; Smith, John; Miller, Ann",
  "Jane Doe; John Smith; Ann Miller",
  "Jane Doe, John Smith and Ann Miller",
  "Jane Doe, John Smith, and Ann Miller",
  "Jane Doe, John Smith & Ann Miller",
  "Jane Doe, John Smith und Ann Miller",
  "Jane Doe et John Smith et Ann Miller",
  "Doe, Jane and Smith, John and Miller, Ann",
  "Doe, Jane, Smith, John, Miller, Ann",
  "Jane Doe1,*, John Smith2, Ann Miller1",
  "Jane Doe (Brown University, Providence), John Smith (CERN) and Ann Miller",
  "1. Jane Doe\n2. John Smith\n3. Ann Miller",
  "(1) Jane Doe\n[2] John Smith\n- Ann Miller",
  "Prénom;Nom\nJane;Doe\nJohn;Smith\nAnn;Miller",
  'Name\n"Doe; Jane"\n"Smith, John"\nAnn Miller',
])("three authors in “%s”", (text) => {
  expect(names(text)).toEqual(three);
  expect(readPeople(text).left).toEqual([]);
});

test("initials, as in reference lists", () => {
  expect(names("Doe, J. A., Smith, J., & Miller, A.")).toEqual(["J. A.|Doe", "J.|Smith", "A.|Miller"]);
});

test("a single author with several words is not split", () => {
  expect(names("van der Berg, Jan Willem")).toEqual(["Jan Willem|van der Berg"]);
  expect(names("García Márquez, Gabriel José\nDoe, Jane")).toEqual(["Gabriel José|García Márquez", "Jane|Doe"]);
});

test("an institution after a name is not an author", () => {
  expect(read("Jane Doe, Brown University")).toEqual(["Jane|Doe|Creator||Brown University|"]);
  expect(read("Doe, Jane; Brown University, Providence")).toEqual(["Jane|Doe|Creator||Brown University, Providence|"]);
});

test("parts that are not recognised are reported", () => {
  expect(readPeople("Jane Doe; CERN; jane@example.org\n12345").left).toEqual(["jane@example.org", "12345"]);
  expect(readPeople("Name,Shoe size\nJane Doe,38\n,40").left).toEqual(["Shoe size", "40"]);
});

test("the list of countries is built once for any number of rows", () => {
  const made = vi.spyOn(Intl, "DisplayNames");
  const rows = Array.from({ length: 300 }, (_, row) => `Jane,Doe ${row},Germany`);
  const { entries } = readPeople(`First name,Last name,Country\n${rows.join("\n")}`);
  expect(new Set(entries.map(({ country }) => country))).toEqual(new Set(["DE"]));
  expect(made.mock.calls.length).toBeLessThanOrEqual(3);
  made.mockRestore();
});
