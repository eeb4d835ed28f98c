import { expect, test } from "vitest";
import { LOOKED_AT, MediaTypes } from "./media-types.ts";

function found(types: Iterable<string | undefined>): string[] {
  const media = new MediaTypes();
  for (const type of types) media.add(type);
  return media.list();
}

test("media types are listed once, without parameters, in order", () => {
  expect(found(["text/csv; charset=utf-8", "Text/CSV", "image/png", undefined, " application/json "])).toEqual([
    "application/json",
    "image/png",
    "text/csv",
  ]);
});

test("default types and invalid media types are omitted", () => {
  expect(
    found(["application/octet-stream", "binary/octet-stream", "", "csv", "a/b/c", "a b/c", `a/${"x".repeat(101)}`]),
  ).toEqual([]);
});

test("there are at most 50, of the first 10,000 files", () => {
  expect(found(Array.from({ length: 80 }, (_, n) => `x/${n}`))).toHaveLength(50);
  expect(found([...Array<undefined>(LOOKED_AT - 1), "text/a", "text/b"])).toEqual(["text/a"]);
});
