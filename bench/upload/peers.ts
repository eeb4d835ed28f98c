import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts, isListening } from "../../tests/support/network/ports.ts";
import { startBrowser } from "../../tests/support/page/browser.ts";
import { start, stop } from "../support/children.ts";
import { type Measured, memoryOf, runMeasured } from "../support/measure.ts";
import { flushWrites } from "../support/program.ts";

/** Files that a client sends at the same time, as `accession upload` does. */
export const AT_ONCE = 8;
const POLL_MS = 50;
const OWN = import.meta.dirname;

/** A server that receives files, in a separate process. */
interface Receiver extends AsyncDisposable {
  url: string;
  peakMib(): number;
}

/** A folder to send. */
export interface SentFolder {
  folder: string;
  files: number;
  /** Size of each file. */
  bytes: number;
}

/** A run of a contestant: its client, and the memory of its server. */
export interface UploadRun extends Measured {
  serverMib: number;
  /** Until all that the server has written is on the disk, after the client has ended. */
  syncSeconds: number;
}

/** `rclone copy` to `rclone serve webdav`. Neither syncs files to disk. */
export async function runRclone({ folder }: SentFolder, target: string): Promise<UploadRun> {
  const stored = join(target, "webdav");
  mkdirSync(stored, { recursive: true });
  await using server = await receiver("rclone", (port) => [
    ...["serve", "webdav", stored, "--config=/dev/null", "--quiet", "--addr", `127.0.0.1:${port}`],
  ]);
  const flags = ["--config=/dev/null", `--webdav-url=${server.url}`, `--transfers=${AT_ONCE}`, "--quiet"];
  const { output: _, ...measured } = await runMeasured("rclone", ["copy", folder, ":webdav:copy", ...flags]);
  const syncSeconds = flushWrites(target);
  return { ...measured, syncSeconds, serverMib: server.peakMib() };
}

/** The reference client of the tus protocol to the reference server, one request for each small file. Neither hashes nor syncs. */
export async function runTus({ folder }: SentFolder, target: string): Promise<UploadRun> {
  await using server = await referenceServer(target);
  const args = [join(OWN, "reference-client.ts"), folder, `${server.url}/files`, String(AT_ONCE)];
  const { output: _, ...measured } = await runMeasured(process.execPath, args);
  const syncSeconds = flushWrites(target);
  return { ...measured, syncSeconds, serverMib: server.peakMib() };
}

/** The same client in Chromium, as pages of others use it: from the choice of the folder to the end of the last request. */
export async function runTusInPage({ folder }: SentFolder, target: string): Promise<UploadRun> {
  await using server = await referenceServer(target);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${server.url}/page`);
    await page.evaluate(SEND_WHAT_IS_CHOSEN);
    const since = performance.now();
    await page.locator("input").setInputFiles(folder);
    const end = page.getByText(/^(?:sent|failed)/);
    await end.waitFor();
    const seconds = (performance.now() - since) / 1_000;
    const ended = await end.textContent();
    if (ended !== "sent") throw new Error(`The reference client ${ended}`);
    const syncSeconds = flushWrites(target);
    return { seconds, syncSeconds, cpuSeconds: Number.NaN, peakMib: Number.NaN, serverMib: server.peakMib() };
  } finally {
    await browser.close();
  }
}

/** Run in the page. */
const SEND_WHAT_IS_CHOSEN = `document.querySelector("input").addEventListener("change", async ({ target }) => {
  const queue = [...target.files].values();
  const send = (file) => new Promise((onSuccess, onError) => {
    const metadata = { filename: file.webkitRelativePath };
    // Otherwise the addresses of thousands of files exceed the quota of the browser's storage.
    const more = { removeFingerprintOnSuccess: true, retryDelays: null, uploadDataDuringCreation: true, metadata, onSuccess, onError };
    new tus.Upload(file, { endpoint: "/files", ...more }).start();
  });
  const all = Array.from({ length: ${AT_ONCE} }, async () => { for (const file of queue) await send(file); });
  document.querySelector("p").textContent = await Promise.all(all).then(() => "sent", (error) => "failed: " + error);
})`;

function referenceServer(target: string): Promise<Receiver> {
  const stored = join(target, "tus");
  mkdirSync(stored, { recursive: true });
  return receiver(process.execPath, (port) => [join(OWN, "reference-server.ts"), stored, String(port)]);
}

async function receiver(command: string, argsFor: (port: number) => string[]): Promise<Receiver> {
  const [port = 0] = await freePorts(1);
  const child: ChildProcess = start(command, argsFor(port), { stdio: ["ignore", "ignore", "inherit"] });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    await sleep(POLL_MS);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    peakMib: () => memoryOf(child.pid ?? 0).peakMib,
    [Symbol.asyncDispose]: () => stop(child),
  };
}
