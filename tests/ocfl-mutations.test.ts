import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkObject } from "../src/archive/ocfl/check.ts";
import { type Mutation, mutationsOf } from "./support/ocfl/mutations.ts";
import { digestOf, OcflObject, ONE, type Plan, THREE } from "./support/ocfl/object.ts";
import { type Tree, validate } from "./support/ocfl/second-validator.ts";

/*
 * Valid objects with every change of one file, folder or member of an inventory, as the service's validator and a second
 * one see them. `npm test` checks a sample; OCFL_MUTATIONS=all checks all of them, which takes minutes.
 */

const SAMPLE = 2_000;
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

async function codesOf(tree: Tree): Promise<string[]> {
  const object = join(folder, "mutated");
  rmSync(object, { recursive: true, force: true });
  mkdirSync(object);
  for (const [path, content] of tree) {
    mkdirSync(path.endsWith("/") ? join(object, path) : dirname(join(object, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(object, path), content);
  }
  const { findings } = await checkObject(object);
  return [...new Set(findings.map(({ code }) => code as string))].sort();
}

const errors = (codes: Iterable<string>) => [...codes].filter((code) => code.startsWith("E"));

/** What the two validators do not agree on; undefined when they do. */
async function difference({ name, tree }: Mutation): Promise<string | undefined> {
  const ours = await codesOf(tree);
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
    const differences: string[] = [];
    for (const [index, mutation] of all.entries()) {
      const found = index % step === 0 ? await difference(mutation) : undefined;
      if (found !== undefined) differences.push(found);
    }
    if (isAll) console.log(all.length, differences.length);
    expect(differences).toEqual([]);
  },
  isAll ? 600_000 : 30_000,
);
