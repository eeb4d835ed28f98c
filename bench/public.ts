/** `npm run bench:public`: measures searches in 100,000 published datasets on both databases; see README.md. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../src/db/database.ts";
import {
  INSTALL_POSTGRES,
  postgresAdmin,
  postgresPrograms,
  startPostgres,
} from "../tests/support/database/postgres.ts";
import { startProgram } from "../tests/support/program/program.ts";
import { writeResults } from "./support/machine.ts";
import { RequirementError, readArguments, readCount, run } from "./support/program.ts";
import { publishDatasets, searches } from "./support/published.ts";
import { atShare, median, table } from "./support/report.ts";

const module = join(import.meta.dirname, "../dist/src/cli/accession.js");
const DATASETS = 100_000;
/** Searches of each kind. */
const SEARCHES = 20;
const PERCENTILE = 0.95;

await run(async () => {
  const { texts, flags } = readArguments(["datasets", "only"], ["smoke"]);
  const datasets = readCount("datasets", texts.datasets, flags.smoke ? 300 : DATASETS);
  const each = flags.smoke ? 1 : SEARCHES;
  if (postgresPrograms() === undefined) throw new RequirementError(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const found: Record<string, Figures> = {};
  if (texts.only !== "postgres") found.embedded = await measureEmbedded(datasets, each);
  if (texts.only !== "embedded") found.PostgreSQL = await measurePostgres(datasets, each);
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

interface Figures {
  fillSeconds: number;
  milliseconds: Record<string, number[]>;
}

async function measureEmbedded(datasets: number, each: number): Promise<Figures> {
  const data = await mkdtemp(join(tmpdir(), "accession-public-"));
  try {
    return await measure(data, { where: { folder: join(data, "database") }, settings: {}, datasets, each });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function measurePostgres(datasets: number, each: number): Promise<Figures> {
  const postgres = await startPostgres({ durable: true });
  const data = await mkdtemp(join(tmpdir(), "accession-public-"));
  try {
    const url = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    return await measure(data, {
      where: { url, connections: 5 },
      settings: { ACCESSION_DATABASE_URL: url },
      datasets,
      each,
    });
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measure(
  data: string,
  {
    where,
    settings,
    datasets,
    each,
  }: { where: Parameters<typeof openDatabase>[0]; settings: Record<string, string>; datasets: number; each: number },
): Promise<Figures> {
  const began = performance.now();
  const database = await openDatabase(where);
  try {
    await publishDatasets(database.queries, datasets);
  } finally {
    await database.close();
  }
  const fillSeconds = (performance.now() - began) / 1000;
  const environment = {
    ...settings,
    ACCESSION_RATE_LIMIT: "0",
    ACCESSION_LOG_LEVEL: "info",
    ACCESSION_PUBLICATION: "direct",
  };
  const { url, end } = await startProgram(data, environment, { module });
  try {
    const milliseconds: Record<string, number[]> = {};
    for (const { kind, query } of searches(each)) {
      const since = performance.now();
      const answer = await fetch(`${url}/datasets?${query}`);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${query}: ${answer.status} ${text}`);
      milliseconds[kind] ??= [];
      milliseconds[kind].push(performance.now() - since);
    }
    return { fillSeconds, milliseconds };
  } finally {
    await end("SIGTERM");
  }
}
