import { expect, test } from "vitest";
import { rows } from "../../../tests/support/listed.ts";
import { fold, searchQueryOf, searchTextOf } from "./search.ts";

test.each(rows`
  Ärger ÉTÉ → arger ete | ΟΔΟΣ → οδοσ | İstanbul → istanbul | ﬁeld → field | Straße STRASSE → strasse strasse
  GROẞ → gross | Æther Œuvre → aether oeuvre | Ørsted Łódź Đorđe → orsted lodz dorde
  Þingvellir Ísafjörður → thingvellir isafjordur | Işık → isik
`)("%s is compared as %s", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test("an ORCID iD is one word, and its groups are words only in the text", () => {
  const authors = [{ role: "Creator", orcid: "0000-0002-1694-233X" }];
  expect(searchTextOf({ title: "", authors, subjects: [] }).words).toEqual([
    "000000021694233x",
    "0000",
    "0002",
    "1694",
    "233x",
  ]);
  expect(searchQueryOf("0000-0002-16").words).toEqual(["0000000216"]);
});

test("texts without spaces are found by any part", () => {
  const words = searchTextOf({ title: "植物根系" }).words;
  for (const part of ["植物", "物根系", "系"]) {
    for (const word of searchQueryOf(part).words) expect(words.some((known) => known.startsWith(word))).toBe(true);
  }
});

test("words of the largest metadata stay within the limits of PostgreSQL", () => {
  const authors = Array.from({ length: 10_000 }, (_, n) => ({ role: "Creator", lastName: `${n}${"x".repeat(990)}` }));
  const words = searchTextOf({ title: "t", authors, subjects: [] }).words;
  expect(Buffer.byteLength(words.join(""))).toBeLessThan(2 ** 20);
  expect(words.every((word) => word.length <= 100)).toBe(true);
});
