import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { HEAD, LAYOUT, objectFolder, folderTest as test, writeObject } from "../tests/support/write-object.ts";
import type { ObjectChecks } from "./additional-checks.ts";
import { createStorageRoot } from "./layouts/storage-root.ts";
import { validateObject } from "./validate-object.ts";
import { validateStorageRoot } from "./validate-storage-root.ts";

const A = "v1/content/data/a";
const checks: ObjectChecks<"WX01" | "EX01"> = {
  begin: (report) => report("WX01", "", "begins"),
  check: async ({ id, versions, hasContent }, report) => {
    if (hasContent(A)) report("EX01", A, `${id} ${versions.join()}`);
  },
  isExempt: (code, path) => code === "E092" && path === A,
};

test("a caller adds findings with additional codes, and omits others", async ({ folder }) => {
  const object = join(folder, "object");
  await writeObject(object, { "data/a": "a" }, join(folder, "scratch"));
  await writeFile(join(object, A), "b");
  expect(await validateObject(object, { checks })).toMatchObject({
    ok: false,
    findings: [
      { code: "WX01", path: "", detail: "begins" },
      { code: "EX01", path: A, detail: `${HEAD.id} v1` },
    ],
  });
});

test("checks that need an inventory do not run without one", async ({ folder }) => {
  const object = join(folder, "object");
  await writeObject(object, { "data/a": "a" }, join(folder, "scratch"));
  for (const path of ["inventory.json", "v1/inventory.json"]) await rm(join(object, path));
  const codes = (await validateObject(object, { checks })).findings.map(({ code }) => code);
  expect(codes).toContain("WX01");
  expect(codes).not.toContain("EX01");
});

test("in a storage root, paths of an object's findings are relative to the root", async ({ folder }) => {
  const root = join(folder, "root");
  const object = objectFolder(HEAD.id);
  await createStorageRoot(root, LAYOUT);
  await writeObject(join(root, object), { "data/a": "a" }, join(folder, "scratch"));
  const ofRoot = {
    checkRoot: async (_files: unknown, report: (code: "WX01", path: string, detail: string) => void) =>
      report("WX01", "", "the root"),
    checksOf: (path: string) => (path === object ? checks : undefined),
  };
  const { findings } = await validateStorageRoot<"WX01" | "EX01">(root, { checks: ofRoot });
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "WX01 ",
    `WX01 ${object}`,
    `EX01 ${object}/${A}`,
  ]);
});
