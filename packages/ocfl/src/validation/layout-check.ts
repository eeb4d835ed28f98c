import { join } from "node:path";
import type { Findings } from "../findings.ts";
import type { RegularFiles } from "../io/regular-files.ts";
import { walk } from "../io/walk.ts";
import {
  InvalidLayoutParameter,
  type LayoutParameters,
  type ObjectFolderOf,
  objectFolderOf,
} from "../layouts/storage-layouts.ts";

/** The newest number in {@link REGISTERED}. */
const NEWEST_NUMBER = 12;

const NUMBERED = /^(\d{4})-[a-z0-9-]+$/;

const REGISTERED: ReadonlySet<string> = new Set([
  "0000-example-extension",
  "0001-digest-algorithms",
  "0002-flat-direct-storage-layout",
  "0003-hash-and-id-n-tuple-storage-layout",
  "0004-hashed-n-tuple-storage-layout",
  "0005-mutable-head",
  "0006-flat-omit-prefix-storage-layout",
  "0007-n-tuple-omit-prefix-storage-layout",
  "0008-schema-registry",
  "0009-digest-algorithms",
  "0010-differential-n-tuple-omit-prefix-storage-layout",
  "0011-direct-clean-path-layout",
  "0012-hash-and-no-prefix-id-n-tuple-storage-layout",
  "initial",
]);

const FILE = "ocfl_layout.json";
/** Limit for reading, far more than a description and a few parameters need. */
const MAX_BYTES = 1 << 20;

/**
 * Checks `ocfl_layout.json` and the parameters of the extension that it names (OCFL 1.1, section 4.1).
 *
 * @returns the function that maps ids to folders; undefined if the root names no layout, or an unsupported one
 */
export async function checkLayout(files: RegularFiles, findings: Findings): Promise<ObjectFolderOf | undefined> {
  if (!(await files.has(FILE))) return undefined;
  const { extension, description } = objectOf(await files.text(FILE, MAX_BYTES)) ?? {};
  if (typeof extension !== "string" || typeof description !== "string") {
    findings.add("E070", FILE, "The file is not a JSON object with the texts “extension” and “description”");
    return undefined;
  }
  if (!isRegistered(extension)) {
    findings.add("E071", FILE, `The extension ${JSON.stringify(extension)} is not registered`);
    return undefined;
  }
  const config = `extensions/${extension}/config.json`;
  const parameters: LayoutParameters | undefined = (await files.has(config))
    ? objectOf(await files.text(config, MAX_BYTES))
    : {};
  try {
    if (parameters === undefined) throw new InvalidLayoutParameter("JSON");
    return objectFolderOf(extension, parameters);
  } catch (error) {
    if (!(error instanceof InvalidLayoutParameter)) throw error;
    const detail = `The folders of objects are not compared with their ids: the extension does not allow this value of ${error.message}`;
    findings.add("W000", config, detail);
    return undefined;
  }
}

function objectOf(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an extension is registered with OCFL (https://ocfl.github.io/extensions/). Extensions with later numbers than
 * this package knows count as registered.
 */
export function isRegistered(name: string): boolean {
  return REGISTERED.has(name) || Number(NUMBERED.exec(name)?.[1] ?? 0) > NEWEST_NUMBER;
}

const FOLDER = "extensions";

/**
 * Checks the `extensions` folder of a storage root: folders with registered names, and no link (OCFL 1.1, section 4.4).
 */
export async function checkRootExtensions(root: RegularFiles, findings: Findings): Promise<void> {
  if (!(await root.hasFolder(FOLDER))) return;
  const onUnreadable = (path: string, reason: string) => {
    findings.add("E000", join(FOLDER, path), `The folder cannot be read (${reason})`);
  };
  for await (const { path, kind } of walk(join(root.folder, FOLDER), onUnreadable)) {
    const at = join(FOLDER, path);
    const isAtTop = !path.includes("/");
    if (kind === "link" || kind === "other") findings.add("E090", at, "Links and special files are not allowed");
    else if (kind === "empty") findings.add("E073", at, "The folder is empty");
    else if (kind === "folder" && isAtTop && !isRegistered(path)) {
      findings.add("W016", at, "The extension is not registered");
    } else if (kind !== "folder" && isAtTop) {
      findings.add("E112", at, "The extensions folder may contain only folders");
    }
  }
}
