import { describe, expect, test } from "vitest";
import { listed, rows } from "../../../../tests/support/listed.ts";
import { namedAgents } from "./named-agents.ts";

const person = (given: string | undefined, family: string) => ({ ...(given !== undefined && { given }), family });
const note = expect.stringContaining("note, title or degree");
const kept = expect.stringContaining("kept whole");
const others = expect.stringContaining("further people");

describe("one person", () => {
  test.each([
    ...rows<[string, string, string]>`
      Josiah Carberry → Josiah → Carberry | Josiah S. Carberry → Josiah S. → Carberry
      Josiah D Carberry → Josiah D → Carberry | J. R. R. Carberry → J. R. R. → Carberry
      Carberry, Josiah → Josiah → Carberry | Carberry, J. S. → J. S. → Carberry | Roe A. → A. → Roe
      Roe A. B. → A. B. → Roe | Roe AB → AB → Roe | ROE A → A → ROE | Roe J-P → J-P → Roe | Roe J.-P. → J.-P. → Roe
      Roe Yu. → Yu. → Roe | van Poe B.C. → B.C. → van Poe | Van der Poe B → B → Van der Poe
      Dan Van der Roe → Dan → Van der Roe | Dan Van Roe → Dan → Van Roe | Dan von und zu Roe → Dan → von und zu Roe
      Maria De La Roe → Maria → De La Roe | Maria Roe y Poe → Maria → Roe y Poe | ANN VAN ROE → ANN → VAN ROE
      Josiah Ben Carberry → Josiah Ben → Carberry | Ann Roe Jr. → Ann → Roe Jr. | Ann Roe III → Ann → Roe III
      Ann Roe, Jr. → Ann → Roe Jr. | Roe, Ann, Jr. → Ann, Jr. → Roe | bell roe → bell → roe | Lea Moe* → Lea → Moe
      Lea Moe†‡ → Lea → Moe | Lea Moe¹ → Lea → Moe | Lea Moe1,2 → Lea → Moe | Lea Moe^1 → Lea → Moe
      Moe, Lea 1 → Lea → Moe
    `,
    ["Roe, Jr.", undefined, "Roe, Jr."],
    ["Plato", undefined, "Plato"],
    ["Na", undefined, "Na"],
    ["carberry42", undefined, "carberry42"],
    ["  Josiah \u00a0 Carberry ", "Josiah", "Carberry"],
  ])("in %j", (text, given, family) => {
    expect(namedAgents(text)).toEqual({ agents: [person(given, family)], remarks: [] });
  });

  test.each(listed`
    Cid Doe (curation) | Cid Doe [deceased] | Cid Doe (University of the Coast) | Doe, Cid (curation)
    Dr. Cid Doe | Prof. Dr. Cid Doe | Dr. rer. nat. Cid Doe | Dr.-Ing. Cid Doe | Dr. med. vet. Cid Doe
    Cid Doe <cid@example.org> | Cid Doe, cid@example.org | Doe, Cid, 1950-2020 | Doe, Cid, 1950- | Mrs Cid Doe
    Cid Doe PhD | Cid Doe, PhD | Cid Doe, MD, Ph.D. | Doe, Cid, M.Sc.
  `)("beside a note, a title or a degree, which causes a remark: %j", (text) => {
    expect(namedAgents(text)).toEqual({ agents: [person("Cid", "Doe")], remarks: [note] });
  });

  test.each(listed`
    Ann Roe (0000-0002-1825-0097) | Ann Roe 0000-0002-1825-0097 | Ann Roe, https://orcid.org/0000-0002-1825-0097
    Ann Roe [ORCID: 0000-0002-1825-0097] | Roe, Ann (https://orcid.org/0000-0002-1825-0097)*
  `)("with an ORCID iD: %j", (text) => {
    expect(namedAgents(text)).toEqual({
      agents: [{ ...person("Ann", "Roe"), orcid: "0000-0002-1825-0097" }],
      remarks: [],
    });
  });

  test("and others without names cause a remark", () => {
    for (const end of ["et al.", "et al", ", et al.", "and others", "& et al.", "u. a."]) {
      expect(namedAgents(`Fay Gun ${end}`)).toEqual({ agents: [person("Fay", "Gun")], remarks: [others] });
    }
  });

  test("with two family names and two given names can be two persons, unless the file says more", () => {
    const whole = "Roe Poe, Ann Lea";
    expect(namedAgents(whole)).toEqual({ agents: [{ organisation: whole }], remarks: [kept] });
    for (const options of [{ isInverted: true }, { isPersonal: true }]) {
      expect(namedAgents(whole, options)).toEqual({ agents: [person("Ann Lea", "Roe Poe")], remarks: [] });
    }
  });
});

