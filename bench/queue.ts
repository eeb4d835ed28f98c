/** `npm run bench:queue`: measures a thousand small submissions at once, on PostgreSQL, with several workers; see README.md. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  INSTALL_POSTGRES,
  postgresAdmin,
  postgresPrograms,
  startPostgres,
} from "../tests/support/database/postgres.ts";
import { openMachines } from "../tests/support/program/machines.ts";
import { equalObjects, KIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import { RequirementError, readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { table } from "./support/report.ts";
import { KEYS, openSource } from "./support/source.ts";

const module = join(import.meta.dirname, "../dist/src/cli/accession.js");
const WORKERS = 2;
const OBJECTS = 10;
/** Number of concurrent requests. */
const PARALLEL = 16;
const POLL_MS = 250;

await run(async () => {
  const { texts, flags } = readArguments(["submissions", "workers", "work"], ["smoke"]);
  const submissions = readCount("submissions", texts.submissions, flags.smoke ? 20 : 1_000);
  const workers = readCount("workers", texts.workers, WORKERS);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  if (postgresPrograms() === undefined) throw new RequirementError(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const { server, buckets } = await openSource(work, [equalObjects("queue", `${OBJECTS} × 4 KiB`, OBJECTS, 4 * KIB)]);
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error("No bucket was made");
  const access = { endpoint: bucket.endpoint, bucket: bucket.bucket, ...KEYS };
  const postgres = await startPostgres({ durable: true });
  try {
    const database = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
    await using machines = await openMachines(database, { module });
    const { api } = await machines.api({ ACCESSION_LOG_LEVEL: "info" });
    for (let i = 0; i < workers; i++) await machines.worker({ ACCESSION_LOG_LEVEL: "info" });
    const since = performance.now();
    const ids: string[] = [];
    const milliseconds: number[] = [];
    let next = 0;
    const submitter = async () => {
      while (next++ < submissions) {
        const began = performance.now();
        ids.push((await api.submit(access)).id);
        milliseconds.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, submitter));
    const acceptSeconds = (performance.now() - since) / 1000;
    for (let completed = 0; completed < submissions; await sleep(POLL_MS)) {
      const { text } = await api.get("/metrics");
      const of = (status: string) =>
        Number(new RegExp(`accession_submissions\\{status="${status}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
      if (of("failed") + of("waiting") > 0) throw new Error(`${of("failed")} failed, ${of("waiting")} wait`);
      completed = of("completed");
    }
    const drainSeconds = (performance.now() - since) / 1000;
    for (const id of ids) {
      const { status, progress } = await api.submission(id);
      if (status !== "completed" || progress.objectsStored !== OBJECTS) throw new Error(`${id} is ${status}`);
    }
    const sorted = milliseconds.toSorted((a, b) => a - b);
    const figures = {
      submissions,
      workers,
      acceptSeconds,
      drainSeconds,
      acceptP99Ms: sorted[Math.floor(sorted.length * 0.99)],
    };
    console.log(
      table([
        {
          submissions: String(submissions),
          workers: String(workers),
          "accepted a second": (submissions / acceptSeconds).toFixed(1),
          "accept p99 ms": (figures.acceptP99Ms ?? 0).toFixed(0),
          "all accepted s": acceptSeconds.toFixed(1),
          "all completed s": drainSeconds.toFixed(1),
          "completed a second": (submissions / drainSeconds).toFixed(1),
        },
      ]),
    );
    console.log(`\n${writeResults("queue", figures)}`);
  } finally {
    await postgres.stop();
    await server.stop();
  }
});
