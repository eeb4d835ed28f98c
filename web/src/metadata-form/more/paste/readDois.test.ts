import { expect, test } from "vitest";
import { readDois } from "./readDois.ts";

test.each([
  ["10.1234/abcd\n10.1234/efgh", ["10.1234/abcd", "10.1234/efgh"]],
  [
    "https://doi.org/10.1234/abcd, doi:10.1234/efgh; DOI 10.1234/ijkl.",
    ["10.1234/abcd", "10.1234/efgh", "10.1234/ijkl"],
  ],
  ["Carberry J (2026): Roots (https://doi.org/10.1234/roots).", ["10.1234/roots"]],
  ["10.1016/S0140-6736(05)67728-8", ["10.1016/S0140-6736(05)67728-8"]],
  ["see 10.1002/(SICI)1096-8644(199605)100:1<1::AID>3", ["10.1002/(SICI)1096-8644(199605)100:1<1::AID>3"]],
  [
    "10.1002/(SICI)1096-8644(199605)100:1<1::AID-AJPA1>3.0.CO;2-2.",
    ["10.1002/(SICI)1096-8644(199605)100:1<1::AID-AJPA1>3.0.CO;2-2"],
  ],
  ["<https://doi.org/10.1234/abcd>, <10.1234/efgh>", ["10.1234/abcd", "10.1234/efgh"]],
  ["<p>10.1234/abcd</p>", ["10.1234/abcd"]],
  ["10.1234/ABCD and again 10.1234/abcd", ["10.1234/abcd"]],
  ["“10.1234/abcd”", ["10.1234/abcd"]],
])("DOIs are found in %j", (text, dois) => {
  expect(readDois(text)).toEqual({ dois, left: [] });
});

test("lines without a DOI are reported, and empty lines are not", () => {
  expect(readDois("A book without DOI, 1998\n\n10.1234/abcd")).toEqual({
    dois: ["10.1234/abcd"],
    left: ["A book without DOI, 1998"],
  });
});
