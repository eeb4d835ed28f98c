import { expect, test } from "vitest";
import { isDelayed, isDue } from "./publication.ts";

const NOW = new Date("2026-05-01T12:00:00Z");

test.each([
  ["nothing is left to do", null, false],
  ["the next attempt is later", new Date("2026-05-01T12:00:01Z"), false],
  ["the attempt is due", NOW, true],
  ["the attempt is under way", new Date("2026-05-01T11:59:00Z"), true],
])("%s", (_, next_at, expected) => {
  expect(isDue({ next_at }, NOW)).toBe(expected);
});

test.each([
  ["datacite_unreachable", 14, false],
  ["datacite_unreachable", 15, true],
  ["doi_not_registered", 14, false],
  ["datacite_credentials", 0, true],
  ["datacite_rejected", 0, true],
] as const)("%s that has lasted for %i minutes delays the publication: %s", (code, minutes, expected) => {
  expect(isDelayed({ code, since: new Date(NOW.getTime() - minutes * 60_000).toISOString() }, NOW)).toBe(expected);
});

test("a problem that an earlier version stored delays the publication", () => {
  expect(isDelayed({ code: "datacite_unreachable" }, NOW)).toBe(true);
  expect(isDelayed(null, NOW)).toBe(false);
});
