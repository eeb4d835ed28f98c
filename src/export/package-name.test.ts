import fc from "fast-check";
import { expect, test } from "vitest";
import { packageName } from "./package-name.ts";

const id = "7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11";
const of = (title: string, version = 1) => packageName({ id, title, version }, "bag.zip");

test.each([
  ["Barley roots under drought", "Barley-roots-under-drought-v1.bag.zip", "Barley-roots-under-drought-v1.bag.zip"],
  ["Größe & Gewicht, 2025", "Größe-Gewicht-2025-v1.bag.zip", "Grosse-Gewicht-2025-v1.bag.zip"],
  ["面试 数据", "面试-数据-v1.bag.zip", `${id}-v1.bag.zip`],
  ["../../etc/passwd", "etc-passwd-v1.bag.zip", "etc-passwd-v1.bag.zip"],
  ["C:\\x\0y\r\nz\"';", "C-x-y-z-v1.bag.zip", "C-x-y-z-v1.bag.zip"],
  ["invoice\u202efdp.exe", "invoice-fdp-exe-v1.bag.zip", "invoice-fdp-exe-v1.bag.zip"],
  ["\u200b \ud800 …", `${id}-v1.bag.zip`, `${id}-v1.bag.zip`],
  ["CON", "CON-v1.bag.zip", "CON-v1.bag.zip"],
])("%j", (title, name, ascii) => {
  expect(of(title)).toEqual({ name, ascii });
});

test("versions have different names", () => {
  expect(of("t", 2).name).not.toBe(of("t", 3).name);
});

test("a name has a limited length and contains no path, for any title", () => {
  const title = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom("ä".repeat(500), "e\u0301".repeat(300)),
  );
  fc.assert(
    fc.property(title, (text) => {
      const { name, ascii } = of(text);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
      expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*-v1\.bag\.zip$/u);
      expect(name.isWellFormed()).toBe(true);
      expect(ascii).toMatch(/^[A-Za-z0-9-]+-v1\.bag\.zip$/);
    }),
    { numRuns: 500 },
  );
});
