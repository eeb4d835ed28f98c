import { expect, test } from "vitest";
import { entriesOf, escapedFolder, folderOf, formatOf, matching, nameOf } from "./browse.ts";

const file = (path: string, contentType: string | null = null) => ({
  ...{ path, bytes: 10, sha512: "", contentType, lastModified: null, verifiedBy: null, verifiedWith: null },
});
const files = ["data/a/1.csv", "data/a/b/2", "data/ab", "data/a.txt", "meta.json"].map((path) => file(path));
const shown = (folder: string) =>
  entriesOf(files, folder).map((one) =>
    one.kind === "folder" ? `${one.path}/ ${one.files} ${one.bytes}` : one.file.path,
  );

test("a folder contains its subfolders, with everything below them, and its files, but no names with the same beginning", () => {
  expect(shown("")).toEqual(["data/ 4 40", "meta.json"]);
  expect(shown("data")).toEqual(["data/a/ 2 20", "data/ab", "data/a.txt"]);
  expect(shown("data/a")).toEqual(["data/a/b/ 1 10", "data/a/1.csv"]);
});

test("words are found anywhere in a path, in upper or lower case", () => {
  expect(matching(files, "A.TX").map((one) => one.kind === "file" && one.file.path)).toEqual(["data/a.txt"]);
});

test.each([
  [["data/a", "data/%keys/a/%2F/b%", "data/%keys/dir/%"], "data/%keys"],
  [["data/%keys/x", "data/%keys%/b/%"], "data/%keys%"],
  [["data/%keys/x"], undefined],
  [["data/a%", "metadata/%keys/a%"], undefined],
])("the folder of keys that are not valid file paths, in %j", (paths, folder) => {
  expect(escapedFolder(paths.map((path) => file(path)))).toBe(folder);
});

test("names, folders and formats", () => {
  expect([nameOf("data/a/1.csv"), folderOf("data/a/1.csv"), folderOf("meta.json")]).toEqual(["1.csv", "data/a", ""]);
  const formats = [
    file("x.tar.gz"),
    file(".env"),
    file("y", "text/plain; charset=utf-8"),
    file("z", "binary/octet-stream"),
  ];
  expect(formats.map(formatOf)).toEqual(["GZ", "", "text/plain", ""]);
});
