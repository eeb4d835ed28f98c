import { expect, test } from "vitest";
import { vocabularyQueryOf } from "./vocabulary.ts";

test.each([
  ["a b c d e f", ["a", "b"]],
  ["vitamin c", ["vitamin", "c"]],
  ["hepatitis a b c 1", ["hepatitis", "a", "b"]],
  ["大 麦 研 究", ["大", "麦", "研", "究"]],
])("few words with one letter of the query “%s” are compared", (q, words) => {
  expect(vocabularyQueryOf(q)).toEqual({ term: q, words });
});
