import { describe, expect, test } from "vitest";
import { readCrate, readFile, readIsa } from "../../../../tests/support/metadata-files/read.ts";
import { fundingIn } from "./funding-text.ts";

test.each([
  ["Pottery Fund P-17", { funderName: "Pottery Fund P-17" }],
  ["Pottery Fund (grant 12)", { funderName: "Pottery Fund", awardNumber: "12" }],
  ["Pottery Fund, grant no. P-12/3", { funderName: "Pottery Fund", awardNumber: "P-12/3" }],
  ["Pottery Fund grant agreement No 101017502", { funderName: "Pottery Fund", awardNumber: "101017502" }],
  ["Pottery Fund (R21EB029641)", { funderName: "Pottery Fund", awardNumber: "R21EB029641" }],
  ["Pottery Fund (QBIN 5886)", { funderName: "Pottery Fund", awardNumber: "QBIN 5886" }],
  ["Pottery Fund (PF)", { funderName: "Pottery Fund (PF)" }],
  ["Pottery Fund: award number A 12", { funderName: "Pottery Fund", awardNumber: "A 12" }],
  ["This work was funded by the Pottery Fund (grant 12)", undefined],
  ["Gefördert durch die Pottery Fund", undefined],
  ["x".repeat(101), undefined],
  ["", undefined],
])("%j is %j", (text, funding) => {
  expect(fundingIn(text)).toEqual(funding);
});

test("a sentence is part of the acknowledgements, with a remark", () => {
  const sentence = "This work was funded by the Pottery Fund (grant 12) and the Kiln Trust (grant 34).";
  const { values, remarks } = readFile("bids", { Acknowledgements: "We thank the potters.", Funding: [sentence] });
  expect(values).toEqual({ acknowledgements: `We thank the potters.\n${sentence}` });
  expect(remarks).toEqual([{ place: "/Funding/0", message: expect.stringContaining("acknowledgements") }]);
});

