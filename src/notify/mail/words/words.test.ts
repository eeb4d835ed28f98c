import { expect, test } from "vitest";
import { MAIL_TEXTS, problemIn } from "./words.ts";

/** All texts by their paths. Functions are called with a marker for each parameter. */
function textsOf(texts: unknown, path = ""): [path: string, text: string][] {
  if (typeof texts === "string") return [[path, texts]];
  if (typeof texts === "function") {
    const markers = Array.from({ length: texts.length }, (_, n) => `⟨${n}⟩`);
    return [[path, texts(...markers)]];
  }
  return Object.entries(texts as object).flatMap(([name, value]) => textsOf(value, `${path}.${name}`));
}

const placeholders = (text: string) => (text.match(/⟨\d⟩/g) ?? []).toSorted();

test("both languages have the same texts, with the same placeholders", () => {
  const [english, german] = [textsOf(MAIL_TEXTS.en), textsOf(MAIL_TEXTS.de)];
  const shape = (texts: [string, string][]) => texts.map(([path, text]) => [path, placeholders(text)]);
  expect(shape(german)).toEqual(shape(english));
  const of = new Map(english);
  expect(german.filter(([path, text]) => of.get(path) === text)).toEqual([]);
});

test("a problem is stated in German, with the message of the service; in English it is stated as it is", () => {
  const problem = { code: "datacite_credentials", message: "HTTP 401", action: "Correct the password." };
  expect(problemIn("en", problem)).toEqual({ ...problem, message: "HTTP 401." });
  const { message, action } = problemIn("de", problem);
  expect(message).toMatch(/^\P{Cc}+ Meldung des Dienstes \(englisch\): HTTP 401\.$/u);
  expect(action).not.toBe(problem.action);
});
