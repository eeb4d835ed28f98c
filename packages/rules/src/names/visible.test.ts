import { expect, test } from "vitest";
import { visible } from "./visible.ts";

test("control characters in a name are displayed visibly and do not change its direction", () => {
  expect(visible("a\u202etxt.exe\n")).toBe("a␦txt.exe␊");
});
