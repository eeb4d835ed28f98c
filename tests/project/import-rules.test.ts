import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-imports-"));
  await cp(join(root, ".dependency-cruiser.mjs"), join(folder, ".dependency-cruiser.mjs"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The broken rules of a project with these files, as `from → to: rule`. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const project = await mkdtemp(join(folder, "project-"));
  for (const name of [".dependency-cruiser.mjs", "node_modules"])
    await symlink(join(folder, name), join(project, name));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  const options = { cwd: project, maxBuffer: 1 << 26 };
  const output = await new Promise<string>((resolve) => {
    const depcruise = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
    execFile(process.execPath, [depcruise, "--output-type", "json", "."], options, (_, stdout) => resolve(stdout));
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`).sort();
}

test("forbidden imports break the rules, also type-only imports", async () => {
  const broken = await violations({
    "src/domain/submission/states.ts": 'import type { Row } from "../../db/rows.ts"; export type State = Row;',
    "src/db/rows.ts": "export interface Row { id: string }",
    "src/http/route.ts": 'import { read } from "../source/read.ts"; read();',
    "src/source/read.ts": 'import { help } from "../../tests/help.ts"; export const read = help;',
    "src/cli/verify.ts": 'import { walk } from "../../packages/ocfl/src/walk.ts"; walk();',
    "packages/ocfl/src/walk.ts": 'import "../../../src/db/rows.ts"; export const walk = () => undefined;',
    "src/steps/list/list.ts": 'import { verify } from "../verify/verify.ts"; verify();',
    "src/steps/verify/verify.ts": "export const verify = () => undefined;",
    "tests/help.ts": "export const help = () => undefined;",
  });
  expect(broken).toEqual([
    "packages/ocfl/src/walk.ts → src/db/rows.ts: not-in-allowed",
    "src/cli/verify.ts → packages/ocfl/src/walk.ts: not-in-allowed",
    "src/domain/submission/states.ts → src/db/rows.ts: not-in-allowed",
    "src/http/route.ts → src/source/read.ts: not-in-allowed",
    "src/source/read.ts → tests/help.ts: no-tests",
    "src/source/read.ts → tests/help.ts: not-in-allowed",
    "src/steps/list/list.ts → src/steps/verify/verify.ts: siblings",
  ]);
});

test("a cycle breaks the rules, also a cycle of type-only imports", async () => {
  const broken = await violations({
    "src/domain/a.ts": 'import type { B } from "./b.ts"; export interface A { b: B }',
    "src/domain/b.ts": 'import type { A } from "./a.ts"; export interface B { a: A }',
  });
  expect(broken).toEqual(["src/domain/a.ts → src/domain/b.ts: no-cycles"]);
});

test("allowed imports break no rule", async () => {
  const broken = await violations({
    "src/db/rows.ts":
      'import type { State } from "../domain/submission/states.ts"; export interface Row { state: State }',
    "src/domain/submission/states.ts": "export type State = string;",
  });
  expect(broken).toEqual([]);
});
