/** `npm run bench:vocabulary`: measures the import of 110,000 organisations and searches in them; see README.md. */

import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSecretKey } from "../src/archive/receipts/key-file.ts";
import { loadSigningKey } from "../src/archive/receipts/signing.ts";
import {
  INSTALL_POSTGRES,
  postgresAdmin,
  postgresPrograms,
  startPostgres,
} from "../tests/support/database/postgres.ts";
import { programEnv, startProgram } from "../tests/support/program/program.ts";
import { MIB } from "./support/cases.ts";
import { start } from "./support/children.ts";
import { writeResults } from "./support/machine.ts";
import { organisationName, writeOrganisations } from "./support/organisations.ts";
import { RequirementError, readArguments, readCount, run, workFolder } from "./support/program.ts";
import { atShare, median, table } from "./support/report.ts";

const module = join(import.meta.dirname, "../dist/src/cli/accession.js");
const ORGANISATIONS = 110_000;
const MEMORY_POLL_MS = 50;
/** Maximum memory of an import: 300 MB. */
const MOST_PEAK_MIB = { embedded: 286, PostgreSQL: 286 };
/** Organisations whose names are typed letter by letter. */
const TYPED_NAMES = 20;
/** Queries with many matches, and with none. */
const OTHER_QUERIES = [
  "u",
  "un",
  "univ",
  "of",
  "institute",
  "plant genetics",
  "of sciences university",
  "s r",
  "zzzz",
  "p g u",
];

interface Figures {
  importSeconds: number;
  peakMib: number;
  milliseconds: Record<string, number[]>;
}

await run(async () => {
  const { texts, flags } = readArguments(["organisations", "work"], ["smoke"]);
  const organisations = readCount("organisations", texts.organisations, flags.smoke ? 200 : ORGANISATIONS);
  const names = flags.smoke ? 1 : TYPED_NAMES;
  if (postgresPrograms() === undefined) throw new RequirementError(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const file = join(workFolder(texts.work), `organisations-${organisations}.json`);
  await writeOrganisations(file, organisations);
  const postgres = await startPostgres({ durable: true });
  try {
    const url = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    const embedded = await measure(file, names, organisations, {});
    const server = await measure(file, names, organisations, { ACCESSION_DATABASE_URL: url });
    const found = { embedded, PostgreSQL: server };
    console.log(`${organisations} organisations, ${Math.round(statSync(file).size / MIB)} MiB of JSON\n`);
    console.log(
      table(
        Object.entries(found).flatMap(([database, { importSeconds, peakMib, milliseconds }]) =>
          Object.entries(milliseconds).map(([queries, times]) => ({
            database,
            "import s": importSeconds.toFixed(1),
            "peak MiB": peakMib.toFixed(0),
            search: queries,
            queries: String(times.length),
            "median ms": median(times).toFixed(1),
            "p95 ms": atShare(times, 0.95).toFixed(1),
            "most ms": atShare(times, 1).toFixed(1),
          })),
        ),
      ),
    );
    for (const [database, most] of Object.entries(MOST_PEAK_MIB)) {
      const { peakMib } = found[database as keyof typeof found];
      if (peakMib > most)
        throw new Error(`${database}: the import used ${peakMib.toFixed(0)} MiB, more than ${most} MiB`);
    }
    console.log(`\n${writeResults("vocabulary", { organisations, ...found })}`);
  } finally {
    await postgres.stop();
    await rm(file, { force: true });
  }
});

async function measure(
  file: string,
  names: number,
  organisations: number,
  settings: Record<string, string>,
): Promise<Figures> {
  const data = await mkdtemp(join(tmpdir(), "accession-vocabulary-"));
  try {
    const keys = {
      ACCESSION_SECRET_KEY_FILE: join(data, "secret.key"),
      ACCESSION_SIGNING_KEY_FILE: join(data, "signing.key"),
    };
    await loadSecretKey(keys.ACCESSION_SECRET_KEY_FILE, { make: true });
    await loadSigningKey(keys.ACCESSION_SIGNING_KEY_FILE, { make: true });
    const environment = { ...settings, ...keys, ACCESSION_RATE_LIMIT: "0" };
    await importFile(["migrate"], data, environment);
    const { seconds, peakMib } = await importFile(["vocabulary", "import", file], data, environment);
    const { url, end } = await startProgram(data, { ...environment, ACCESSION_LOG_LEVEL: "info" }, { module });
    try {
      const milliseconds: Record<string, number[]> = { typed: [] };
      const search = async (q: string) => {
        const began = performance.now();
        // Not through the client of the tests, which compares every answer with the API description.
        const answer = await fetch(`${url}/vocabulary/organisations/search?q=${encodeURIComponent(q)}`);
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${q}: ${answer.status} ${text}`);
        return performance.now() - began;
      };
      await search("warm up");
      for (let typed = 0; typed < names; typed++) {
        const name = organisationName(Math.floor((typed * organisations) / names) + typed);
        for (let length = 1; length <= name.length; length++) {
          const q = name.slice(0, length);
          if (q.trim() === q) milliseconds.typed?.push(await search(q));
        }
      }
      for (const q of OTHER_QUERIES) milliseconds[`“${q}”`] = [await search(q), await search(q), await search(q)];
      return { importSeconds: seconds, peakMib, milliseconds };
    } finally {
      await end("SIGTERM");
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Runs a command, and measures its elapsed time and its peak resident memory. */
async function importFile(
  args: readonly string[],
  data: string,
  settings: Record<string, string>,
): Promise<{ seconds: number; peakMib: number }> {
  const began = performance.now();
  const child = start(process.execPath, ["--max-semi-space-size=2", module, ...args], {
    env: { ...programEnv(), ACCESSION_DATA: data, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peakMib = 0;
  const poll = setInterval(() => {
    peakMib = Math.max(peakMib, peakOf(child.pid));
  }, MEMORY_POLL_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(poll);
  if (code !== 0) throw new Error(`accession ${args.join(" ")} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, peakMib };
}

/** Peak resident memory of a process (MiB); 0 after its end. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
