import { LAYOUT_FILES } from "../layout.ts";
import type { Findings } from "./findings.ts";
import type { PlainFiles } from "./plain-files.ts";
import { isRegistered } from "./registered-extensions.ts";
import { BadParameter, type Parameters, type Placing, placingOf } from "./storage-layouts.ts";

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
