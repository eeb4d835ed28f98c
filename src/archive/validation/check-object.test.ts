import { execFileSync } from "node:child_process";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha512, withFolder, writeObject } from "../../../packages/ocfl/tests/support/write-object.ts";
import { validateDataset } from "./check-object.ts";

async function codesOf(change: (object: string, folder: string) => Promise<unknown>): Promise<string[]> {
  return withFolder(async (folder) => {
    const object = join(folder, "object");
    await writeObject(object, { "data/a.txt": "alpha" }, join(folder, "scratch"));
    await change(object, folder);
    const { findings } = await validateDataset(object);
    return findings.map(({ code }) => code).sort();
  });
}

test("logs of other software are not checked", async () => {
  const change = async (object: string) => {
    await mkdir(join(object, "logs"));
    await writeFile(join(object, "logs", "anything"), "x");
  };
  expect(await codesOf(change)).toEqual([]);
});

test("a check does not wait for a named pipe in place of a log", async () => {
  const change = async (object: string) => {
    await mkdir(join(object, "logs/v1"), { recursive: true });
    await writeFile(join(object, "logs/v1/receipt.jws"), "x");
    execFileSync("mkfifo", [join(object, "logs/v1/manifest-sha512.txt")]);
  };
  expect(await codesOf(change)).toEqual(["E090", "EL04", "EL05"]);
});

test("a version with a name that refers outside the object has no logs", async () => {
  const change = async (object: string, folder: string) => {
    await writeFile(join(folder, "receipt.jws"), "x");
    const inventory = join(object, "inventory.json");
    const text = execFileSync("sed", ['s/"v1"/"..\\/.."/g', inventory], { encoding: "utf8" });
    await writeFile(inventory, text);
    await writeFile(`${inventory}.sha512`, `${sha512(text)} inventory.json\n`);
    await rm(join(object, "v1/inventory.json"));
    await copyFile(inventory, join(object, "v1/inventory.json"));
  };
  const codes = await codesOf(change);
  expect(codes).toContain("E104");
  expect(codes.filter((code) => code.startsWith("EL"))).toEqual([]);
});
