import { expect, test } from "vitest";
import { isPathInside, isTagFileOfBag, layoutOf, pathInCopy } from "../src/copy.ts";

const files = ["ro-crate-metadata.json", "data/a.csv", "data/data/b.csv", "data/run/c.csv"];
const detected = (...present: string[]) => layoutOf(files, (path) => present.includes(path));

test("the layout of a copy is the one in which more files exist", async () => {
  expect(await detected("ro-crate-metadata.json", "data/a.csv", "data/run/c.csv")).toBe("package");
  expect(await detected("a.csv", "run/c.csv", "data/b.csv")).toBe("content");
  expect(await detected("data/run/c.csv")).toBe("package");
  // A bucket with a folder “data”, of which the copy has only this folder.
  expect(await detected("data/b.csv")).toBe("content");
});

test("a copy without any object of the bucket is a package if it has a file beside data/", async () => {
  expect(await detected("ro-crate-metadata.json")).toBe("package");
  expect(await detected()).toBe("content");
});

test("a copy of the content does not contain the files that Accession created", () => {
  expect(pathInCopy("data/run/c.csv", "content")).toBe("run/c.csv");
  expect(pathInCopy("ro-crate-metadata.json", "content")).toBeUndefined();
  expect(pathInCopy("ro-crate-metadata.json", "package")).toBe("ro-crate-metadata.json");
});

test("only the tag files at the top of a bag belong to the bag", () => {
  expect(["bagit.txt", "bag-info.txt", "manifest-sha512.txt", "tagmanifest-sha256.txt"].every(isTagFileOfBag)).toBe(
    true,
  );
  expect(["data/bagit.txt", "manifest-sha512.txt.bak", "ro-crate-metadata.json"].some(isTagFileOfBag)).toBe(false);
});

test("a path that leads outside of the folder is recognised", () => {
  expect(["a", "a/b..c/d", "...", "a\\..\\b"].every((path) => isPathInside(path))).toBe(true);
  expect(["", "/a", "a//b", "a/", ".", "../a", "a/../b", "a\0b"].some((path) => isPathInside(path))).toBe(false);
  expect(isPathInside("a\\..\\b", "/\\")).toBe(false);
});
