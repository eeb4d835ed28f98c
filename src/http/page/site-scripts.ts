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

/** The scripts of server-rendered pages; those that have not been built are missing. */
export type SiteScripts = Partial<Record<keyof typeof SOURCES, SiteScript>>;

/**
 * Returns the files of the scripts that server-rendered pages link: `compare` compares a copy with a dataset, for
 * `<div data-compare data-files="/dataset/ID/files?version=1">`; `copy` copies texts; `tools` shows owners and curators their
 * tools. The list is read each time, because the page can be built again while the service runs.
 */
export async function siteScripts({
  pageFolder,
  basePath,
}: Pick<HttpContext, "pageFolder" | "basePath">): Promise<SiteScripts> {
  if (pageFolder === undefined) return {};
  const text = await readFile(join(pageFolder, "site-scripts.json"), "utf8").catch(() => "{}");
  const built = JSON.parse(text) as Record<string, { file: string; css?: string[] }>;
  const addressOf = (file: string) => `${basePath}/app/${file}`;
  const scripts: SiteScripts = {};
  for (const name of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
    const found = built[SOURCES[name]];
    if (found !== undefined)
      scripts[name] = { script: addressOf(found.file), styles: (found.css ?? []).map(addressOf) };
  }
  return scripts;
}
