/**
 * Measures response times of ordinary requests before, while and after clients open event streams of idle submissions.
 *
 *     npm run bench:streams -- --streams 1000 --submissions 200 --seconds 30 --before DIR
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startS3Server } from "../packages/s3-test-server/src/index.ts";
import { measureResponses } from "../tests/support/network/response-times.ts";
import { ServiceProcess } from "./support/service.ts";
import { KEYS } from "./support/source.ts";

/** Target of the service; see bench/README.md. */
const MOST_P99_MS = 200;
const BUCKET = "streams";

const { values } = parseArgs({
  options: {
    streams: { type: "string", default: "1000" },
    submissions: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
    before: { type: "string" },
  },
});
const milliseconds = Number(values.seconds) * 1_000;
const s3 = await startS3Server();
s3.addAccount(KEYS);
s3.createBucket(BUCKET);
s3.put(BUCKET, "a", "a");
try {
  if (values.before !== undefined) await measure("before", values.before);
  const isMet = await measure("accession", undefined);
  console.log(`p99 < ${MOST_P99_MS} ms    ${isMet ? "met" : "NOT MET"}`);
  if (!isMet) process.exitCode = 1;
} finally {
  await s3.close();
}

/** @returns whether the target is met while the streams are open */
async function measure(contestant: string, checkout: string | undefined): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "accession-streams-"));
  const settings = { ACCESSION_RATE_LIMIT: "0" };
  const service = await ServiceProcess.start(folder, { checkout, settings });
  const agent = new Agent({ maxSockets: Infinity });
  try {
    const ids: string[] = [];
    for (let n = 0; n < Number(values.submissions); n++) {
      ids.push((await service.submit({ endpoint: s3.endpoint, bucket: BUCKET })).id);
    }
    for (const id of ids) await service.completed(id);
    const during = async (phase: string, isOver: () => boolean) => {
      const { requests, failed, p50, p99, max } = await measureResponses(service.url, isOver);
      const figures = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)}`;
      console.log(
        `${contestant.padEnd(10)} ${phase.padEnd(22)} ${requests} requests, ${failed} failed, ms: ${figures}`,
      );
      return failed === 0 && p99 < MOST_P99_MS;
    };
    await during("without streams", after(milliseconds / 3));
    const opened = Array.from({ length: Number(values.streams) }, (_, n) =>
      open(`${service.url}/submission/${ids[n % ids.length]}/events`, agent),
    );
    let areOpen = false;
    const all = Promise.all(opened).then(() => {
      areOpen = true;
    });
    await during("streams are opened", () => areOpen);
    await all;
    return await during(`${opened.length} streams open`, after(milliseconds));
  } finally {
    agent.destroy();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function after(time: number): () => boolean {
  const end = performance.now() + time;
  return () => performance.now() >= end;
}

/** Resolves when the stream has sent the submission's progress. */
function open(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { accept: "text/event-stream" } }, (response) => {
      response.on("data", (data) => {
        if (String(data).includes("event: progress")) resolve();
      });
      response.on("error", () => undefined);
    }).once("error", reject);
  });
}
