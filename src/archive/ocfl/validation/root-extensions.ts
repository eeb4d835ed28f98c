import { dirname, join } from "node:path";
import { LAYOUT_FILES } from "../layout.ts";
import { walk } from "../walk.ts";
import type { Findings } from "./findings.ts";
import type { Layout } from "./layout-check.ts";
import type { PlainFiles } from "./plain-files.ts";
import { isRegistered } from "./registered-extensions.ts";

const FOLDER = "extensions";
const OWN = LAYOUT_FILES[1][0];

/** The `extensions` folder of a storage root: folders with registered names, and no link (OCFL 1.1, section 4.4). */
export async function checkRootExtensions(root: PlainFiles, { isOurs }: Layout, findings: Findings): Promise<void> {
  if (!(await root.hasFolder(FOLDER))) return;
  const refused = (path: string, reason: string) => {
    findings.add("E000", join(FOLDER, path), `The folder cannot be read (${reason})`);
  };
  for await (const { path, kind } of walk(join(root.folder, FOLDER), refused)) {
    const at = join(FOLDER, path);
    const isAtTop = !path.includes("/");
    if (kind === "link" || kind === "other") findings.add("E090", at, "Links and special files are not allowed");
    else if (kind === "empty") findings.add("E073", at, "The folder is empty");
    else if (kind === "folder" && isAtTop && !isRegistered(path)) {
      findings.add("W016", at, "The extension is not registered");
    } else if (kind !== "folder" && isAtTop) {
      findings.add("E112", at, "The extensions folder may hold folders only");
    } else if (kind === "file" && isOurs && dirname(at) === dirname(OWN) && at !== OWN) {
      findings.add("W000", at, "The file is not of the extension");
    }
  }
}
