/** `npm run bench:delay`: measures the ingest from a source whose responses are delayed by 80 ms; see README.md. */
import { measureIngest } from "./contestants/accession.ts";
import { equalObjects, GIB, KIB, MIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import { flushWrites, readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, openSource, startDelayProxy, warm } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const DELAYS_MS = [0, 80];
const ROUNDS = 3;
const MOST_SMALL_SECONDS = 8;
const LEAST_RATE_RATIO = 0.8;

interface Delayed {
  workload: string;
  delayMs: number;
  /** From the POST request to `completed`. */
  seconds: number;
  /** In the status `transferring` only. */
  transferSeconds: number;
}

await run(async () => {
  const { texts, flags } = readArguments(["runs", "work"], ["smoke"]);
  const rounds = readCount("runs", texts.runs, flags.smoke ? 1 : ROUNDS);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const { server, buckets } = await openSource(work, [
    equalObjects("delay-small", "1,000 × 4 KiB", flags.smoke ? 50 : 1_000, 4 * KIB),
    equalObjects(flags.smoke ? "delay-large-smoke" : "delay-large", "1 × 1 GiB", 1, flags.smoke ? 32 * MIB : GIB),
  ]);
  const runs: Delayed[] = [];
  for (const bucket of buckets) {
    warm(work, bucket);
    for (let round = 0; round < rounds; round++) {
      for (const delayMs of DELAYS_MS) {
        flushWrites(work);
        runs.push(await withTarget(work, (target) => ingest(bucket, delayMs, target)));
      }
    }
  }
  await server.stop();
  console.log(table(buckets.flatMap((bucket) => DELAYS_MS.map((delayMs) => row(bucket, delayMs, runs)))));
  if (!flags.smoke) console.log(`\n${table(verdicts(runs))}`);
  console.log(`\n${writeResults("delay", { rounds, runs })}`);
  removeTargets(work);
});

async function ingest(bucket: Bucket, delayMs: number, target: string): Promise<Delayed> {
  const proxy = await startDelayProxy(bucket.endpoint, delayMs);
  const service = await ServiceProcess.start(target);
  try {
    const delayed = { ...bucket, endpoint: proxy.endpoint };
    const { ingest, submission } = await measureIngest(service, delayed);
    const { transferring = 0 } = await service.statusSeconds(submission.id);
    const { name } = bucket.workload;
    process.stderr.write(`${name}, ${delayMs} ms: ${ingest.seconds.toFixed(2)} s\n`);
    return { workload: name, delayMs, seconds: ingest.seconds, transferSeconds: transferring };
  } finally {
    await service.stop();
    await proxy.stop();
  }
}

function of(runs: readonly Delayed[], workload: string, delayMs: number, figure: "seconds" | "transferSeconds") {
  return median(runs.filter((one) => one.workload === workload && one.delayMs === delayMs).map((one) => one[figure]));
}

function row({ workload, bytes }: Bucket, delayMs: number, runs: readonly Delayed[]): Record<string, string> {
  const seconds = of(runs, workload.name, delayMs, "seconds");
  return {
    case: workload.title,
    "delay ms": String(delayMs),
    seconds: seconds.toFixed(2),
    "MiB/s": (bytes / MIB / seconds).toFixed(1),
    "transferring s": of(runs, workload.name, delayMs, "transferSeconds").toFixed(2),
  };
}

function verdicts(runs: readonly Delayed[]): Record<string, string>[] {
  const [without = 0, withDelay = 0] = DELAYS_MS;
  const small = of(runs, "delay-small", withDelay, "seconds");
  const rate = (figure: "seconds" | "transferSeconds") =>
    of(runs, "delay-large", without, figure) / of(runs, "delay-large", withDelay, figure);
  const line = (figure: string, found: number, target = "", met?: boolean) => ({
    figure,
    found: found.toFixed(2),
    target,
    "": met === undefined ? "" : met ? "met" : "NOT MET",
  });
  const transferRate = rate("transferSeconds");
  return [
    line("small objects, seconds with the delay", small, `< ${MOST_SMALL_SECONDS}`, small < MOST_SMALL_SECONDS),
    line("large object, rate with / without", transferRate, `≥ ${LEAST_RATE_RATIO}`, transferRate >= LEAST_RATE_RATIO),
    line("the same from the POST to completed", rate("seconds")),
  ];
}
