import { expect, test } from "vitest";
import { publishing } from "./archive-events.ts";

test("the log does not claim that a dataset is public when it is archived", () => {
  expect(publishing().message).not.toMatch(/publi[cs]|commit/i);
});
