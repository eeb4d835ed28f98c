import { dirname, join } from "node:path";
import { LAYOUT_FILES } from "../layout.ts";
import { walk } from "../walk.ts";
import type { Findings } from "./findings.ts";
import type { PlainFiles } from "./plain-files.ts";
import { BadParameter, type Parameters, type Placing, placingOf } from "./storage-layouts.ts";

/** Newest extension that was registered when this was written. */
const NEWEST = 12;

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

/** What a storage root says about where its objects lie. */
export interface Layout {
  /** Undefined where the root says nothing, or what is not known here. */
  placing: Placing | undefined;
  /** The root is one that this archive made, which knows every file in it. */
  isOurs: boolean;
}

const FILE = "ocfl_layout.json";
/** A description and a few parameters. */
const BYTES = 1 << 20;

/**
 * Reads `ocfl_layout.json` and the parameters of the extension that it names (OCFL 1.1, section 4.1). Of a root that this
 * archive made, every byte of both is known.
 */
export async function checkLayout(files: PlainFiles, findings: Findings): Promise<Layout> {
  const own = await Promise.all(
    LAYOUT_FILES.map(async ([path, wanted]) => ({ path, isAsWritten: (await files.text(path, BYTES)) === wanted })),
  );
  // One of the two is enough to tell that the other was ours too.
  const isOurs = own.some(({ isAsWritten }) => isAsWritten);
  for (const { path, isAsWritten } of own) {
    if (isOurs && !isAsWritten) findings.add("W000", path, "The file is missing, or not as this archive writes it");
  }
  return { isOurs, placing: await readPlacing(files, findings) };
}

async function readPlacing(files: PlainFiles, findings: Findings): Promise<Placing | undefined> {
  if (!(await files.has(FILE))) return undefined;
  const { extension, description } = objectOf(await files.text(FILE, BYTES)) ?? {};
  if (typeof extension !== "string" || typeof description !== "string") {
    findings.add("E070", FILE, "It is not a JSON object with the texts “extension” and “description”");
    return undefined;
  }
  if (!isRegistered(extension)) {
    findings.add("E071", FILE, `The extension ${JSON.stringify(extension)} is not registered`);
    return undefined;
  }
  const config = `extensions/${extension}/config.json`;
  const parameters: Parameters | undefined = (await files.has(config)) ? objectOf(await files.text(config, BYTES)) : {};
  try {
    if (parameters === undefined) throw new BadParameter("JSON");
    return placingOf(extension, parameters);
  } catch (error) {
    if (!(error instanceof BadParameter)) throw error;
    const detail = `Places of objects are not compared with ids: ${error.message} is not what the extension allows`;
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
 * Whether an extension is registered with OCFL (https://ocfl.github.io/extensions/). Numbers that were given since then
 * cannot be known here, and count as registered.
 */
export function isRegistered(name: string): boolean {
  return REGISTERED.has(name) || Number(NUMBERED.exec(name)?.[1] ?? 0) > NEWEST;
}

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
