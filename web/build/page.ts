/**
 * Builds the page into dist/web: `node web/build/page.ts`. With `--if-stale` only when it is missing or made of other
 * sources than there are now.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const built = join(root, "dist/web");
/** Beside what is served, what it was made of. */
const STAMP = "sources.sha256";
const SOURCES = [
  "web/**/*.{ts,tsx,css,json,svg,html}",
  "packages/{client,rules}/src/**/*.{ts,json}",
  "package-lock.json",
];

/** Builds the page unless it is there and made of these very sources. */
export async function buildIfStale(): Promise<void> {
  const stamp = await readFile(join(built, STAMP), "utf8").catch(() => undefined);
  if (stamp !== digestOfSources()) await buildPage();
}

/** Builds it beside where it belongs and then puts it there, so that a service that runs always finds a whole one. */
async function buildPage(): Promise<void> {
  const digest = digestOfSources();
  // Loaded here: it takes longer than to find out that there is nothing to do.
  const { build } = await import("vite");
  const made = `${built}.${process.pid}`;
  // Vite keeps what it finds here: tests say “test”, and would be given, and leave behind, a page for development.
  const environment = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    for (const config of ["vite.config.ts", "vite.site.ts"]) {
      const configFile = join(root, "web", config);
      await build({ configFile, build: { outDir: made }, logLevel: process.env.VITEST ? "error" : "warn" });
    }
    await writeFile(join(made, STAMP), digest);
    await rename(built, `${made}.before`).catch(() => undefined);
    await rename(made, built);
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    for (const left of [made, `${made}.before`]) await rm(left, { recursive: true, force: true });
  }
}

function digestOfSources(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: root, exclude: (name) => name === "node_modules" });
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

if (import.meta.main) await (process.argv.includes("--if-stale") ? buildIfStale() : buildPage());
