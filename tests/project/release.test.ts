import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFile(join(root, path), "utf8");

test("all packages have the version of the newest release in the changelog", async () => {
  const { version, workspaces } = JSON.parse(await read("package.json"));
  expect((await read("CHANGELOG.md")).match(/^## \[(\d+\.\d+\.\d+)\] – \d{4}-\d{2}-\d{2}$/m)?.[1]).toBe(version);
  const versions: unknown[] = [];
  for (const pattern of workspaces)
    for await (const path of glob(`${pattern}/package.json`, { cwd: root }))
      versions.push(JSON.parse(await read(path)).version);
  expect(versions.length).toBeGreaterThan(3);
  expect(new Set(versions)).toEqual(new Set([version]));
});
