import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { folderOfTest } from "../../../packages/ocfl/tests/support/write-object.ts";
import { objectFolder } from "../layout.ts";
import { FolderReader } from "../reader.ts";
import { surveyArchive } from "../survey.ts";
import { holdsDatasets } from "./holds-datasets.ts";

const isRoot = process.getuid?.() === 0;
let archive: string;
beforeEach(async () => {
  archive = await folderOfTest();
  await mkdir(join(archive, "ocfl"));
});

test("a file that disappears while names are listed does not end the listing", async () => {
  // A dangling link is listed in its folder, but stat reports that it does not exist.
  await symlink("nowhere", join(archive, "ocfl/ocfl_layout.json.tmp"));
  expect(await holdsDatasets(new FolderReader(archive))).toBe(false);
  const folder = `ocfl/${objectFolder("urn:uuid:x")}`;
  await mkdir(join(archive, folder), { recursive: true });
  await symlink("nowhere", join(archive, folder, "inventory.json"));
  expect(await holdsDatasets(new FolderReader(archive))).toBe(true);
  expect((await surveyArchive(new FolderReader(archive))).objects).toHaveLength(1);
});

/** A folder that cannot be listed: the superuser can list all of them. */
class Refusing extends FolderReader {
  protected override async openFolder(folder: string) {
    if (/lost\+found|\/[0-9a-f]{3}$/.test(folder)) throw Object.assign(new Error("no"), { code: "EACCES" });
    return super.openFolder(folder);
  }
}

describe("a folder that cannot be listed", () => {
  test("is skipped where it is foreign, and named as such", async () => {
    await mkdir(join(archive, "ocfl/lost+found"));
    const reader = new Refusing(archive);
    expect(await holdsDatasets(reader)).toBe(false);
    expect(await surveyArchive(reader)).toMatchObject({ otherFiles: [], unreadable: ["ocfl/lost+found"], objects: [] });
  });

  test.skipIf(isRoot)("is skipped for a real file system, too", async () => {
    await mkdir(join(archive, "ocfl/lost+found"));
    await chmod(join(archive, "ocfl/lost+found"), 0);
    expect(await holdsDatasets(new FolderReader(archive))).toBe(false);
  });

  test("ends the listing where it may hold datasets", async () => {
    await mkdir(join(archive, "ocfl/abc"));
    await writeFile(join(archive, "ocfl/ocfl_layout.json"), "");
    await expect(surveyArchive(new Refusing(archive))).rejects.toMatchObject({ code: "EACCES" });
  });
});
