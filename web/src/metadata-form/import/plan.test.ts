import { expect, test } from "vitest";
import type { MetadataSuggestions } from "../../api/intake.ts";
import { newEntries } from "../entries/entries.ts";
import { entriesOfMetadata } from "../entries/entries-of-metadata.ts";
import { planOf } from "./plan.ts";

const values = {
  title: "Roots",
  authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry" }],
  fundingReferences: [{ funderName: "Barley Foundation", awardNumber: "12" }],
  dates: [{ date: "2026-03/2026-07", dateType: "Collected" as const }],
  contact: { email: "office@example.org" },
};
const sources = Object.fromEntries(Object.keys(values).map((member) => [member, "datacite.json"]));
const suggestions: MetadataSuggestions = { values, sources, files: [] };

test("an empty form gets every value, in the order of the form, with readable lines", () => {
  const { empty, taken } = planOf(suggestions, newEntries());
  expect(taken).toEqual([]);
  expect(empty.map(({ member, lines }) => [member, lines])).toEqual([
    ["title", ["Roots"]],
    ["authors", ["Josiah Carberry"]],
    ["fundingReferences", ["Barley Foundation · 12"]],
    ["dates", ["2026-03 · 2026-07"]],
    ["contact", ["office@example.org"]],
  ]);
});

test("entries of the user are not empty, and entries that equal the file's are not suggested again", () => {
  const own = entriesOfMetadata({ ...values, title: "My roots", dates: [{ date: "2026", dateType: "Created" }] });
  const { empty, taken } = planOf(suggestions, own);
  expect(empty).toEqual([]);
  expect(taken).toMatchObject([
    { member: "title", own: ["My roots"], lines: ["Roots"], source: "datacite.json" },
    { member: "dates", own: ["2026"] },
  ]);
});

test("blank entries of the user count as empty", () => {
  const own = entriesOfMetadata({ title: "  ", authors: [{ role: "Creator" }], dates: [{ dateType: "Collected" }] });
  expect(planOf(suggestions, own).empty.map(({ member }) => member)).toHaveLength(5);
});
