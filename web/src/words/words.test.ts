import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkWords } from "./checks.ts";
import accessInGerman from "./de/access.json";
import accountInGerman from "./de/account.json";
import collectionsInGerman from "./de/collections.json";
import compareInGerman from "./de/compare.json";
import digestsInGerman from "./de/digests.json";
import doisInGerman from "./de/dois.json";
import listedInGerman from "./de/listed.json";
import publicationInGerman from "./de/publication.json";
import publicationsInGerman from "./de/publications.json";
import reviewInGerman from "./de/review.json";
import roleInGerman from "./de/role.json";
import unpackingInGerman from "./de/unpacking.json";
import uploadInGerman from "./de/upload.json";
import * as de from "./de.ts";
import accessInEnglish from "./en/access.json";
import accountInEnglish from "./en/account.json";
import collectionsInEnglish from "./en/collections.json";
import compareInEnglish from "./en/compare.json";
import digestsInEnglish from "./en/digests.json";
import doisInEnglish from "./en/dois.json";
import listedInEnglish from "./en/listed.json";
import publicationInEnglish from "./en/publication.json";
import publicationsInEnglish from "./en/publications.json";
import reviewInEnglish from "./en/review.json";
import roleInEnglish from "./en/role.json";
import unpackingInEnglish from "./en/unpacking.json";
import uploadInEnglish from "./en/upload.json";
import * as en from "./en.ts";

/** Every text by the path of its key. Plural forms that a language has and another has not are one key. */
function textsOf(words: object, path = ""): Map<string, string> {
  const entries = Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const key = `${path}${name}`;
    if (typeof value === "string") return [[key.replace(/_(zero|one|two|few|many|other)$/, "_"), value] as const];
    return [...textsOf(value as object, `${key}.`)];
  });
  return new Map(entries);
}

const places = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
const { problems: problemsInEnglish, ...wordsInEnglish } = en;
const { problems: problemsInGerman, ...wordsInGerman } = de;
const english = textsOf({
  ...wordsInEnglish,
  access: accessInEnglish,
  collections: collectionsInEnglish,
  digests: digestsInEnglish,
  dois: doisInEnglish,
  listed: listedInEnglish,
  account: accountInEnglish,
  compare: compareInEnglish,
  publication: publicationInEnglish,
  publications: publicationsInEnglish,
  review: reviewInEnglish,
  role: roleInEnglish,
  unpacking: unpackingInEnglish,
  upload: uploadInEnglish,
});
const german = textsOf({
  ...wordsInGerman,
  access: accessInGerman,
  collections: collectionsInGerman,
  digests: digestsInGerman,
  dois: doisInGerman,
  listed: listedInGerman,
  account: accountInGerman,
  compare: compareInGerman,
  publication: publicationInGerman,
  publications: publicationsInGerman,
  review: reviewInGerman,
  role: roleInGerman,
  unpacking: unpackingInGerman,
  upload: uploadInGerman,
});

describe("English and German", () => {
  test("have the same keys", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("have a text for each key", () => {
    const empty = [...english, ...german].flatMap(([key, text]) => (text.trim() === "" ? [key] : []));
    expect(empty).toEqual([]);
  });

  test.each([...english.keys()])("%s has the same placeholders", (key) => {
    expect(places(german.get(key) ?? "")).toEqual(places(english.get(key) ?? ""));
  });
});

const description = new URL("../../../clients/openapi.json", import.meta.url);
const { schemas } = JSON.parse(readFileSync(description, "utf8")).components;
const codes: string[] = schemas.ProblemCode.enum;

test("every problem of the service has a German text", () => {
  expect(Object.keys(problemsInGerman).sort()).toEqual([...codes].sort());
});

test("every finding of the checks before publication has a German text", () => {
  const findings = new Set<string>([
    ...schemas.PublicationCheck.properties.code.enum,
    ...schemas.FairPoint.properties.code.enum,
  ]);
  expect(Object.keys(checkWords.de ?? {}).sort()).toEqual([...findings].sort());
});

test("English texts exist only for problems of the service, and do not use terms of the API", () => {
  expect(Object.keys(problemsInEnglish).filter((code) => !codes.includes(code))).toEqual([]);
  for (const { title, action } of Object.values(problemsInEnglish)) {
    expect(`${title}. ${action}`).not.toMatch(
      /\b(members?|headers?|bod(y|ies)|requests?(?! ID| for access)|reports? contains|in the report|detail)\b/,
    );
  }
});

test.each([
  ["English", problemsInEnglish],
  ["German", problemsInGerman],
])("a problem has a title and sentences in %s", (_, problems) => {
  for (const { title, action } of Object.values(problems)) {
    expect(title).toMatch(/^\S.*[^.\s]$/);
    expect(action).toMatch(/^\S.*\.$/);
  }
});

test("texts about storing a dataset do not suggest that it becomes public", () => {
  const said = [english.get("submission.log.events.publishing"), german.get("submission.log.events.publishing")];
  for (const text of [...said, problemsInGerman.too_late.title]) {
    expect(text).not.toMatch(/publi[cs]|commit|veröffentlich/i);
  }
});

test("texts about the states and events of submissions suit uploads: only what is about credentials names a bucket", () => {
  const about = /^submission\.(now|progress|cancel|log|files)\./;
  const named = [english, german].flatMap((texts) =>
    [...texts].filter(([key, text]) => about.test(key) && /bucket/i.test(text)).map(([key]) => key),
  );
  expect(new Set(named)).toEqual(new Set(["submission.log.events.credentials_replaced"]));
});
