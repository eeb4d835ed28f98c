/** @module-tag extended */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lacks, skipNote } from "../support/tools.ts";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

const tools = ["nginx", "rclone", "PostgreSQL", "Chromium"] as const;

/** Checks that the benchmarks run. The results are not meaningful here. */
describe.skipIf(lacks(...tools))(`the benchmarks ${skipNote(...tools)}`, () => {
  let work: string;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "accession-bench-test-"));
    await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: root });
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  test.each([
    ["bench small huge", /accession \/ rclone\+sha512sum/],
    ["bench:scale", /verifying/],
    ["bench:delay", /delay ms/],
    ["bench:machines", /efficiency/],
    ["bench:queue", /accepted a second/],
    ["bench:profile", /transfer /],
    ["bench:revision", /OCFL findings/],
    ["bench:vocabulary", /PostgreSQL .*typed/],
    ["bench:desk", /PostgreSQL .*search: id/],
    ["bench:compare", /page in Chromium/],
    ["bench:upload", /tus reference/],
    ["bench:page", /scrolled to the last file/],
  ])("%s runs at reduced size, and prints a result", async (command, says) => {
    const [script = "", ...cases] = command.split(" ");
    // Runs the script of npm without building again each time.
    const module =
      / && exec node (\S+)$/.exec(scripts[script] ?? "")?.[1] ?? expect.fail(`npm run ${script} has no module`);
    const { stdout } = await promisify(execFile)(process.execPath, [module, ...cases, "--smoke", "--work", work], {
      cwd: root,
    });
    expect(stdout).toMatch(says);
    const file = stdout.trim().split("\n").at(-1) ?? "";
    expect(file).toMatch(/\.json$/);
    await rm(file);
  });
});
