import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { validateObject } from "../src/validate-object.ts";
import { type Mutation, mutationsOf } from "./support/mutations.ts";
import { digestOf, OcflObject, ONE, type Plan, THREE } from "./support/object.ts";
import { type Tree, validate } from "./support/second-validator.ts";

/*
 * Valid objects with every change of one file, folder or inventory member, checked by the package's validator and a
 * second one. `npm test` checks a sample, `npm run test:extended` a larger one, and OCFL_MUTATIONS=all checks all of
 * them.
 */

const SAMPLE = 200;
const LARGE_SAMPLE = 1_500;
const AT_ONCE = 4;
const isAll = process.env.OCFL_MUTATIONS === "all";

const plans: Record<string, Plan> = {
  "one version": ONE,
  "three versions": THREE,
  "three versions of OCFL 1.0": { ...THREE, specification: "1.0" },
  "sha256 that became sha512": { ...THREE, algorithms: ["sha256", "sha512"] },
  "another content folder, and padding": { ...THREE, contentDirectory: "stuff", padding: 3 },
  "a fixity block": {
    ...ONE,
    fixity: {
      md5: { [digestOf("alpha", "md5")]: ["v1/content/a.txt"] },
      sha1: { [digestOf("beta", "sha1")]: ["v1/content/b/c.txt"] },
    },
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-mutations-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function treeOf(plan: Plan): Promise<Tree> {
  const { folder: object } = await OcflObject.write(await mkdtemp(join(folder, "object-")), plan);
  const paths = await readdir(object, { recursive: true });
  const files = paths.filter((path) => statSync(join(object, path)).isFile());
  return new Map(files.sort().map((path) => [path, readFileSync(join(object, path))]));
}

async function codesOf(tree: Tree, folderNo: number): Promise<string[]> {
  const object = join(folder, `mutated-${folderNo}`);
  rmSync(object, { recursive: true, force: true });
  mkdirSync(object);
  for (const [path, content] of tree) {
    mkdirSync(path.endsWith("/") ? join(object, path) : dirname(join(object, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(object, path), content);
  }
  const { findings } = await validateObject(object);
  return [...new Set(findings.map(({ code }) => code as string))].sort();
}

const errors = (codes: Iterable<string>) => [...codes].filter((code) => code.startsWith("E"));

/** The difference between the results of the two validators; undefined if there is none. */
async function difference({ name, tree }: Mutation, folderNo: number): Promise<string | undefined> {
  const ours = await codesOf(tree, folderNo);
  const theirs = [...validate(tree)].sort();
  const isSame =
    errors(ours).length > 0 && errors(theirs).length > 0 ? true : JSON.stringify(ours) === JSON.stringify(theirs);
  return isSame
    ? undefined
    : `${name}: ${ours.join(" ") || "valid"}; the second validator: ${theirs.join(" ") || "valid"}`;
}

/** The differences between the two validators, for a sample that is spread over all changes. */
async function differences(plan: Plan, sample: number): Promise<string[]> {
  const tree = await treeOf(plan);
  expect(errors(validate(tree))).toEqual([]);
  const all = [...mutationsOf(tree)];
  const step = Math.max(1, Math.floor((all.length * Object.keys(plans).length) / sample));
  const chosen = all.filter((_mutation, index) => index % step === 0).values();
  const found: string[] = [];
  const judge = async (folderNo: number) => {
    for (const mutation of chosen) {
      const disagreement = await difference(mutation, folderNo);
      if (disagreement !== undefined) found.push(disagreement);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, folderNo) => judge(folderNo)));
  return found;
}

test.each(Object.entries(plans))("two validators agree on an object of %s after a change", async (_, plan) => {
  expect(await differences(plan, SAMPLE)).toEqual([]);
});

test.each(Object.entries(plans))(
  "two validators agree on an object of %s after any of many changes",
  { tags: "extended", timeout: 600_000 },
  async (_, plan) => {
    expect(await differences(plan, isAll ? Number.POSITIVE_INFINITY : LARGE_SAMPLE)).toEqual([]);
  },
);
