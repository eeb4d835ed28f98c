import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** Most bytes of compressed JavaScript that a visitor fetches before the first page can be used. */
export const BUDGET = 250_000;
const PAGE = /\/web\/src\/[a-z-]+\/[A-Z]\w*Page\.tsx$/;
const WORDS = /\/web\/src\/words\/[a-z]{2}\.ts$/;

/** Fails the build when the first load of any page, in any language, is over the budget. */
export function keepBudget(): Plugin {
  return {
    name: "accession:budget",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const lazily = (form: RegExp) => chunks.filter(({ facadeModuleId }) => form.test(facadeModuleId ?? ""));
      const entry = chunks.find(({ isEntry }) => isEntry);
      const [pages, words] = [lazily(PAGE), lazily(WORDS)];
      if (entry === undefined || pages.length === 0 || words.length === 0) {
        throw new Error("The budget cannot be checked: there is no entry, no page or no language any more");
      }
      const loads = pages.flatMap((page) => words.map((one) => ({ page, bytes: weigh([entry, page, one], chunks) })));
      const heaviest = loads.toSorted((one, other) => other.bytes - one.bytes)[0];
      if (heaviest === undefined) return;
      const said = `${(heaviest.bytes / 1000).toFixed(1)} of ${BUDGET / 1000} kB (gzip), for ${heaviest.page.name}`;
      if (heaviest.bytes > BUDGET) throw new Error(`The first load is too heavy: ${said}`);
      // Only developers look at it: not at “npm start” and “npm run demo”.
      if (process.env.VITEST === undefined && !process.argv.includes("--if-stale"))
        console.info(`First load of the page: ${said}`);
    },
  };
}

/** Compressed bytes of some chunks and of all that they import at once. */
function weigh(wanted: Rolldown.OutputChunk[], chunks: Rolldown.OutputChunk[]): number {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  for (const chunk of wanted) add(chunk);
  return [...found].reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}
