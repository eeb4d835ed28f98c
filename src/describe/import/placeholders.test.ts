import { describe, expect, test } from "vitest";
import { listed } from "../../../tests/support/listed.ts";
import { readCrate, readFile, readIsa } from "../../../tests/support/metadata-files/read.ts";

const unused = expect.stringContaining("only holds the place");

describe("a text that stands for a missing value", () => {
  test("does not replace the title of the study", () => {
    const text =
      "INVESTIGATION\nInvestigation Title\tInvestigation\nInvestigation Description\tn/a\nSTUDY\nStudy Title\tPots\nStudy Description\tCracks";
    expect(readFile("isa-tab", text)).toEqual({
      values: { title: "Pots", description: "Cracks" },
      remarks: [
        { place: "line 2", message: unused },
        { place: "line 3", message: unused },
      ],
    });
  });

  test.each(listed`
    Investigation | Study title | Untitled | My dataset | Dataset | Title | TODO: add a title | TBD | N/A | none
    - | :unav | [Unspecified] | <your title here> | Insert title here | My Research Software
  `)("as title: %j", (Name) => {
    expect(readFile("bids", { Name })).toEqual({ values: {}, remarks: [{ place: "/Name", message: unused }] });
  });

  test.each(listed`
    An investigation of pots | Study of pots | Pots (n/a) | Title pages of books | TBA experiments
    Unknown pots | A title
  `)("is not a title that only contains such words: %j", (Name) => {
    expect(readFile("bids", { Name })).toEqual({ values: { title: Name }, remarks: [] });
  });

  test.each([
    ["License", "n/a"],
    ["License", "TODO"],
    ["Acknowledgements", "none"],
    ["Keywords", ["unknown"]],
    ["Funding", ["N/A"]],
  ])("as %s: %j", (member, value) => {
    expect(readFile("bids", { Name: "Pots", [member]: value }).values).toEqual({ title: "Pots" });
  });

  test("is not a symbol or a language of the same letters", () => {
    expect(readCrate({ keywords: ["Na", "NA", "K"], inLanguage: "na" }).values).toEqual({
      subjects: ["Na", "K"],
      language: "na",
    });
  });

  test("within an entry costs only that member", () => {
    const funding = { "@type": "Grant", identifier: ":unav", name: "Cracks", funder: { name: "Pottery Fund" } };
    expect(readCrate({ funding }).values.fundingReferences).toEqual([
      { funderName: "Pottery Fund", awardTitle: "Cracks" },
    ]);
  });

  test("as a name is nobody, but initials and family names stay", () => {
    expect(readFile("bids", { Authors: ["n/a", "[Unspecified1]", ":unav"] }).values).toEqual({});
    const names = ["STUDY CONTACTS", "Study Person Last Name\tNull\tRoe", "Study Person First Name\tAnn\tNA"];
    expect(readIsa(...names).values.authors).toMatchObject([
      { firstName: "Ann", lastName: "Null" },
      { firstName: "NA", lastName: "Roe" },
    ]);
  });
});

describe("a text that is too long", () => {
  test.each([
    ["Description", "description", 100_000],
    ["Name", "title", 2_000],
    ["Acknowledgements", "acknowledgements", 100_000],
  ])("%s is cut at a word, with a remark", (member, name, limit) => {
    const { values, remarks } = readFile("bids", { [member]: "word ".repeat(limit / 4) });
    const text = String((values as Record<string, unknown>)[name]);
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text.length).toBeGreaterThan(limit - 10);
    expect(text).toMatch(/word…$/);
    expect(remarks).toEqual([{ place: `/${member}`, message: expect.stringContaining("is cut") }]);
  });

  test("in an entry is cut, too", () => {
    const { values } = readFile("bids", { ReferencesAndLinks: [`Roe (2020). ${"Pots ".repeat(500)}`] });
    expect(values.relatedIdentifiers?.[0]?.citation?.length).toBeLessThanOrEqual(1_000);
  });

  test("is not cut if it is an identifier", () => {
    const { values, remarks } = readFile("cff", `title: Pots\ndoi: 10.1234/${"x".repeat(1_000)}\n`);
    expect(values).toEqual({ title: "Pots" });
    expect(remarks).toHaveLength(1);
  });
});

test("a file without values causes a remark", () => {
  expect(readFile("codemeta", { "@type": "Thing" })).toEqual({
    values: {},
    remarks: [{ place: "", message: expect.stringContaining("no values") }],
  });
});