describe("grants of a crate", () => {
  const funder = (id: string, name: string) => ({ "@id": id, "@type": "Organization", name });
  const grant = (id: string, identifier: string, more = {}) => ({
    "@id": id,
    "@type": "Grant",
    name: `Project ${identifier}`,
    identifier,
    ...more,
  });
  const ids = (...all: string[]) => all.map((id) => ({ "@id": id }));
  const [fund, trust] = [funder("#f", "Pottery Fund"), funder("#t", "Kiln Trust")];

  test("without funder belong to the only funder", () => {
    const root = { funder: ids("#f"), funding: ids("#g", "#h") };
    expect(readCrate(root, fund, grant("#g", "1"), grant("#h", "2")).values.fundingReferences).toEqual([
      { funderName: "Pottery Fund", awardNumber: "1", awardTitle: "Project 1" },
      { funderName: "Pottery Fund", awardNumber: "2", awardTitle: "Project 2" },
    ]);
  });

  test("without funder beside several funders belong to none of them", () => {
    const { values, remarks } = readCrate(
      { funder: ids("#f", "#t"), funding: ids("#g") },
      fund,
      trust,
      grant("#g", "1"),
    );
    expect(values).toEqual({
      fundingReferences: [{ funderName: "Pottery Fund" }, { funderName: "Kiln Trust" }],
      acknowledgements: "Project 1, 1",
    });
    expect(remarks).toHaveLength(1);
  });

  test("of several funders are stated for each", () => {
    const { values } = readCrate({ funding: ids("#g") }, fund, trust, grant("#g", "1", { funder: ids("#f", "#t") }));
    expect(values.fundingReferences).toMatchObject([
      { funderName: "Pottery Fund", awardNumber: "1" },
      { funderName: "Kiln Trust", awardNumber: "1" },
    ]);
  });

  test("as funder, and funders as grant, are told apart by their types", () => {
    const root = { funder: ids("#g"), funding: ids("#t") };
    const { values } = readCrate(root, fund, trust, grant("#g", "1", { funder: ids("#f") }));
    expect(values.fundingReferences).toMatchObject([
      { funderName: "Pottery Fund", awardNumber: "1" },
      { funderName: "Kiln Trust" },
    ]);
  });

  test("name their funder once, also if its name differs", () => {
    const ror = "https://ror.org/00k4n6c32";
    const [one, other] = [{ ...funder(ror, "European Commission") }, { ...funder("#eu", "EC"), identifier: ror }];
    const { values } = readCrate(
      { funder: ids(ror), funding: ids("#g") },
      one,
      other,
      grant("#g", "1", { funder: ids("#eu") }),
    );
    expect(values.fundingReferences).toEqual([
      { funderName: "EC", funderIdentifier: ror, awardNumber: "1", awardTitle: "Project 1" },
    ]);
  });

  test("with an address or a typed identifier", () => {
    const typed = { "@type": "PropertyValue", value: "G-1" };
    const { values } = readCrate({
      funding: { ...grant("https://example.org/g/1", "1"), identifier: typed, funder: fund },
    });
    expect(values.fundingReferences).toEqual([
      { funderName: "Pottery Fund", awardNumber: "G-1", awardTitle: "Project 1", awardUri: "https://example.org/g/1" },
    ]);
  });

  test("as text in CodeMeta: a number, a description, or a funder with a number", () => {
    const read = (funding: string, ...funders: string[]) =>
      readFile("codemeta", { funder: funders.map((name) => ({ "@type": "Organization", name })), funding }).values;
    expect(read("12", "Fund A")).toEqual({ fundingReferences: [{ funderName: "Fund A", awardNumber: "12" }] });
    expect(read("Pots in Europe", "Fund A")).toEqual({
      fundingReferences: [{ funderName: "Fund A", awardTitle: "Pots in Europe" }],
    });
    expect(read("1549758; Pots in Europe", "Fund A")).toEqual({
      fundingReferences: [{ funderName: "Fund A", awardNumber: "1549758", awardTitle: "Pots in Europe" }],
    });
    expect(read("Fund B (grant 12)")).toEqual({ fundingReferences: [{ funderName: "Fund B", awardNumber: "12" }] });
    expect(read("12", "Fund A", "Fund B")).toEqual({
      fundingReferences: [{ funderName: "Fund A" }, { funderName: "Fund B" }],
      acknowledgements: "12",
    });
  });
});

describe("comments of ISA-Tab", () => {
  test("of MetaboLights, with several grants of a funder", () => {
    const { values, remarks } = readIsa(
      "Comment[Funder]\tExample Bio Institute\tUniversity of the Coast",
      "Comment[Grant Identifier]\tG1;G2\tG3",
      "Comment[Funder ROR ID]\thttps://ror.org/02catss52\t",
    );
    expect(remarks).toEqual([]);
    const ebi = { funderName: "Example Bio Institute", funderIdentifier: "https://ror.org/02catss52" };
    expect(values.fundingReferences).toEqual([
      { ...ebi, awardNumber: "G1" },
      { ...ebi, awardNumber: "G2" },
      { funderName: "University of the Coast", awardNumber: "G3" },
    ]);
  });

  test("with as many grants as funders in one cell", () => {
    const { values } = readIsa("Comment[Study Funding Agency]\tFund A; Fund B", "Comment[Study Grant Number]\t1; 2");
    expect(values.fundingReferences).toEqual([
      { funderName: "Fund A", awardNumber: "1" },
      { funderName: "Fund B", awardNumber: "2" },
    ]);
  });

  test("with grants that cannot be assigned keep their text", () => {
    const { values, remarks } = readIsa("Comment[Funder]\tFund A; Fund B", "Comment[Grant Identifier]\t1; 2; 3");
    expect(values).toEqual({ title: "Pots", acknowledgements: "Fund A; Fund B; 1; 2; 3" });
    expect(remarks).toHaveLength(1);
  });
});
