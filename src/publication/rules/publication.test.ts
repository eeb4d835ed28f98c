import { expect, test } from "vitest";
import { isDue } from "./publication.ts";

const NOW = new Date("2026-05-01T12:00:00Z");

test.each([
  ["nothing is left to do", null, false],
  ["the next attempt is later", new Date("2026-05-01T12:00:01Z"), false],
  ["the attempt is due", NOW, true],
  ["the attempt is under way", new Date("2026-05-01T11:59:00Z"), true],
])("%s", (_, next_at, expected) => {
  expect(isDue({ next_at }, NOW)).toBe(expected);
});
