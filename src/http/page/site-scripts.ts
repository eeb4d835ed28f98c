import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpContext } from "../context.ts";

/** The files of a script for server-rendered pages. Their names contain digests, so they never change. */
export interface SiteScript {
  /** Absolute path of the module. */
  script: string;
  /** Absolute paths of its style sheets. */
  styles: string[];
}

/** The scripts and their sources in `web/`; see `web/vite.site.ts`. */
const SOURCES = {
  compare: "src/compare/compare.ts",
  copy: "src/copy/copy.ts",
  tools: "src/tools/tools.ts",
} as const;

/**
 * Returns the files of a script, which a server-rendered page links: `compare` compares a copy with a dataset, for
 * `<div data-compare data-files="/dataset/ID/files?version=1">`; `copy` copies texts; `tools` shows owners and curators their tools. Undefined if the page has not been built. The file is read
 * each time, because the page can be built again while the service runs.
 */
export async function siteScript(
  { pageFolder, basePath }: Pick<HttpContext, "pageFolder" | "basePath">,
  name: keyof typeof SOURCES,
): Promise<SiteScript | undefined> {
  if (pageFolder === undefined) return undefined;
  const text = await readFile(join(pageFolder, "site-scripts.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const found = (JSON.parse(text) as Record<string, { file: string; css?: string[] }>)[SOURCES[name]];
  const addressOf = (file: string) => `${basePath}/app/${file}`;
  return found && { script: addressOf(found.file), styles: (found.css ?? []).map(addressOf) };
}
