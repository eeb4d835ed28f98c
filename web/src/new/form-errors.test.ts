import { expect, test } from "vitest";
import { type DataSource, NO_KEYS, newDraft } from "./draft.ts";
import { findFormErrors } from "./form-errors.ts";

const blank = newDraft();
const wordsFor = (dataSource: Partial<DataSource>, keys = { accessKey: "a", secretKey: "b", sessionToken: "" }) =>
  findFormErrors({ ...blank, dataSource: { ...blank.dataSource, ...dataSource } }, keys, "none").map(
    ({ word }) => word,
  );

test("a selection that excludes every object is incomplete, whether by ticks or by a typed pattern", () => {
  expect(wordsFor({ leftOut: ["**"] })).toContain("nothingSelected");
  expect(wordsFor({ exclude: "*.tmp\n**" })).toContain("nothingSelected");
  for (const dataSource of [{}, { leftOut: ["raw/**"] }, { chosen: ["raw/**"] }, { exclude: "*.tmp" }])
    expect(wordsFor(dataSource)).not.toContain("nothingSelected");
});

test("access key and secret key are required, unless the bucket is public or a role is given", () => {
  const missing = (dataSource: Partial<DataSource>) =>
    wordsFor(dataSource, NO_KEYS).filter((word) => word === "accessKey" || word === "secretKey");
  expect(missing({ roleArn: " " })).toEqual(["accessKey", "secretKey"]);
  expect([...missing({ anonymous: true }), ...missing({ roleArn: "arn:aws:iam::123456789012:role/reader" })]).toEqual(
    [],
  );
});
