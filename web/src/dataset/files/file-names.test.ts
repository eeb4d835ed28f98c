import { expect, test } from "vitest";
import { formatOf, nameOf } from "./file-names.ts";

const file = (path: string, contentType: string | null = null) => ({
  ...{ path, bytes: 10, sha512: "", contentType, lastModified: null, verifiedBy: null, verifiedWith: null },
});

test("names and formats", () => {
  expect([nameOf("data/a/1.csv"), nameOf("meta.json")]).toEqual(["1.csv", "meta.json"]);
  const formats = [
    file("x.tar.gz"),
    file(".env"),
    file("y", "text/plain; charset=utf-8"),
    file("z", "binary/octet-stream"),
  ];
  expect(formats.map(formatOf)).toEqual(["GZ", "", "text/plain", ""]);
});
