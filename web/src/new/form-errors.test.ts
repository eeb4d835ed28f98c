import { expect, test } from "vitest";
import { type DataSource, newDraft } from "./draft.ts";
import { findFormErrors } from "./form-errors.ts";

const blank = newDraft();
const wordsFor = (dataSource: Partial<DataSource>) =>
  findFormErrors(
    { ...blank, dataSource: { ...blank.dataSource, ...dataSource } },
    { accessKey: "a", secretKey: "b", sessionToken: "" },
    "none",
  ).map(({ word }) => word);

test("a selection that excludes every object is incomplete, whether by ticks or by a typed pattern", () => {
  expect(wordsFor({ leftOut: ["**"] })).toContain("nothingSelected");
  expect(wordsFor({ exclude: "*.tmp\n**" })).toContain("nothingSelected");
  for (const dataSource of [{}, { leftOut: ["raw/**"] }, { chosen: ["raw/**"] }, { exclude: "*.tmp" }])
    expect(wordsFor(dataSource)).not.toContain("nothingSelected");
});
