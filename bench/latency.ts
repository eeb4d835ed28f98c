/** `npm run bench:latency`: measures response times of the API while an ingest saturates the machine; see README.md. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { goodMetadata } from "../tests/support/api/api.ts";
import { equalObjects, KIB, workloads } from "./support/cases.ts";
import { start } from "./support/children.ts";
import type { Asked, Call, Latency } from "./support/latency-client.ts";
import { writeResults } from "./support/machine.ts";
import { flushWrites, readArguments, requirePrograms, run, workFolder } from "./support/program.ts";
import { table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, KEYS, openSource, warm } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const program = join(import.meta.dirname, "support/latency-client.ts");
const CONNECTIONS = 20;
/** Pause after each check and submission, which gives about five per second. */
const ACCEPT_PAUSE_MS = 150;
const POLL_MS = 50;
const MOST_STATUS_MS = 50;
const MOST_ACCEPT_MS = 100;

/** Requests that are sent during the ingest. They need the path of the running submission. */
interface Scenario {
  name: string;
  ask: (id: string) => Omit<Asked, "url">;
}

interface Row extends Latency {
  name: string;
}

await run(async () => {
  const { texts, flags } = readArguments(["work"], ["smoke"]);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const small = workloads(false).find(({ name }) => name === "small");
  const busy = flags.smoke || small === undefined ? equalObjects("busy", "2,000 × 4 KiB", 2_000, 4 * KIB) : small;
  const tiny = equalObjects("tiny", "1 × 4 KiB", 1, 4 * KIB);
  const { server, buckets } = await openSource(work, [busy, tiny]);
  const [big, little] = buckets;
  if (big === undefined || little === undefined) throw new Error("there are no buckets");
  warm(work, big);
  const rows: Row[] = [];
  for (const scene of scenarios(little))
    rows.push(...(await withTarget(work, (target) => runScenario(scene, big, target))));
  await server.stop();
  console.log(table(rows.map(line)));
  console.log(`\n${writeResults("latency", { busyWith: busy.title, rows })}`);
  removeTargets(work);
});

function scenarios({ endpoint, bucket }: Bucket): Scenario[] {
  const s3Access = { endpoint, bucket, ...KEYS };
  const check: Call = { name: "check", path: "/submission/upload/s3check", body: s3Access, expected: 200 };
  const upload: Call = {
    name: "accept",
    path: "/submission/upload/s3upload",
    body: { metadata: goodMetadata, s3Access },
    expected: 202,
  };
  const reads = (name: string, path: string) => ({
    connections: CONNECTIONS,
    calls: [{ name, path, expected: 200 }],
    pauseMs: 0,
  });
  return [
    { name: "status", ask: (id) => reads("status", `/submission/${id}`) },
    { name: "list", ask: () => reads("list", "/submission") },
    { name: "accept", ask: () => ({ connections: 1, calls: [check, upload], pauseMs: ACCEPT_PAUSE_MS }) },
  ];
}

/** Sends requests from the start of the transfer of the big bucket until its end. */
async function runScenario({ name, ask }: Scenario, big: Bucket, target: string): Promise<Row[]> {
  flushWrites(target);
  const service = await ServiceProcess.start(target);
  try {
    const { id } = await service.submit(big);
    await leave(service, id, ["accepted", "listing"], "transferring");
    const client = startClient({ url: service.url, ...ask(id) });
    await leave(service, id, ["transferring"], "verifying", "packaging", "completed");
    const found = await client.end();
    process.stderr.write(`${name}: measured while ${big.workload.title} were transferred\n`);
    return Object.entries(found).map(([what, latency]) => ({ name: what, ...latency }));
  } finally {
    await service.stop();
  }
}

/** Waits until a submission has left these statuses. @throws Error if its new status is not one of the expected ones */
async function leave(service: ServiceProcess, id: string, statuses: string[], ...wanted: string[]): Promise<void> {
  let { status } = await service.api.submission(id);
  for (; statuses.includes(status); { status } = await service.api.submission(id)) await sleep(POLL_MS);
  if (!wanted.includes(status)) throw new Error(`The submission is ${status} instead of ${wanted.join(" or ")}`);
}

function startClient(asked: Asked): { end(): Promise<Record<string, Latency>> } {
  const child = start(process.execPath, [program, JSON.stringify(asked)], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    async end() {
      child.stdin?.end();
      const code = await closed;
      if (code !== 0) throw new Error(`The callers ended with ${code}`);
      return JSON.parse(output);
    },
  };
}

function line({ name, count, p50, p90, p99, max }: Row): Record<string, string> {
  const most = { status: MOST_STATUS_MS, difference: MOST_ACCEPT_MS }[name];
  return {
    request: name === "difference" ? "accept besides check" : name,
    count: String(count),
    "p50 ms": p50.toFixed(1),
    "p90 ms": p90.toFixed(1),
    "p99 ms": p99.toFixed(1),
    "max ms": max.toFixed(1),
    target: most === undefined ? "" : `p99 < ${most}`,
    "": most === undefined ? "" : p99 < most ? "met" : "NOT MET",
  };
}
