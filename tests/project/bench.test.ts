/** @module-tag extended */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

const install = "apt-get install -y --no-install-recommends nginx rclone";
const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
const present = await Promise.all(["nginx", "rclone"].map((name) => isIn(folders, name)));
const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const missing = `nginx or rclone is missing: ${install}`;
if (!present.every(Boolean) && process.env.CI === "true") throw new Error(missing);

vi.setConfig({ testTimeout: 240_000 });

async function isIn(places: string[], name: string): Promise<boolean> {
  const listings = await Promise.all(places.map((place) => readdir(place).catch((): string[] => [])));
  return listings.some((names) => names.includes(name));
}

/** That the benchmarks run; what they measure here means nothing. */
describe.skipIf(!present.every(Boolean))(`the benchmarks (if skipped: ${missing})`, () => {
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
    ["bench:page", /scrolled to the last file/],
  ])("%s runs, shrunk, and leaves a result", async (command, says) => {
    const [script = "", ...cases] = command.split(" ");
    // What npm runs, without building it again each time.
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