test.each([
  ...listed`
    Roe, A.B., Poe, C.D., & Doe, E.F. | Roe, A.B.; Poe, C.D.; Doe, E.F. | Roe A.B., Poe C.D., Doe E.F.
    A.B. Roe, C.D. Poe and E.F. Doe | Roe, A.B. and Poe, C.D. and Doe, E.F. | A.B. Roe, C.D. Poe, E.F. Doe
    A.B. Roe1, C.D. Poe2 and E.F. Doe1 | A.B. Roe / C.D. Poe / E.F. Doe
  `,
  ...["A.B. Roe | C.D. Poe | E.F. Doe", "A.B. Roe\nC.D. Poe\nE.F. Doe"],
])("three persons in %j", (text) => {
  const agents = [person("A.B.", "Roe"), person("C.D.", "Poe"), person("E.F.", "Doe")];
  expect(namedAgents(text)).toEqual({ agents, remarks: [] });
});

test("two persons whose names have footnote marks", () => {
  const agents = [person("Ann", "Roe"), person("Bob", "Poe")];
  for (const text of ["Ann Roe*, Bob Poe†", "Ann Roe1, Bob Poe2"])
    expect(namedAgents(text)).toEqual({ agents, remarks: [] });
});

test.each([
  ...listed`
    Ann and Bob Roe | Ann Roe, Bob Poe | Ann Roe y Bob Poe | Roe & Poe | Roe, Ann, Bob Poe | Roe, Ann, Poe, Bob
    Ann Roe MD | Ann Roe (0000-0002-1825-0097) and Bob Poe (0000-0001-5109-3700) | Roe A, Poe B, Wheat Consortium
    Data were collected by volunteers | All members at site 12
  `,
  ...[`Ann Roe, ${"Bob Poe, ".repeat(1_000)}Cid Doe`],
])("%j is kept whole, with a remark", (text) => {
  expect(namedAgents(text)).toEqual({ agents: [{ organisation: text }], remarks: [kept] });
});

test.each(listed`
  United Countries Geological Survey | Fachhochschule Musterstadt | Institute of Wheat
  Institute of Wheat, University of the Coast | Centre for Food and Soil | Bundesamt für Beispiele
  Statistisches Landesamt | The Wheat Consortium | World Barley Organization (WBO) | Friends of Barley
  Barley Ltd. | Ährenfreunde e.V. | Universidad de la Costa | EMBL | NASA/JPL | Fachstelle OGD | Contributors
  Anonymous
`)("the organisation %j", (text) => {
  expect(namedAgents(text)).toEqual({ agents: [{ organisation: text }], remarks: [] });
});

test("an organisation that a file calls a person is kept whole, with a remark", () => {
  expect(namedAgents("Institute of Wheat", { isPersonal: true }).remarks).toEqual([kept]);
});

test.each([
  ...listed`n/a | NA | None | unknown | :unav | :etal | TBD | [Unspecified1] | et al. | a@example.org`,
  ...["", " "],
])("%j names nobody", (text) => {
  expect(namedAgents(text).agents).toEqual([]);
});
