import { expect, test } from "vitest";
import { visible } from "./format.ts";

test("nothing in a name hides, or turns it around", () => {
  expect(visible("a\u202etxt.exe\n")).toBe("a␦txt.exe␊");
});
