import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startBrowser, visit } from "../../tests/support/page/browser.ts";
import { UploadForm } from "../../tests/support/page/upload-form.ts";
import { memoryOf, resetPeak, runMeasured } from "../support/measure.ts";
import { flushWrites } from "../support/program.ts";
import { nodeOptions, ServiceProcess } from "../support/service.ts";
import type { SentFolder, UploadRun } from "./peers.ts";

const PROGRAM = join(import.meta.dirname, "../../dist/src/cli/accession.js");
const METADATA = {
  title: "Files of a benchmark",
  description: "Files without a pattern, which are sent to measure how long it takes.",
  authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry" }],
};

/** `accession upload`: hashes and sends all files, which the service hashes, syncs and compares; ends when the upload is submitted. */
export async function runCommand(sent: SentFolder, target: string): Promise<UploadRun> {
  const { folder } = sent;
  const metadata = join(target, "metadata.json");
  writeFileSync(metadata, JSON.stringify(METADATA));
  const service = await start(target);
  try {
    const args = [...nodeOptions(PROGRAM), PROGRAM, "upload", folder, "--metadata", metadata, "--json"];
    const { output, ...measured } = await runMeasured(process.execPath, args, { ACCESSION_URL: service.url });
    const submitted: { source: { bucket: string } } = JSON.parse(output.trim().split("\n").at(-1) ?? "");
    await requireAll(service, submitted.source.bucket, sent);
    const syncSeconds = flushWrites(target);
    return { ...measured, syncSeconds, serverMib: memoryOf(service.pid).peakMib };
  } finally {
    await service.stop();
    flushWrites(target);
  }
}

/** The page in Chromium: from the choice of the folder until all files have arrived. */
export async function runPage(sent: SentFolder, target: string): Promise<UploadRun> {
  const service = await start(target);
  const browser: Browser = await startBrowser();
  try {
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    page.setDefaultTimeout(0);
    await page.getByRole("radio", { name: "Upload from this computer" }).check();
    const form = new UploadForm(page);
    const since = performance.now();
    await form.choose(sent.folder);
    await form.status("All files have arrived");
    const seconds = (performance.now() - since) / 1_000;
    const syncSeconds = flushWrites(target);
    const [upload] = (await service.api.get("/uploads")).json as [{ id: string }];
    await requireAll(service, upload.id, sent);
    return {
      seconds,
      syncSeconds,
      cpuSeconds: Number.NaN,
      peakMib: Number.NaN,
      serverMib: memoryOf(service.pid).peakMib,
    };
  } finally {
    await browser.close();
    await service.stop();
    flushWrites(target);
  }
}

/** @throws Error if the service does not have all files */
async function requireAll({ api }: ServiceProcess, upload: string, { files, bytes }: SentFolder): Promise<void> {
  const { json } = await api.get(`/uploads/${upload}`);
  const isWhole = json.fileCount === files && json.bytes === files * bytes && json.incompleteFiles === 0;
  if (!isWhole) throw new Error(`Not all files have arrived:\n${JSON.stringify(json, undefined, 2)}`);
}

async function start(target: string): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(target, { settings: { ACCESSION_RATE_LIMIT: "0" } });
  resetPeak(service.pid);
  return service;
}
