import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, orThrow, type Submission, waitFor } from "../../packages/client/src/index.ts";
import { fillDemoBucket, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { runCommand } from "../../tests/support/program/run-command.ts";
import { crossrefFunders, ror } from "../../tests/support/vocabulary/samples.ts";
import { SCREENSHOT_METADATA } from "./metadata.ts";

const RUNS = 4_000;

/** A service with submissions in several states, for screenshots. */
export interface DemoService extends AsyncDisposable {
  /** The service’s address. */
  url: string;
  /** The credentials of its buckets. */
  keys: { accessKey: string; secretKey: string };
  /** A checksum list of the files that the instruments have written. */
  list: { name: string; text: string };
  /** The submissions, by status. */
  submissions: Record<"completed" | "transferring" | "waiting" | "cancelled", Submission>;
}

/** Starts a service without submissions. The caller must dispose of it. @param more additional settings */
export async function startEmptyService(more: Record<string, string> = {}): Promise<AsyncDisposable & { url: string }> {
  const data = await mkdtemp(join(tmpdir(), "accession-screenshots-"));
  await importVocabularies(data);
  const settings = { ACCESSION_DATA: data, ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "silent", ...more };
  const service = await startService(readConfig(settings));
  return {
    url: service.url,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Imports fictitious vocabularies, so that the form suggests entries. @throws Error if that fails */
async function importVocabularies(data: string): Promise<void> {
  const run = async (...command: string[]) => {
    const { code, stderr } = await runCommand(command, data);
    if (code !== 0) throw new Error(stderr);
  };
  await run("migrate");
  for (const [name, content] of Object.entries({ "ror.json": JSON.stringify(ror), "funders.csv": crossrefFunders })) {
    const file = join(data, name);
    await writeFile(file, content);
    await run("vocabulary", "import", file);
  }
}

/** Starts a service with several submissions of the demo bucket, each in another status. */
export async function startDemoService(): Promise<DemoService> {
  const s3 = await startS3Server({ keepHistory: false });
  const empty = await startEmptyService();
  const client = createClient({ baseUrl: empty.url });
  let keys = { accessKey: "", secretKey: "" };
  let list = { name: "SHA256SUMS", text: "" };
  const submit = async (bucketName: string, title: string, fill = (_: S3Server) => {}) => {
    const { bucket, accessKey, secretKey } = fillDemoBucket(s3, bucketName);
    fill(s3);
    // `fillDemoBucket` limits the account to its bucket; this removes the limit.
    keys = { accessKey, secretKey };
    s3.addAccount(keys);
    const s3Access = { endpoint: s3.endpoint, bucket, accessKey, secretKey };
    list = { ...list, text: checksumsOf(s3, bucket) };
    const body = { metadata: { ...SCREENSHOT_METADATA, title }, s3Access, digests: [list] };
    return orThrow(await client.POST("/submission/upload/s3upload", { body }));
  };
  const completed = await waitFor(client, (await submit("field-trial-2026", SCREENSHOT_METADATA.title)).id);
  s3.addFault({ match: { operation: "get", bucket: "root-scans", key: /root-scan-2/ }, fault: { status: 403 } });
  const waiting = await waitFor(client, (await submit("root-scans", "Root scans of winter wheat, repeated")).id);
  // Fewer objects than are read in parallel, so that the others are still read.
  for (const bucket of ["spectra", "sent-by-mistake"]) {
    s3.addFault({ match: { operation: "get", bucket, key: /^raw/ }, fault: { delay: 600_000 } });
  }
  const open = await submit("spectra", "Spectrometer runs, June 2026", addRuns);
  const unwanted = await submit("sent-by-mistake", "Spectrometer runs, with the wrong bucket");
  const params = { path: { id: unwanted.id } };
  const cancelled = orThrow(await client.POST("/submission/{id}/cancel", { params }));
  const transferring = await waitForTransfer(async () => {
    return orThrow(await client.GET("/submission/{id}", { params: { path: { id: open.id } } }));
  });
  return {
    url: empty.url,
    keys,
    list,
    submissions: { completed, transferring, waiting, cancelled },
    async [Symbol.asyncDispose]() {
      await empty[Symbol.asyncDispose]();
      await s3.close();
    },
  };
}

/** The SHA-256 of the files of the demo bucket that the instruments have written, in the format of `sha256sum`. */
function checksumsOf(s3: S3Server, bucket: string): string {
  const written = s3.keys(bucket).filter((key) => /^(measurements|images|raw\/runs)\/./.test(key));
  const lines = written.map((key) => `${createHash("sha256").update(s3.body(bucket, key)).digest("hex")}  ${key}\n`);
  return lines.join("");
}

/** Adds objects whose responses have varying delays, so that the transfer lasts until all screenshots are taken. */
function addRuns(s3: S3Server): void {
  for (let n = 0; n < RUNS; n++) {
    s3.put("spectra", `runs/run-${String(n).padStart(4, "0")}.spc`, { seed: `${n}`, size: 400_000 });
  }
  const swing = () => 2_500 + 2_000 * Math.sin(Date.now() / 3_000);
  s3.addFault({ match: { operation: "get", bucket: "spectra", key: /^runs/ }, fault: { run: () => sleep(swing()) } });
}

/** Waits until a submission has transferred more than 20 objects. */
async function waitForTransfer(load: () => Promise<Submission>): Promise<Submission> {
  for (;;) {
    const submission = await load();
    if (submission.status === "transferring" && submission.progress.objectsStored > 20) return submission;
    await sleep(200);
  }
}
