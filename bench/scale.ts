/** `npm run bench:scale`: compares the cost per object of small and huge submissions; see README.md. */
import { ACTIVE } from "../src/domain/submission/states.ts";
import { type Ingest, measureIngest } from "./contestants/accession.ts";
import { listingOnly, MIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import { flushWrites, readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, openSource } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const SIZES = "10000,100000,1000000";
const SMOKE_SIZES = "100,1500";
/** Growth compared with the smallest size. */
const MOST_TIME_RATIO = 1.2;
const MOST_PEAK_RATIO = 1.1;
const MOST_PEAK_MIB = 700e6 / MIB;

interface Sized extends Ingest {
  objects: number;
  statusSeconds: Record<string, number>;
}

await run(async () => {
  const { texts, flags } = readArguments(["sizes", "work"], ["smoke"]);
  const sizes = (texts.sizes ?? (flags.smoke ? SMOKE_SIZES : SIZES)).split(",");
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const { server, buckets } = await openSource(
    work,
    sizes.map((size) => listingOnly(readCount("sizes", size, 1))),
  );
  const found: Sized[] = [];
  for (const bucket of buckets) found.push(await withTarget(work, (target) => ingest(bucket, target)));
  await server.stop();
  const smallest = found.toSorted((a, b) => a.objects - b.objects)[0];
  console.log(table(found.map(costs)));
  console.log(`\n${table(found.map(durations))}`);
  if (smallest !== undefined && !flags.smoke) console.log(`\n${table(found.flatMap((one) => growth(one, smallest)))}`);
  console.log(`\n${writeResults("scale", { sizes: found })}`);
  removeTargets(work);
});

async function ingest(bucket: Bucket, target: string): Promise<Sized> {
  flushWrites(target);
  const service = await ServiceProcess.start(target);
  try {
    const { ingest, submission } = await measureIngest(service, bucket);
    process.stderr.write(`${bucket.objects} objects: ${ingest.seconds.toFixed(1)} s\n`);
    return { objects: bucket.objects, ...ingest, statusSeconds: await service.statusSeconds(submission.id) };
  } finally {
    await service.stop();
  }
}

function costs({ objects, seconds, cpuSeconds, residentBeforeMib, peakMib }: Sized): Record<string, string> {
  return {
    objects: objects.toLocaleString("en-US"),
    seconds: seconds.toFixed(2),
    "µs/object": ((seconds / objects) * 1e6).toFixed(0),
    "CPU s": cpuSeconds.toFixed(2),
    "CPU µs/object": ((cpuSeconds / objects) * 1e6).toFixed(0),
    "MiB before": residentBeforeMib.toFixed(0),
    "peak MiB": peakMib.toFixed(0),
    "MiB more": (peakMib - residentBeforeMib).toFixed(0),
  };
}

function durations({ objects, statusSeconds }: Sized): Record<string, string> {
  const seconds = ACTIVE.map((status) => [`${status} s`, (statusSeconds[status] ?? 0).toFixed(2)]);
  return { objects: objects.toLocaleString("en-US"), ...Object.fromEntries(seconds) };
}

function growth(one: Sized, smallest: Sized): Record<string, string>[] {
  const perObject = (figure: "seconds" | "cpuSeconds") =>
    one[figure] / one.objects / (smallest[figure] / smallest.objects);
  const row = (figure: string, found: number, most?: number) => ({
    objects: one.objects.toLocaleString("en-US"),
    figure,
    found: found.toFixed(2),
    target: most === undefined ? "" : `≤ ${most.toFixed(2)}`,
    "": most === undefined ? "" : found <= most ? "met" : "NOT MET",
  });
  const peak = row("peak MiB", one.peakMib, MOST_PEAK_MIB);
  if (one === smallest) return [peak];
  return [
    row("time per object / smallest", perObject("seconds"), MOST_TIME_RATIO),
    row("CPU per object / smallest", perObject("cpuSeconds")),
    row("peak / smallest", one.peakMib / smallest.peakMib, MOST_PEAK_RATIO),
    peak,
  ];
}
