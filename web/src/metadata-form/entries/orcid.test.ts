import { expect, test } from "vitest";
import { judgeOrcid } from "./orcid.ts";

test.each([
  ["", "empty"],
  ["0000-0002", "unfinished"],
  ["https://orcid.org/0000-00", "unfinished"],
  ["0000-0002-1825-0097", "right"],
  ["0000-0002-1694-233x", "right"],
  ["0000000218250097", "right"],
  [" https://orcid.org/0000-0002-1825-0097 ", "right"],
  ["0000-0002-1825-0098", "wrong"],
  ["0000-0002-1825-00971", "wrong"],
  ["Josiah", "wrong"],
])("“%s” is %s", (text, state) => {
  expect(judgeOrcid(text)).toBe(state);
});
