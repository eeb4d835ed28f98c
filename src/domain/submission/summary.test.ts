import { expect, test } from "vitest";
import { shortText, summarize } from "./summary.ts";

const none = { selection: {}, warnings: [] };

test("short metadata is summarized unchanged", () => {
  const sent = { title: " Roots ", authors: [{ lastName: "Lee", orcid: null, city: "Seoul" }], subjects: ["a"] };
  expect(summarize({ ...none, sent })).toEqual({
    metadata: { title: "Roots", authors: [{ lastName: "Lee" }], authorsTotal: 1, subjects: ["a"], subjectsTotal: 1 },
    selection: {},
    warnings: [],
    warningsTotal: 0,
    shortened: false,
  });
});

test("the largest submission has a summary of less than 20 kB", () => {
  const text = "\u0001".repeat(100_000);
  const warning = { pointer: `/metadata/${text}`, code: "unknown_member", detail: text } as const;
  const author = { role: text, orcid: text, firstName: text, lastName: text, affiliation: text };
  const summary = summarize({
    sent: {
      ...{ title: text, description: text, language: text, license: text, embargoDate: text },
      ...{ authors: Array(10_000).fill(author), subjects: Array(1_000).fill(text) },
    },
    selection: { prefix: "p".repeat(1_024), include: Array(100).fill("x".repeat(1_024)), exclude: ["**/.*"] },
    warnings: Array(10_000).fill(warning),
  });
  expect(JSON.stringify(summary).length).toBeLessThan(30_000);
  expect(summary).toMatchObject({ shortened: true, warningsTotal: 10_000, selection: { exclude: ["**/.*"] } });
  expect(summary.selection.include).toBeUndefined();
});

test.each([null, 7, "text", [], { title: 7, authors: "x", subjects: [1, null] }])(
  "%j is summarized without an error",
  (sent) => {
    expect(summarize({ ...none, sent }).metadata).toMatchObject({ title: "", subjects: [] });
  },
);

test("a text is shortened between characters", () => {
  expect(shortText("🌾🌾🌾", 3)).toBe("🌾🌾🌾");
  expect(shortText("🌾🌾🌾🌾", 3)).toBe("🌾🌾…");
});
