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
 * Valid objects with every change of one file, folder or member of an inventory, as the service's validator and a second
 * one see them. `npm test` checks a sample; OCFL_MUTATIONS=all checks all of them, which takes minutes.
 */

const SAMPLE = 700;
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

async function codesOf(tree: Tree, lane: number): Promise<string[]> {
  const object = join(folder, `mutated-${lane}`);
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

/** What the two validators do not agree on; undefined when they do. */
async function difference({ name, tree }: Mutation, lane: number): Promise<string | undefined> {
  const ours = await codesOf(tree, lane);
  const theirs = [...validate(tree)].sort();
  const isSame =
    errors(ours).length > 0 && errors(theirs).length > 0 ? true : JSON.stringify(ours) === JSON.stringify(theirs);
  return isSame
    ? undefined
    : `${name}: ${ours.join(" ") || "valid"}; the second validator: ${theirs.join(" ") || "valid"}`;
}

test.each(Object.entries(plans))(
  "an object of %s is judged alike by two validators after every change",
  async (_, plan) => {
    const tree = await treeOf(plan);
    expect(errors(validate(tree))).toEqual([]);
    const all = [...mutationsOf(tree)];
    const step = isAll ? 1 : Math.max(1, Math.floor((all.length * Object.keys(plans).length) / SAMPLE));
    const chosen = all.filter((_mutation, index) => index % step === 0).values();
    const differences: string[] = [];
    const judge = async (lane: number) => {
      for (const mutation of chosen) {
        const found = await difference(mutation, lane);
        if (found !== undefined) differences.push(found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_lane, lane) => judge(lane)));
    expect(differences).toEqual([]);
  },
  isAll ? 600_000 : 30_000,
);
