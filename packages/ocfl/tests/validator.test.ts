import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codes } from "../src/codes.ts";
import { type ObjectReport, validateObject } from "../src/validate-object.ts";
import { validateStorageRoot } from "../src/validate-storage-root.ts";
import { fixityFaults, manifestFaults } from "./support/content-faults.ts";
import { folderFaults } from "./support/folder-faults.ts";
import { memberFaults } from "./support/member-faults.ts";
import { OcflObject } from "./support/object.ts";
import { invalidRoots, validRoots, writeRoot } from "./support/root-cases.ts";
import { valid, warned } from "./support/valid-objects.ts";
import { versionFaults } from "./support/version-faults.ts";

const invalid = [...folderFaults, ...memberFaults, ...manifestFaults, ...fixityFaults, ...versionFaults];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-validator-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const codesOf = ({ findings }: ObjectReport) => [...new Set(findings.map(({ code }) => code as string))].sort();
const inWords = ({ findings }: ObjectReport) =>
  findings.map((one) => `${one.code} ${one.path}: ${one.detail}`).join("\n");

function expectCodes(checked: ObjectReport, wanted: readonly string[]): void {
  expect(codesOf(checked), inWords(checked)).toEqual([...wanted].sort());
  expect(checked.ok).toBe(!wanted.some((code) => code.startsWith("E")));
}

describe.each([
  ["is valid", valid],
  ["is valid, with a warning", warned],
  ["is refused", invalid],
])("an object %s:", (_, cases) => {
  test.concurrent.each(cases)("$name $codes", async ({ plan, change, codes: wanted }) => {
    const object = await OcflObject.write(await mkdtemp(join(folder, "object-")), plan);
    await change?.(object);
    expectCodes(await validateObject(object.folder), wanted);
  });
});

describe.each([
  ["is valid", validRoots],
  ["is refused", invalidRoots],
])("a storage root %s:", (_, cases) => {
  test.concurrent.each(cases)("$name $codes", async ({ root, change, codes: wanted }) => {
    const path = await mkdtemp(join(folder, "root-"));
    await writeRoot(path, root);
    await change?.(path);
    expectCodes(await validateStorageRoot(path), wanted);
  });
});

test("every reported code of the specification has an object or a storage root that causes it", () => {
  const cases = [...valid, ...warned, ...invalid, ...validRoots, ...invalidRoots];
  const shown = new Set(cases.flatMap((one) => one.codes));
  // hostile-archives.test.ts shows E000.
  const given = Object.keys(codes).filter((code) => code !== "E000");
  expect(given.filter((code) => !shown.has(code))).toEqual([]);
});

/**
 * The fixtures of the OCFL community: a clone of https://github.com/OCFL/fixtures that OCFL_FIXTURES names, and the
 * copy beside the checkout.
 */
const community = [
  ...["1.0", "1.1"].map((version) => join(process.env.OCFL_FIXTURES ?? "/nowhere", version)),
  join(import.meta.dirname, "../../../../shared/conformance/ocfl-1.1"),
].filter((path) => existsSync(join(path, "good-objects")));

describe("the fixtures of the OCFL community", () => {
  if (community.length === 0) {
    test.skip("are missing: git clone https://github.com/OCFL/fixtures, and name the clone in OCFL_FIXTURES", () => {});
  }
  const fixtures = community.flatMap((path) =>
    ["good-objects", "warn-objects", "bad-objects"].flatMap((kind) =>
      readdirSync(join(path, kind)).map((name) => ({ kind, name, path: join(path, kind, name) })),
    ),
  );
  test.concurrent.each(fixtures)("$path", async ({ kind, name, path }) => {
    const checked = await validateObject(path);
    const wanted = kind === "good-objects" ? [] : [...name.matchAll(/[EW]\d{3}/g)].map(([code]) => code);
    if (kind !== "bad-objects") return expectCodes(checked, wanted);
    expect(checked.ok).toBe(false);
    expect(codesOf(checked), inWords(checked)).toEqual([...wanted, ...besides(path, name)].sort());
  });
});

function besides(path: string, name: string): readonly string[] {
  const version = path.includes("/1.0/") ? "1.0" : "1.1";
  return BESIDES[name] ?? BESIDES[`${name} of ${version}`] ?? [];
}

/** Further faults of a fixture. */
const BESIDES: Record<string, readonly string[]> = {
  // Neither message nor user.
  E001_extra_dir_in_root: ["W007"],
  E001_extra_file_in_root: ["W007"],
  E007_bad_declaration_contents: ["W007"],
  E040_wrong_head_doesnt_exist: ["W007"],
  E040_wrong_head_format: ["W007"],
  E041_no_manifest: ["W007"],
  E067_file_in_extensions_dir: ["W007", "W013"],
  // The version is named “1”, also in the inventory.
  "E001_invalid_version_format of 1.0": ["E046"],
  "E001_invalid_version_format of 1.1": ["E104"],
  // One inventory has the content below v1, but the version is named v01.
  E011_E013_invalid_padded_head_version: ["E014", "W001"],
  // The inventory names the content by its actual path, which is not in a content folder.
  E015_content_not_in_content_dir: ["E042"],
  // The folder content/dir does not exist.
  E017_invalid_content_dir: ["E092"],
  // The address of the user is not a URI.
  E023_extra_file: ["W009"],
  E107_file_in_manifest_not_used: ["W009"],
  // The newest version's inventory has the correct head, so it is not a copy of the root inventory.
  E040_head_not_most_recent: ["E064"],
  E049_E050_E054_bad_version_block_values: ["E094"],
  // The inventory with the wrong digest also describes its version differently.
  "E060_version_inventory_digest_mismatch of 1.0": ["W011"],
  // sha256.
  E066_algorithm_change_state_mismatch: ["W004"],
  E092_algorithm_change_incorrect_digest: ["W004"],
  E096_manifest_duplicate_digests: ["E101"],
  // The manifest has v1/content/content/file-1.txt for v1/content/file-1.txt.
  E100_E099_fixity_invalid_content_paths: ["E023", "E092"],
};
