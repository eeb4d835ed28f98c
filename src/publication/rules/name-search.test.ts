import { describe, expect, test } from "vitest";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { NameSearch } from "./name-search.ts";

const metadata: NormalizedMetadata = {
  title: "Roots",
  subjects: [],
  authors: [
    { role: "Creator", firstName: "Jürgen", lastName: "Müller-Lüth", affiliation: "Institute of Plant Roots (IPRX)" },
    { role: "Creator", lastName: "Li" },
    { role: "Creator", name: "王小明" },
    { role: "Creator", name: "Root Network", nameType: "Organizational" },
  ],
  contact: { name: "Ada Office", email: "ada@roots.example", public: false },
  fundingReferences: [{ funderName: "Fund for Soil", awardNumber: "SOIL-77" }],
};
const search = new NameSearch(metadata, ["Root Archive"]);
const inText = (text: string) => search.inText(text).map((one) => one.text);
const inPath = (path: string) => search.inPath(path).map((one) => one.text);

describe("names in texts", () => {
  test.each([
    ["The plots of Dr. MULLER LUTH were used.", ["Müller-Lüth"]],
    ["by Mueller-Lueth", ["Müller-Lüth"]],
    ["Measured at the Institute of plant roots (IPRX)", ["Institute of Plant Roots (IPRX)", "IPRX"]],
    ["paid by the fund for soil, SOIL-77", ["Fund for Soil", "SOIL-77"]],
    ["数据由王小明收集", ["王小明"]],
    ["from the root archive", ["Root Archive"]],
    ["Lithium, liquids and Muller", []],
    ["", []],
  ])("%s", (text, names) => {
    expect(inText(text).toSorted()).toEqual(names.toSorted());
  });

  test("addresses, ORCID iDs and links can tell who made the dataset", () => {
    const text = "Ask b.c@uni.example (0000-0002-1825-0097), see https://lab.example/smith and doi:10.1234/abc";
    expect(search.inText(text).map(({ kind, text: passage }) => [kind, passage])).toEqual([
      ["email", "b.c@uni.example"],
      ["orcid", "0000-0002-1825-0097"],
      ["link", "https://lab.example/smith"],
      ["link", "doi:10.1234/abc"],
    ]);
  });
});

describe("names in paths", () => {
  const two = new NameSearch({ ...metadata, authors: [{ role: "Creator", lastName: "Schmidt" }] });
  test.each([
    ["data/SchmidtPlots/a.csv", ["Schmidt"]],
    ["data/schmidtplots2.csv", ["Schmidt"]],
    ["data/2024schmidt.csv", ["Schmidt"]],
    ["data/smith.csv", []],
  ])("%s", (path, names) => {
    expect(two.inPath(path).map((one) => one.text)).toEqual(names);
  });

  test("names of several words, with any separators", () => {
    expect(inPath("data/mueller_lueth/plot.csv")).toEqual(["Müller-Lüth"]);
    expect(inPath("data/Li2.csv")).toEqual(["Li"]);
    expect(inPath("data/lines.csv")).toEqual([]);
  });
});
