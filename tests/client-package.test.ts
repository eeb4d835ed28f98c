import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
/** What it needs besides, all of which the checkout has. */
const NEEDED = ["eventsource-parser", "openapi-fetch", "openapi-typescript-helpers"];

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "accession-project-"));
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Packs a package of the checkout into the project. */
async function pack(...what: string[]): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", project, ...what], { cwd: root });
  return `./${stdout.trim().split("\n").at(-1)}`;
}

test("the client as it is packed is installed in a project of its own, and imported there by plain Node", async () => {
  const client = await pack("--workspace", "clients/typescript");
  const needed = await Promise.all(NEEDED.map((name) => pack("--ignore-scripts", `./node_modules/${name}`)));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...needed, client], { cwd: project });
  const program = "import * as client from '@accession/client'; console.log(Object.keys(client).sort().join(' '))";
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: project });
  expect(stdout.trim()).toBe("ProblemError checkBucket createClient follow listen orThrow waitFor");
  const files = await readdir(join(project, "node_modules/@accession/client"));
  expect(files.toSorted()).toEqual(["LICENSE", "README.md", "dist", "package.json", "src"]);
}, 60_000);
