/** `npm run bench:revision`: measures changes of the metadata of a large archived dataset; see README.md. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkRoot } from "../src/archive/validation/check-root.ts";
import { REVISION_BYTES_PER_OBJECT } from "../src/domain/submission/revision-size.ts";
import { measureIngest } from "./contestants/accession.ts";
import { equalObjects, KIB, MIB } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import { flushWrites, readArguments, readCount, requirePrograms, run, workFolder } from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { type Bucket, openSource } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const OBJECTS = 100_000;
const SMOKE_OBJECTS = 100;
const ROUNDS = 10;
const SMOKE_ROUNDS = 2;
const MOST_SECONDS = 5;
/** Size of what a revision adds to the archive, compared with the inventory before it. */
const MOST_ADDED_RATIO = 3;
/** By how much each revision may add more than the one before it: one state of all files in the inventory. */
const MOST_GROWTH_BYTES_PER_OBJECT = REVISION_BYTES_PER_OBJECT;

interface Revised {
  /** One entry for each change. */
  seconds: number[];
  addedBytes: number[];
  /** Size of the inventory before each change. */
  inventoryBytes: number[];
  findings: number;
}

await run(async () => {
  const { texts, flags } = readArguments(["objects", "runs", "work"], ["smoke"]);
  const objects = readCount("objects", texts.objects, flags.smoke ? SMOKE_OBJECTS : OBJECTS);
  const rounds = readCount("runs", texts.runs, flags.smoke ? SMOKE_ROUNDS : ROUNDS);
  const work = workFolder(texts.work);
  requirePrograms("nginx");
  const { server, buckets } = await openSource(work, [
    // Files with the same content would share their digest, so that the inventory would hardly grow.
    equalObjects("revision", "different files", objects, KIB),
  ]);
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error("No bucket was generated");
  const revised = await withTarget(work, (target) => measure(bucket, target, rounds));
  await server.stop();
  console.log(table(rows(revised, objects, flags.smoke === true)));
  console.log(`\n${writeResults("revision", { objects, ...revised })}`);
  removeTargets(work);
});

/** Archives the bucket and changes the title of the dataset in each round. */
async function measure(bucket: Bucket, target: string, rounds: number): Promise<Revised> {
  flushWrites(target);
  const service = await ServiceProcess.start(target);
  try {
    const { submission } = await measureIngest(service, bucket);
    const path = `/dataset/${submission.dataset?.id}/metadata`;
    const ocfl = join(target, "archive", "ocfl");
    const object = objectFolder(ocfl, submission.dataset?.id ?? "");
    const seconds: number[] = [];
    const addedBytes: number[] = [];
    const inventoryBytes: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const before = await service.api.get(path);
      const metadata = { ...before.json.metadata, title: `Measured change ${round}` };
      const bytesBefore = bytesIn(object);
      inventoryBytes.push(statSync(join(object, "inventory.json")).size);
      const since = performance.now();
      const answer = await service.api.send(path, {
        method: "PUT",
        body: JSON.stringify({ metadata }),
        headers: { "content-type": "application/json", "if-match": before.headers.get("etag") ?? "" },
      });
      // 200 means that the change is archived; 202 would only mean that it is recorded.
      if (answer.status !== 200) throw new Error(`The change was answered with ${answer.status}: ${answer.text}`);
      seconds.push((performance.now() - since) / 1000);
      addedBytes.push(bytesIn(object) - bytesBefore);
    }
    const { findings } = await checkRoot(ocfl);
    return { seconds, addedBytes, inventoryBytes, findings: findings.length };
  } finally {
    await service.stop();
  }
}

/** The folder of a dataset in the hashed n-tuple layout of the archive; see docs/package-format.md. */
function objectFolder(ocfl: string, dataset: string): string {
  const digest = createHash("sha512").update(`urn:uuid:${dataset}`).digest("hex");
  return join(ocfl, digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 9), digest);
}

/** Sizes of all files outside `content` of the first version, which holds the unchanged objects. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isFile()) bytes += found.size;
    else if (!path.endsWith("/v1")) bytes += bytesIn(path);
  }
  return bytes;
}

function rows(revised: Revised, objects: number, isSmoke: boolean): Record<string, string>[] {
  const { seconds, addedBytes, inventoryBytes, findings } = revised;
  const verdict = (isMet: boolean) => (isSmoke ? "" : isMet ? "met" : "NOT MET");
  const ratio = Math.max(...addedBytes.map((added, index) => added / (inventoryBytes[index] ?? 0)));
  const growth = Math.max(0, ...addedBytes.slice(1).map((added, index) => added - (addedBytes[index] ?? 0)));
  const most = objects * MOST_GROWTH_BYTES_PER_OBJECT;
  const firstAndLast = (values: number[], digits: number, unit = 1) =>
    `${((values[0] ?? 0) / unit).toFixed(digits)} – ${((values.at(-1) ?? 0) / unit).toFixed(digits)}`;
  return [
    {
      figure: "seconds of a change, median",
      found: median(seconds).toFixed(2),
      target: `< ${MOST_SECONDS}`,
      "": verdict(median(seconds) < MOST_SECONDS),
    },
    {
      figure: "seconds of a change, slowest",
      found: Math.max(...seconds).toFixed(2),
      target: `< ${MOST_SECONDS}`,
      "": verdict(Math.max(...seconds) < MOST_SECONDS),
    },
    { figure: "seconds, first – last change", found: firstAndLast(seconds, 2), target: "", "": "" },
    { figure: "MiB of the inventory, first – last", found: firstAndLast(inventoryBytes, 1, MIB), target: "", "": "" },
    { figure: "MiB added, first – last change", found: firstAndLast(addedBytes, 1, MIB), target: "", "": "" },
    {
      figure: "growth of the MiB added, per change",
      found: (growth / MIB).toFixed(1),
      target: `< ${(most / MIB).toFixed(1)}`,
      "": verdict(growth < most),
    },
    {
      figure: "bytes added / inventory before",
      found: ratio.toFixed(2),
      target: `< ${MOST_ADDED_RATIO}`,
      "": verdict(ratio < MOST_ADDED_RATIO),
    },
    { figure: "OCFL findings", found: String(findings), target: "0", "": verdict(findings === 0) },
  ];
}
