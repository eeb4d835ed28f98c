import { expect, test } from "vitest";
import { readPeople } from "./readPeople.ts";

const read = (text: string) =>
  readPeople(text).map(({ firstName, lastName, role, orcid, affiliation, country }) =>
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

test.each([",", ";", "\t"])("a table whose cells are set apart by “%s”", (mark) => {
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

test("German headings, quoted cells, a mark at the beginning", () => {
  const text =
    '\uFEFFVorname,Nachname,Einrichtung,Land\nJosiah,Carberry,"Brown University, Providence",Vereinigte Staaten\n';
  expect(read(text)).toEqual(["Josiah|Carberry|Creator||Brown University, Providence|US"]);
});

test("nothing is made of nothing", () => {
  expect(readPeople(" \n\n")).toEqual([]);
});
