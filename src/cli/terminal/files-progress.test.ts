import { afterEach, expect, test, vi } from "vitest";
import { FilesProgress } from "./files-progress.ts";
import { Output } from "./output.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("what was done before counts while it is checked; the rate is that of everything else", () => {
  const output = new Output({ json: false });
  const lines: string[] = [];
  vi.spyOn(output, "live").mockImplementation((line) => void lines.push(line?.text ?? ""));
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const progress = new FilesProgress(output, "Uploading", { files: 8, bytes: 4096 }, { files: 7, bytes: 1024 });
  const at = (milliseconds: number, bytes: number, checked = 0) => {
    now.mockReturnValue(milliseconds);
    progress.addBytes(bytes, checked);
    return lines.at(-1);
  };
  expect(at(1_000, 7, 7)).toBe("Uploading: 7 files of 8  1.0 KiB of 4.0 KiB  checked 7 B of 1.0 KiB");
  expect(at(4_000, 1024)).toBe("Uploading: 7 files of 8  2.0 KiB of 4.0 KiB  checked 7 B of 1.0 KiB");
  expect(at(6_000, 1017, 1017)).toBe("Uploading: 7 files of 8  2.0 KiB of 4.0 KiB  205 B/s  10 s left");
  expect(at(11_000, 0)).toBe("Uploading: 7 files of 8  2.0 KiB of 4.0 KiB  102 B/s  20 s left");
});
