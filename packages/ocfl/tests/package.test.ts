/** @module-tag extended */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OcflObject, ONE } from "./support/object.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
/** The dependencies of the package, which are installed in the checkout. */
const DEPENDENCIES = ["@noble/hashes", "stream-json", "stream-chain"];

let folder: string;
let project: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ocfl-package-"));
  project = join(folder, "project");
  await installIn(project);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packs a copy of the package, so that the checkout is not changed, and installs it in an empty project. */
async function installIn(target: string): Promise<void> {
  const copy = join(folder, "packages/ocfl");
  const isSource = (path: string) => !/\/(node_modules|dist)$/.test(path);
  await cp(join(import.meta.dirname, ".."), copy, { recursive: true, filter: isSource });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  const dependencies = DEPENDENCIES.map((name) => pack(join(root, "node_modules", name), "--ignore-scripts"));
  const tarballs = [await pack(copy), ...(await Promise.all(dependencies))];
  await cp(join(import.meta.dirname, "support/project.json"), join(target, "package.json"));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: target });
}

async function pack(source: string, ...options: string[]): Promise<string> {
  const args = ["pack", "--silent", "--pack-destination", folder, ...options];
  const { stdout } = await run("npm", args, { cwd: source });
  return join(folder, stdout.trim().split("\n").at(-1) ?? "");
}

/** The exit code and output of the installed command. */
async function ocfl(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return run("npx", ["--offline", "ocfl", ...args], { cwd: project }).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test("the package contains the compiled program and its documents", async () => {
  const files = await readdir(join(project, "node_modules/@accession/ocfl"));
  expect(files.sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
});

test("the command distinguishes a valid object, a damaged one and a folder without an object", {
  tags: "extended",
}, async () => {
  const object = await OcflObject.write(join(folder, "object"), ONE);
  const valid = await ocfl("validate", object.folder);
  expect(valid).toMatchObject({ code: 0, stderr: "" });
  expect(valid.stdout).toContain("is valid (1 object, 1 version, 2 files, 9 bytes, 0 errors, 0 warnings)");
  await writeFile(join(object.folder, "v1/content/a.txt"), "omega");
  const damaged = await ocfl("validate", object.folder);
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toMatch(/^E092 .*\n {2}v1\/content\/a\.txt: The sha512 is /);
  const json = await ocfl("validate", "--json", object.folder);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    type: "object",
    findings: [{ code: "E092", severity: "error", path: "v1/content/a.txt" }],
  });
  expect(await ocfl("validate", join(folder, "nothing"))).toMatchObject({ code: 2, stdout: "" });
  expect(await ocfl("validate", root)).toMatchObject({ code: 2, stdout: "" });
  expect(await ocfl("check")).toMatchObject({ code: 2, stdout: "" });
});

test("a program writes a storage root with an object, validates it and reads it", async () => {
  const program = await readFile(join(import.meta.dirname, "support/example.mjs"), "utf8");
  await writeFile(join(project, "example.mjs"), program);
  const { stdout } = await run(process.execPath, ["example.mjs", join(folder, "storage")], { cwd: project });
  expect(JSON.parse(stdout)).toEqual({
    report: { ok: true, findings: [], objects: 1, versions: 1, files: 1, bytes: 5 },
    head: "v1",
    files: [
      {
        path: "greeting.txt",
        digest: expect.stringMatching(/^9b71d224bd62f378/),
        contentPath: "v1/content/greeting.txt",
      },
    ],
    ownChecks: ["EX01"],
  });
});
