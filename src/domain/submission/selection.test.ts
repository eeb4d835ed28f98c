import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob } from "./glob.ts";
import { checkSelection, compileSelection } from "./selection.ts";

function matches(pattern: string, key: string): boolean | undefined {
  return compileGlob(pattern)?.(key);
}

describe("globs", () => {
  test.each([
    ["*.csv", "a.csv", true],
    ["*.csv", ".csv", true],
    ["*.csv", "a/b.csv", false],
    ["*.csv", "a.csvx", false],
    ["**.csv", "a/b.csv", true],
    ["**/x", "a/b/x", true],
    ["**/x", "x", false],
    ["a/**", "a/", true],
    ["a/**", "a", false],
    ["*", ".hidden", true],
    ["*", "", true],
    ["", "a", false],
    ["?", "😀", true],
    ["?", "/", false],
    ["?", "", false],
    ["a?c", "a/c", false],
    ["***", "a/b", true],
    ["{a,b}", "a", false],
    ["{a,b}", "{a,b}", true],
    ["[ab]", "a", false],
    ["[ab]", "[ab]", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["\\\\", "\\", true],
    ["\\😀", "😀", true],
    ["a*b*c", "a-b-b-c", true],
    ["*/*", "a/b", true],
    ["*/*", "a/b/c", false],
    ["**/a*/**", "x/y/az/q", true],
    ["A", "a", false],
    ["a\nb*", "a\nb\n", true],
  ])("%j on %j is %j", (pattern, key, expected) => {
    expect(matches(pattern, key)).toBe(expected);
  });

  test("agree with an equivalent regular expression on everything", () => {
    const alphabet = fc.constantFrom("a", "b", "/", "*", "**", "?", ".", "\\*", "😀", "(");
    const pattern = fc.array(alphabet, { maxLength: 8 });
    const key = fc.array(fc.constantFrom("a", "b", "/", "*", ".", "😀", "("), { maxLength: 10 });
    const parts: Record<string, string> = { "?": "[^/]", ".": "\\.", "(": "\\(" };
    const expression = (glob: string) =>
      glob.replace(/\\\*|\*{2,}|[*?.(]/g, (part) =>
        part.startsWith("**") ? "[^]*" : part === "*" ? "[^/]*" : (parts[part] ?? part),
      );
    fc.assert(
      fc.property(pattern, key, (patternParts, keyParts) => {
        const [glob, text] = [patternParts.join(""), keyParts.join("")];
        expect(matches(glob, text)).toBe(new RegExp(`^${expression(glob)}$`, "u").test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test("agree with it for patterns of any length, across the words of the bit set", () => {
    for (let length = 0; length < 140; length += 1) {
      const run = "a".repeat(length);
      for (const pattern of [`${run}*b`, `${run}**b`, `${run}?b`, `*${run}b`, `${run}*`, `${run}*?*b`]) {
        const matcher = compileGlob(pattern);
        const expression = new RegExp(
          `^${pattern.replace(/\*+|\?/g, (it) => ({ "*": "[^/]*", "?": "[^/]" })[it] ?? "[^]*")}$`,
        );
        for (const key of [run, `${run}b`, `${run}ab`, `${run}/b`, `${run}x/yb`, `${run}xb`, `x${run}b`, `${run}c`]) {
          expect(matcher?.(key), `${pattern} on ${key}`).toBe(expression.test(key));
        }
      }
    }
  });

  test("take linear time where backtracking would take exponential time", () => {
    for (const star of ["*a", "**a", "?*a", "**/*a"])
      expect(matches(`${star.repeat(200)}b`, "a/".repeat(512))).toBe(false);
  });
});

describe("checkSelection", () => {
  test("absent, empty and blank members select everything", () => {
    for (const sent of [undefined, null, {}, { prefix: "", include: [], exclude: [""] }]) {
      const { selection, errors } = checkSelection(sent);
      expect(errors).toEqual([]);
      expect(selection).toEqual({});
    }
  });

  test("reports all errors", () => {
    const sent = {
      prefix: "ä".repeat(513),
      include: ["fine", "bad\\", 3, "x".repeat(1_025)],
      exclude: Array(101).fill("x"),
      glob: "*",
      refetch: "yes",
    };
    const { selection, errors } = checkSelection(sent, "/s");
    expect(selection).toBeUndefined();
    expect(errors.map(({ pointer, code }) => `${code} ${pointer}`).sort()).toEqual([
      "pattern_invalid /s/include/1",
      "pattern_invalid /s/include/3",
      "prefix_invalid /s/prefix",
      "too_long /s/exclude",
      "unknown_member /s/glob",
      "wrong_type /s/include/2",
      "wrong_type /s/refetch",
    ]);
  });

  test("accepts prefixes and patterns of exactly 1,024 bytes and 100 patterns", () => {
    const pattern = "ä".repeat(512);
    expect(checkSelection({ prefix: pattern, include: Array(100).fill(pattern) }).errors).toEqual([]);
  });

  test.each(["text", 3, []])("%j is refused", (sent) => {
    expect(checkSelection(sent).errors).toEqual([
      expect.objectContaining({ pointer: "/selection", code: "wrong_type" }),
    ]);
  });

  test("NUL is refused", () => {
    expect(checkSelection({ prefix: "\0" }).errors.map((error) => error.code)).toEqual(["wrong_value"]);
  });
});

test("a key is selected by the prefix, one include pattern and no exclude pattern", () => {
  const wanted = compileSelection({ prefix: "a/", include: ["**.csv", "a/*.txt"], exclude: ["**/tmp/**"] });
  const keys = ["a/x.csv", "a/b/x.csv", "a/x.txt", "a/b/x.txt", "b/x.csv", "a/tmp/x.csv", "a/x.bin"];
  expect(keys.filter(wanted)).toEqual(["a/x.csv", "a/b/x.csv", "a/x.txt"]);
  expect(keys.filter(compileSelection({}))).toEqual(keys);
  expect(keys.filter(compileSelection({ prefix: "a/*" }))).toEqual([]);
  expect(() => compileSelection({ include: ["\\"] })).toThrow(expect.objectContaining({ code: "pattern_invalid" }));
});
