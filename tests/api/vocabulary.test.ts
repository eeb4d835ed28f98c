import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { importVocabularies } from "../support/vocabulary/import-vocabularies.ts";
import { crossrefFunders, ror, rorRecord, skosExpanded, subjectsCsv } from "../support/vocabulary/samples.ts";

let service: TestService;
let tokens: Tokens;
let submitter: string;

beforeAll(async () => {
  service = await startTestService(TOKENS);
  tokens = await Tokens.open(service);
  submitter = (await tokens.create("ada", "submitter")).token;
});
afterAll(() => service.stop());

async function search(kind: string, q: string, more = "") {
  return service.api.get(`/vocabulary/${kind}/search?q=${encodeURIComponent(q)}${more}`, bearer(submitter));
}

async function names(kind: string, q: string): Promise<string[]> {
  const { status, json } = await search(kind, q);
  expect(status).toBe(200);
  return json.map(({ name }: { name: string }) => name);
}

describe("without a vocabulary", () => {
  test("a search finds nothing, and the service announces no vocabularies", async () => {
    expect((await search("organisations", "barley")).json).toEqual([]);
    expect((await service.api.get("/service")).json.vocabularies).toEqual([]);
  });
});

describe("with vocabularies", () => {
  const ranking = [
    ["MIT Hotel", ["ror_display"]],
    ["Mitsubishi Institute", ["ror_display"]],
    ["Mit", ["ror_display"]],
    ["Massachusetts Technical School", ["ror_display"], "MIT"],
    ["School of Mittens", ["ror_display"]],
    ["Agency for Cold", ["ror_display"], "MITA"],
  ] as const;

  beforeAll(async () => {
    const ranked = ranking.map(([name, types, acronym], index) =>
      rorRecord(index, [[name, [...types]], ...(acronym ? [[acronym, ["acronym"]] as [string, string[]]] : [])]),
    );
    await importVocabularies(service, {
      "ror.json": JSON.stringify([...ror, ...ranked]),
      "funders.csv": crossrefFunders,
      "crops.jsonld": JSON.stringify(skosExpanded),
    });
    await importVocabularies(service, { "methods.csv": subjectsCsv }, "--language", "de");
  });

  test("the service announces the kinds, also to callers without a token", async () => {
    expect((await service.api.get("/service")).json.vocabularies).toEqual(["funders", "organisations", "subjects"]);
  });

  test("results have what a form needs", async () => {
    expect((await search("organisations", "gerstenfor")).json).toEqual([
      {
        id: "https://ror.org/01aaaaa85",
        name: "Institut für Gerstenforschung",
        detail: "Gerstenau, Germany",
        acronyms: ["IGF"],
        alternativeNames: ["Institute for Barley Research"],
        language: "de",
        scheme: "ROR",
        schemeUri: "https://ror.org",
        notation: null,
        vocabulary: "ror",
      },
    ]);
    expect((await search("funders", "barley")).json).toMatchObject([
      {
        id: "https://doi.org/10.13039/100000901",
        name: "Barley Foundation",
        detail: null,
        scheme: "Crossref Funder ID",
      },
    ]);
    expect((await search("subjects", "barley")).json).toMatchObject([
      {
        ...{ name: "barley", detail: "C.1, Crops", notation: "C.1", vocabulary: "crops" },
        ...{ scheme: "Crops", schemeUri: "https://vocab.example.org/crops" },
      },
      { name: "hulless barley", detail: "Crops" },
    ]);
    expect((await search("subjects", "m1")).json).toMatchObject([{ name: "Röntgenbild", scheme: "Methods" }]);
  });

  test("the best matches are first", async () => {
    expect(await names("organisations", "mit")).toEqual([
      "Mit",
      "Massachusetts Technical School",
      "MIT Hotel",
      "Mitsubishi Institute",
      "Agency for Cold",
      "School of Mittens",
    ]);
    expect((await search("organisations", "mit", "&limit=2")).json).toHaveLength(2);
  });

  test.each([
    ["case and diacritics", "LODZ inst", "Łódź Institute of Barley"],
    ["diacritics that the name does not have", "gerstenaü", "Gerstenau University"],
    ["words in another order", "barley inst lodz", "Łódź Institute of Barley"],
    ["a name in another language", "institute for barley", "Institut für Gerstenforschung"],
    ["signs between words", "institut-fur, gersten", "Institut für Gerstenforschung"],
    ["a script without spaces", "大麦研究", "国立大麦研究所"],
    ["a ROR id", "https://ror.org/02bbbbb60", "Gerstenau University"],
    ["the end of a ROR id", "02bbbbb60", "Gerstenau University"],
  ])("a search ignores or understands %s", async (_, q, name) => {
    expect((await names("organisations", q))[0]).toBe(name);
  });

  test.each([
    ["a part of a word", "erstenau"],
    ["signs alone", "–"],
    ["what a query language would read", "barley' | !x:*\\ %_"],
    ["an inactive organisation", "closed"],
    ["entries of other kinds", "hulless"],
  ])("a search does not find %s", async (_, q) => {
    expect(await names("organisations", q)).toEqual([]);
  });

  test.each([
    ["places", "/vocabulary/places/search?q=a"],
    ["no query", "/vocabulary/funders/search"],
    ["an empty query", "/vocabulary/funders/search?q="],
    ["a long query", `/vocabulary/funders/search?q=${"x".repeat(201)}`],
    ["too many results", "/vocabulary/funders/search?q=a&limit=51"],
    ["an unknown parameter", "/vocabulary/funders/search?q=a&kind=b"],
  ])("refuses %s", async (_, path) => {
    expect((await service.api.get(path, bearer(submitter))).status).toBe(422);
  });

  test("requires a token", async () => {
    expect((await service.api.get("/vocabulary/funders/search?q=a")).status).toBe(401);
  });
});
