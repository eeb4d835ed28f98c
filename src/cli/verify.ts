import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import type { Checked } from "../archive/ocfl/check.ts";
import { archiveFolder } from "./archive-folder.ts";
import { readSettings } from "./config.ts";
import { Failure, reasonOf, Unsuccessful } from "./failure.ts";
import { several, size } from "./numbers.ts";
import { Output } from "./output.ts";
import { show, styled } from "./text.ts";
import { addVerb, type Common } from "./verb.ts";

/** `verify`: an OCFL check of a storage root or of one object, re-reading every byte. */
export function addVerify(program: Command): void {
  addVerb(program, "verify", "check an OCFL storage root or object, re-reading every byte")
    .argument("[folder]", "storage root, object or archive; without it, the archive that the settings name")
    .addHelpText(
      "after",
      `
Each finding is a line: the OCFL validation code (E… an error, W… a warning; EL… and WL… are about the logs that this
archive keeps beside each version, WP… about one that is being published), the path, what is wrong. Errors end with exit code 1, warnings alone do not.

Examples:
  accession verify
  accession verify /srv/archive/ocfl`,
    )
    .action(async (folder: string | undefined, options: Common) => {
      const output = new Output(options);
      const { path, kind } = await find(folder ?? join(archiveFolder(readSettings(process.env)), "ocfl"));
      output.live(show`Reading every byte under ${path} …`);
      const checked = await check(path, kind);
      output.live(undefined);
      const { ok, findings, files, bytes, objects = 1 } = checked;
      for (const finding of findings) {
        const { code, path: at, detail } = finding;
        output.data(finding);
        output.say(show`${styled(code.startsWith("E") ? "red" : "yellow", code)} ${at || "."}: ${detail}`);
      }
      output.data({ ok, folder: path, objects, files, bytes });
      const read = `${several(objects, "object")}, ${several(files, "file")}, ${size(bytes)} read`;
      output.say(show`${ok ? styled("green", "✓ Valid") : styled("red", "✗ Not valid")}: ${path} (${read})`);
      if (!ok) throw new Unsuccessful();
    });
}

async function check(path: string, kind: "object" | "root"): Promise<Checked & { objects?: number }> {
  const { versionsUnderWay } = await import("../archive/folder-versions.ts");
  if (kind === "root") {
    const underWay = await versionsUnderWay(dirname(resolve(path)));
    return (await import("../archive/ocfl/check-root.ts")).checkRoot(path, { underWay });
  }
  // In an archive of this program's an object lies four folders below the storage root.
  const root = resolve(path, "../../../..");
  const underWay = (await versionsUnderWay(dirname(root))).find(({ folder }) => join(root, folder) === resolve(path));
  return (await import("../archive/ocfl/check.ts")).checkObject(path, { underWay });
}

/** Tells an object from a storage root, and finds the one in an archive's folder. */
async function find(folder: string): Promise<{ path: string; kind: "object" | "root" }> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new Failure(2, show`${folder} cannot be read: ${reasonOf(error)}`);
  });
  if (names.some((name) => name.startsWith("0=ocfl_object_"))) return { path: folder, kind: "object" };
  if (names.some((name) => name.startsWith("0=ocfl_"))) return { path: folder, kind: "root" };
  if (names.includes("ocfl")) return find(join(folder, "ocfl"));
  // One that lost its declaration is told by its inventory.
  return { path: folder, kind: names.includes("inventory.json") ? "object" : "root" };
}
