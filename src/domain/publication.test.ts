import { expect, test } from "vitest";
import { publishing } from "./publication.ts";

test("the log does not say that a dataset is public when it is put into the archive", () => {
  expect(publishing().message).not.toMatch(/publi[cs]|commit/i);
});
