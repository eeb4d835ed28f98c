import { describe, expect, test } from "vitest";
import { HEAD_BYTES, headerRow, isTable } from "./header-row.ts";

const header = (path: string, text: string | Uint8Array) => headerRow(path, Buffer.from(text as string));

describe("the header row of a table", () => {
  test.each([
    ["a.csv", "plot,height\n1,2\n", ["plot", "height"]],
    ["A.CSV", '\uFEFF plot , "height, cm"\r\n1,2', undefined],
    ["a.csv", '\uFEFFplot,"height, cm"\r\n1,2', ["plot", "height, cm"]],
    ["a.tsv", "Größe\tName\n", ["Größe", "Name"]],
    ["b.tab", "a\tb", ["a", "b"]],
    ["a.csv", "plot, height\n", ["plot", " height"]],
    ["a.csv", '"two\nlines",b\n', undefined],
  ])("%s: %j", (path, text, titles) => {
    expect(header(path, text)).toEqual(titles);
  });

  test.each([
    ["numbers", "1,2\n3,4\n"],
    ["a date", "2026-01-31,b\n"],
    ["a German number", '"1,5",b\n'],
    ["another separator", "a;b\n1;2\n"],
    ["one column", "a\n1\n"],
    ["an empty title", "a,,c\n"],
    ["equal titles", "a,b,a\n"],
    ["an open quotation mark", 'a,"b\n1,2\n'],
    ["a quotation mark within a title", 'a,b"c\n1,2\n'],
    ["nothing", ""],
    ["another encoding", Buffer.from("Gr\xf6\xdfe,b\n", "latin1")],
    ["another encoding in 16 bits", Buffer.from("a,b\n", "utf16le")],
    ["a long title", `a,${"x".repeat(301)}\n`],
    ["too many columns", `${Array.from({ length: 501 }, (_, n) => `c${n}`).join(",")}\n`],
    ["no end within the bytes that are read", `a,${"b,".repeat(HEAD_BYTES)}`],
  ])("is not told from %s", (_, text) => {
    expect(header("a.csv", text)).toBeUndefined();
  });

  test("is that of files whose names end like those of tables", () => {
    expect(["a.csv", "x/B.TSV", "c.tab", "a.csv.gz", "csv", "a.txt", "a.constructor"].map(isTable)).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ]);
  });
});
