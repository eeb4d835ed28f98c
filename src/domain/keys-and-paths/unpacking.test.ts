import { describe, expect, test } from "vitest";
import { UnpackedNames } from "./unpacking.ts";

function look(...paths: string[]) {
  const names = new UnpackedNames();
  for (const path of paths) names.take(path);
  return names.result();
}

test.each<[string, string, string, string?]>([
  ["case", "data/A.csv", "data/a.csv"],
  ["case of a folder", "data/Raw/x.csv", "data/raw/X.csv"],
  ["composed and decomposed characters", "data/Jürgen.csv".normalize("NFC"), "data/Jürgen.csv".normalize("NFD")],
  ["a file and a folder", "data/Raw", "data/raw/x"],
  ["a folder and a file", "data/raw/x", "data/Raw", "data/raw"],
])("two names differ only in %s", (_, one, other, named = one) => {
  expect(look(one, "data/else/b", other)).toEqual({
    files: 1,
    examined: 3,
    named: [{ path: other, reason: "same_name", other: named, detail: expect.stringContaining("only one of the two") }],
  });
});

test.each([
  ["a dot at the end", "data/notes", "data/notes."],
  ["a space at the end of a folder", "data/raw/x", "data/raw /x"],
  ["a character that is replaced", "data/12_30.csv", "data/12:30.csv"],
])("only Windows does not distinguish two names with %s", (_, one, other) => {
  expect(look(one, other).named).toEqual([
    { path: other, reason: "same_name_on_windows", other: one, detail: expect.stringContaining("Windows does not") },
  ]);
});

test.each([
  ["data/12:30.csv", "forbidden_character"],
  ["data/why?/a", "forbidden_character"],
  ["data/a\\b", "forbidden_character"],
  ["data/line\nbreak", "forbidden_character"],
  ["data/aux", "reserved_name"],
  ["data/Con.txt", "reserved_name"],
  ["data/com1/a", "reserved_name"],
  ["data/nul .tar.gz", "reserved_name"],
  ["data/LPT²", "reserved_name"],
  ["data/notes.", "trailing_character"],
  ["data/folder /a", "trailing_character"],
  [`data/${"ä".repeat(128)}`, "name_too_long"],
  [`data/${"a".repeat(256)}`, "name_too_long"],
  [`data/${"folder/".repeat(36)}a.csv`, "path_too_long"],
])("%s is unpacked differently", (path, reason) => {
  expect(look(path).named).toEqual([{ path, reason, other: null, detail: expect.any(String) }]);
});

test.each([
  "data/auxiliary.csv",
  "data/console",
  "data/com10",
  "data/.hidden",
  "data/a b.csv",
  "data/Größe [m²] (2026), #1; 50%.csv",
  `data/${"a".repeat(254)}`,
])("%s is unpacked everywhere", (path) => {
  expect(look(path)).toEqual({ files: 0, named: [], examined: 1 });
});

describe("the limits", () => {
  test("folders that differ only in case are one folder, and their files stay", () => {
    expect(look("data/Raw/1", "data/raw/2", "data/RAW/3").files).toBe(0);
  });

  test("each file below a folder that has the name of a file is one", () => {
    expect(look("data/raw", "data/Raw/x", "data/Raw/y", "data/Raw/z").files).toBe(3);
  });

  test("runs of dots cost no more than other characters", () => {
    const timeOf = (character: string) => {
      const names = new UnpackedNames();
      const start = process.cpuUsage();
      for (let n = 0; n < 300; n++) names.take(`data/n${character.repeat(1_000)}${n}x`);
      return process.cpuUsage(start).user;
    };
    timeOf("a");
    expect(timeOf(".")).toBeLessThan(20 * timeOf("a") + 100_000);
  });

  test("all are counted, and the first are named", () => {
    const { files, named } = look(...Array.from({ length: 30 }, (_, n) => `data/${n}?`));
    expect([files, named.length, named.at(-1)?.path]).toEqual([30, 20, "data/19?"]);
  });

  test("further names are ignored when memory is full, and the number of those before is stated", () => {
    const names = new UnpackedNames();
    const long = "x".repeat(1_000);
    for (let n = 0; n < 20_000; n++) names.take(`${long}${n}?`);
    const { examined, files } = names.result();
    expect(names.isFull).toBe(true);
    expect([examined < 20_000, files === examined]).toEqual([true, true]);
  });
});
