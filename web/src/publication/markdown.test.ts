import { expect, test } from "vitest";
import { blocksOf } from "./markdown.ts";

test("headings, lists and paragraphs of a text are divided, and other Markdown stays as it is written", () => {
  const text = "# Agreement\n\nI *confirm*\nthat:\n\n1. First\n   continued\n2. Second\n- <b>other</b>\nEnd";
  expect(blocksOf(text)).toEqual([
    { kind: "heading", text: "Agreement", line: 0 },
    { kind: "paragraph", text: "I *confirm* that:", line: 2 },
    {
      kind: "numbered",
      start: 1,
      items: [
        { text: "First continued", line: 5 },
        { text: "Second", line: 7 },
      ],
      line: 5,
    },
    { kind: "bullets", items: [{ text: "<b>other</b> End", line: 8 }], line: 8 },
  ]);
});
