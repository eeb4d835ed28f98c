/** `npm run bench:profile`: shows which functions use the CPU time of a submission, by thread; see README.md. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { measureIngest } from "./contestants/accession.ts";
import { workloads } from "./support/cases.ts";
import { onInterrupt } from "./support/children.ts";
import { writeResults } from "./support/machine.ts";
import { RequirementError, readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, openSource, warm } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const TOP = 10;
const SAMPLE_US = 500;

/** Threads have no names in profiles; each of these runs a module that the others do not. */
const MODULES: Record<string, string> = {
  "transfer-thread.js": "transfer",
  "file-hash-thread.js": "hashing",
  "database-thread.js": "database",
};

/** The parts that are used here of a profile of V8 (https://chromedevtools.github.io/devtools-protocol/, `Profiler.Profile`). */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  /** The function that ran at each sample, as an id of `nodes`. */
  samples: number[];
  /** Microseconds between the samples. */
  timeDeltas: number[];
}

interface Profiled {
  thread: string;
  /** Microseconds in which the thread was not idle. */
  busy: number;
  /** Microseconds by function, without those of called functions. */
  self: Map<string, number>;
}

await run(async () => {
  const { texts, flags, words } = readArguments(["top", "work"], ["smoke"]);
  const top = readCount("top", texts.top, TOP);
  const [name = "small"] = words;
  const workload = workloads(flags.smoke === true).find((one) => one.name === name);
  if (workload === undefined) throw new RequirementError(`There is no case “${name}”`);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const { server, buckets } = await openSource(work, [workload]);
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error("No bucket was generated");
  warm(work, bucket);
  const profiles = mkdtempSync(join(work, "profiles-"));
  const forget = onInterrupt(() => rmSync(profiles, { recursive: true, force: true }));
  await withTarget(work, (target) => ingest(bucket, target, profiles));
  await server.stop();
  const threads = readdirSync(profiles).map((file) => profiled(JSON.parse(readFileSync(join(profiles, file), "utf8"))));
  const rows = threads.toSorted((a, b) => (a.thread < b.thread ? -1 : 1)).flatMap((one) => functions(one, bucket, top));
  console.log(table(rows));
  console.log(`\n${writeResults("profile", { case: name, rows })}`);
  rmSync(profiles, { recursive: true, force: true });
  forget();
  removeTargets(work);
});

async function ingest(bucket: Bucket, target: string, profiles: string): Promise<void> {
  const nodeArgs = ["--cpu-prof", `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${SAMPLE_US}`];
  const service = await ServiceProcess.start(target, { caFile: bucket.caFile, nodeArgs });
  try {
    await measureIngest(service, bucket);
  } finally {
    // Node writes the profiles when its threads end.
    await service.stop();
  }
}

function profiled({ nodes, samples, timeDeltas }: CpuProfile): Profiled {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const self = new Map<string, number>();
  let busy = 0;
  for (const [index, sample] of samples.entries()) {
    const name = names.get(sample) ?? "";
    if (name === "(idle)") continue;
    const microseconds = timeDeltas[index] ?? 0;
    busy += microseconds;
    self.set(name, (self.get(name) ?? 0) + microseconds);
  }
  return { thread: threadOf(nodes), busy, self };
}

function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.replace(/^.*\/(?=dist\/|node_modules\/)/, "").replace(/^node_modules\//, "");
  return file === "" ? functionName : `${functionName || "(anonymous)"} ${file}:${lineNumber + 1}`;
}

function threadOf(nodes: CpuProfile["nodes"]): string {
  const urls = nodes.map(({ callFrame }) => callFrame.url);
  const [, thread = "main"] =
    Object.entries(MODULES).find(([module]) => urls.some((url) => url.endsWith(`/${module}`))) ?? [];
  return thread;
}

function functions({ thread, busy, self }: Profiled, { objects }: Bucket, top: number): Record<string, string>[] {
  const share = (microseconds: number) => `${((100 * microseconds) / busy).toFixed(1)} %`;
  return [...self]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([name, microseconds]) => ({
      thread,
      share: share(microseconds),
      "µs/object": (microseconds / objects).toFixed(2),
      function: name,
    }));
}
