import { expect, test } from "vitest";
import { highlight, matchingName } from "./highlight.ts";

/** The text with brackets around its matching parts. */
const marked = (text: string, query: string) =>
  highlight(text, query)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join("");

test.each([
  ["Institut für Gerstenforschung", "fur gersten", "Institut [für] [Gersten]forschung"],
  ["Institut fu\u0308r Roggen", "FÜR", "Institut [fu\u0308r] Roggen"],
  // Only the beginning of a word.
  ["Barley and hulled barley; unbarley", "barl", "[Barl]ey and hulled [barl]ey; unbarley"],
  ["国立大麦研究所", "大麦", "国立[大麦]研究所"],
  // A ligature is one character.
  ["ﬁeld of 🌾 wheat", "fie wheat", "[ﬁe]ld of 🌾 [wheat]"],
  // Nothing in a query is a pattern.
  ["a.b (c) [d]", ".* ( [ \\", "a.b (c) [d]"],
  ["", "barley", ""],
  ["Barley", "", "Barley"],
])("“%s” is highlighted for “%s”", (text, query, expected) => {
  expect(marked(text, query)).toBe(expected);
});

test("the name because of which an entry was found is an acronym or another name, unless the preferred name has all words", () => {
  const entry = { acronyms: ["IGF"], alternativeNames: ["Institute for Barley Research"], name: "Gersteninstitut" };
  const found = (query: string) => matchingName({ ...entry } as Parameters<typeof matchingName>[0], query);
  expect(found("gersten")).toBeUndefined();
  expect(found("igf")).toBe("IGF");
  expect(found("research inst")).toBe("Institute for Barley Research");
  expect(found("gersten research")).toBeUndefined();
});
