import { expect, test } from "vitest";
import { sentTypeOf } from "./dataset-file.ts";

test.each([
  ["text/javascript", "text/plain"],
  ["Application/X-JavaScript; charset=utf-8", "text/plain; charset=utf-8"],
  ["text/javascript1.5", "text/plain"],
  ["text/jscript", "text/plain"],
  ["text/livescript", "text/plain"],
  ["application/ecmascript", "text/plain"],
  ["text/css;charset=utf-8", "text/plain;charset=utf-8"],
  ["text/csv", "text/csv"],
  ["application/json", "application/json"],
  ["application/postscript", "application/postscript"],
  ["image/svg+xml", "image/svg+xml"],
])("a file of the type %s is sent as %s", (contentType, sent) => {
  expect(sentTypeOf({ contentType })).toBe(sent);
});
