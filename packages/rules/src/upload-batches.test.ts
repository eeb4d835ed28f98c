import { expect, test } from "vitest";
import { BATCH_FILE_BYTES, fitsBatch } from "./upload-batches.ts";

test.each([
  ["plots/ümlaut “1”.csv", BATCH_FILE_BYTES, true],
  ["plots/\u{1f33e}.csv", 0, true],
  ["large", BATCH_FILE_BYTES + 1, false],
  ["x".repeat(1_025), 1, false],
  ["ä".repeat(512), 1, true],
  ["ä".repeat(513), 1, false],
  ["a\nb", 1, false],
  ["a\ufffdb", 1, false],
  ["a\ud83cb", 1, false],
])("whether a file fits into a batch depends on its name and size: %j, %d bytes", (path, bytes, fits) => {
  expect(fitsBatch({ path, bytes })).toBe(fits);
});
