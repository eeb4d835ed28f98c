import { expect, test } from "vitest";
import { newDraft, type Where } from "./draft.ts";
import { ownFaults } from "./faults.ts";

const blank = newDraft();
const wordsFor = (where: Partial<Where>) =>
  ownFaults(
    { ...blank, where: { ...blank.where, ...where } },
    { accessKey: "a", secretKey: "b", sessionToken: "" },
  ).map(({ word }) => word);

test("a selection that excludes every object is incomplete, whether by ticks or by a typed pattern", () => {
  expect(wordsFor({ leftOut: ["**"] })).toContain("nothingSelected");
  expect(wordsFor({ exclude: "*.tmp\n**" })).toContain("nothingSelected");
  for (const where of [{}, { leftOut: ["raw/**"] }, { chosen: ["raw/**"] }, { exclude: "*.tmp" }])
    expect(wordsFor(where)).not.toContain("nothingSelected");
});
