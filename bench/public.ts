/** `npm run bench:public`: measures searches in 100,000 published datasets on both databases; see README.md. */

import { onBothDatabases } from "./support/filled-service.ts";
import { writeResults } from "./support/machine.ts";
import { readArguments, readCount, run } from "./support/program.ts";
import { publishDatasets, searches } from "./support/published.ts";
import { atShare, median, table } from "./support/report.ts";

const DATASETS = 100_000;
/** Searches of each kind. */
const SEARCHES = 20;
/** The first searches of each kind after a start take longer, until code is compiled and tables are in memory. */
const WARMING = 2;
const PERCENTILE = 0.95;

await run(async () => {
  const { texts, flags } = readArguments(["datasets", "only"], ["smoke"]);
  const datasets = readCount("datasets", texts.datasets, flags.smoke ? 300 : DATASETS);
  const each = flags.smoke ? 1 : SEARCHES;
  const found = await onBothDatabases(texts.only, {
    settings: { ACCESSION_PUBLICATION: "direct" },
    fill: (db) => publishDatasets(db, datasets),
    measure: (url) => measure(url, each),
  });
  console.log(`${datasets} published datasets; each search with its facets\n`);
  console.log(
    table(
      Object.entries(found).flatMap(([database, { fillSeconds, milliseconds }]) =>
        [...Object.entries(milliseconds), ["all", Object.values(milliseconds).flat()] as const].map(
          ([search, times]) => ({
            database,
            "filled s": fillSeconds.toFixed(0),
            search,
            searches: String(times.length),
            "median ms": median(times).toFixed(1),
            "p95 ms": atShare(times, PERCENTILE).toFixed(1),
            "most ms": atShare(times, 1).toFixed(1),
          }),
        ),
      ),
    ),
  );
  console.log(`\n${writeResults("public", { datasets, ...found })}`);
});

/** Milliseconds of the searches, by their kind. */
async function measure(url: string, each: number): Promise<{ milliseconds: Record<string, number[]> }> {
  const milliseconds: Record<string, number[]> = {};
  const all = searches(WARMING + each);
  const kinds = all.length / (WARMING + each);
  for (const [n, { kind, query }] of all.entries()) {
    const since = performance.now();
    const answer = await fetch(`${url}/datasets?${query}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${query}: ${answer.status} ${text}`);
    if (n < kinds * WARMING) continue;
    milliseconds[kind] ??= [];
    milliseconds[kind].push(performance.now() - since);
  }
  return { milliseconds };
}
