import { expect, test } from "vitest";
import { preferredOf } from "./negotiation.ts";

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["image/png", "application/json"],
  ["text/csv", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, */*", "text/csv"],
  ["TEXT/CSV;q=0.5, application/json;q=0.4", "text/csv"],
  ["application/json, text/csv;q=0.9", "application/json"],
  ["text/csv;q=0, */*", "application/json"],
  ["text/csvx", "application/json"],
])("Accept: %s", (accept, expected) => {
  const headers = accept === undefined ? {} : { accept };
  expect(preferredOf({ headers }, ["application/json", "text/csv"])).toBe(expected);
});
