import { expect, test } from "vitest";
import { ChangeCounts } from "./preview-changes.ts";

test("removed objects are reported only after the whole bucket is listed", () => {
  const counts = new ChangeCounts({ version: 3, sameSource: true, objects: 3, bytes: 30 });
  counts.take(
    [
      { key: "a", bytes: 10 },
      { key: "b", bytes: 12 },
      { key: "c", bytes: 1 },
    ],
    new Map([
      ["a", { bytes: 10, isUnchanged: true }],
      ["b", { bytes: 11, isUnchanged: false }],
    ]),
  );
  expect(counts.result(false)).toMatchObject({ since: 3, removed: null, toRead: { objects: 2, bytes: 13 } });
  expect(counts.result(true).removed).toEqual({ objects: 1, bytes: 9 });
});
