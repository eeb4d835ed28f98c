import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { cut, pad, show, styled, wrap } from "./text.ts";

describe("show", () => {
  it("makes control characters of values visible, also in nested values", () => {
    const evil = "a\u001b[2J\u0007\u009b31m\n\u202eb\ud800";
    const shown = show`<${show`${evil}`}>`;
    expect(shown.text).toBe("<a\\x1b[2J\\x07\\x9b31m\\n\\u202eb\\ud800>");
  });

  it("does not change other scripts and emoji", () => {
    expect(show`${"Übersicht 日本語 👩‍🌾.txt"}`.text).toBe("Übersicht 日本語 👩‍🌾.txt");
  });

  it("keeps its own styles", () => {
    expect(show`${styled("red", "x\u001b[0m")}`.text).toBe("\u001b[31mx\\x1b[0m\u001b[39m");
  });
});

describe("widths", () => {
  it("counts columns, not characters", () => {
    expect(show`${"日本"}`.width).toBe(4);
    expect(show`${"👩‍🌾"}`.width).toBe(2);
    expect(show`${styled("red", "abc")}`.width).toBe(3);
    expect(pad("日本", 6).text).toBe("日本  ");
    expect(pad(7, 3, "right").text).toBe("  7");
  });

  it("cuts to columns", () => {
    expect(cut("abcdef", 6).text).toBe("abcdef");
    expect(cut("abcdefg", 6).text).toBe("abcde…");
    expect(cut("日本語", 5).text).toBe("日本…");
  });

  it("wraps at spaces with a hanging indent", () => {
    const wrapped = wrap(show`  ${styled("yellow", "one two")} three four`, 12, 4);
    expect(stripVTControlCharacters(wrapped.text)).toBe("  one two\n    three\n    four");
  });
});
