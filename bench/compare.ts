/** `npm run bench:compare`: measures how fast a browser hashes files to compare a copy with a dataset; see README.md. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { siteScripts } from "../src/http/page/site-scripts.ts";
import { noChromium, startBrowser, visit } from "../tests/support/page/browser.ts";
import { writeResults } from "./support/machine.ts";
import { RequirementError, readArguments, readCount, run, workFolder } from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const BYTES = 1 << 30;
const SMOKE_BYTES = 8 << 20;
const RUNS = 3;
const PIECE = 4 << 20;
const LOOK_MS = 20;

/** Target; see bench/README.md. */
const LEAST_MB_PER_SECOND = 300;

interface Measured {
  how: string;
  mbPerSecond: number;
  /** MB per second of CPU time of the thread that hashes: the rate that it can reach if no other work uses its core. */
  mbPerCpuSecond: number;
}

await run(async () => {
  const { texts, flags } = readArguments(["runs", "work"], ["smoke"]);
  if (noChromium)
    throw new RequirementError("Chromium is missing: apt-get install -y --no-install-recommends chromium");
  const runs = readCount("runs", texts.runs, flags.smoke ? 1 : RUNS);
  const work = workFolder(texts.work);
  const bytes = flags.smoke ? SMOKE_BYTES : BYTES;
  const file = await generate(join(work, `compare-${bytes}.bin`), bytes);
  const measured = await withTarget(work, (target) => measure(target, file, { bytes, runs }));
  const isSmoke = flags.smoke === true;
  console.log(table(measured.map((one) => shown(one, isSmoke))));
  console.log(`\n${writeResults("compare", { bytes, runs, measured })}`);
  if (!isSmoke && !measured.every(isMet)) process.exitCode = 1;
  removeTargets(work);
});

/** A file without a pattern, of which the operating system keeps the pages. */
async function generate(file: string, bytes: number): Promise<string> {
  if (existsSync(file) && statSync(file).size === bytes) return file;
  const handle = await open(file, "w");
  const piece = Buffer.alloc(PIECE, createHash("sha512").update(file).digest());
  for (let at = 0; at < bytes; at += PIECE) {
    piece.writeUInt32LE(at / PIECE);
    await handle.write(piece);
  }
  await handle.close();
  return file;
}

async function measure(
  target: string,
  file: string,
  { bytes, runs }: { bytes: number; runs: number },
): Promise<Measured[]> {
  const pageFolder = join(import.meta.dirname, "../dist/web");
  const { script } = (await siteScripts({ pageFolder, basePath: "" })).compare ?? fail();
  const sha512 = await digestOf(file);
  const service = await ServiceProcess.start(target);
  const browser = await startBrowser();
  try {
    await using visiting = await visit(browser, "about:blank", { origins: [new URL(service.url).origin] });
    const { page } = visiting;
    // The page of a dataset with this one file: the time of the service is not measured.
    await page.route("**/listed*", (route) =>
      route.fulfill({ json: [{ path: `data/${basename(file)}`, bytes, sha512 }] }),
    );
    await page.route("**/landing", (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'" },
        body: `<!doctype html><html lang="en"><script type="module" src="${script}"></script><div data-compare data-files="/listed"></div></html>`,
      }),
    );
    await page.goto(`${service.url}/landing`);
    const pages = await pageProcesses(browser);
    const inPage = async () => {
      await page.locator("input:not([webkitdirectory])").setInputFiles(file);
      await page.getByText("The file is identical to a file of the dataset.").waitFor({ timeout: 300_000 });
    };
    const chromium: Rates = { wall: [], cpu: [] };
    const node: Rates = { wall: [], cpu: [] };
    for (let n = 0; n < runs; n++) {
      // Removes the result of the run before. The worker starts again, which is part of the time.
      await page.reload();
      await time(inPage, { bytes, cpu: cpuOfWorkers(pages), rates: chromium });
      await time(() => digestOf(file), { bytes, cpu: cpuOfThisThread(), rates: node });
    }
    return [
      { how: "page in Chromium", ...mediansOf(chromium) },
      { how: "Node.js crypto (OpenSSL)", ...mediansOf(node) },
    ];
  } finally {
    await browser.close();
    await service.stop();
  }
}

interface Rates {
  wall: number[];
  cpu: number[];
}

/** CPU time since the start of the measurement, in seconds. It is read repeatedly, because threads can end meanwhile. */
type CpuTime = () => number;

/** Adds the MB per second, and per second of CPU time, of one run. */
async function time(
  work: () => Promise<unknown>,
  { bytes, cpu, rates }: { bytes: number; cpu: CpuTime; rates: Rates },
): Promise<void> {
  const start = performance.now();
  let used = 0;
  const timer = setInterval(() => {
    used = Math.max(used, cpu());
  }, LOOK_MS);
  await work();
  clearInterval(timer);
  rates.wall.push(bytes / 1_000 / (performance.now() - start));
  rates.cpu.push(bytes / 1e6 / Math.max(used, cpu()));
}

/** The CPU time of the busiest worker of these processes, from the kernel's accounts. */
function cpuOfWorkers(processes: readonly number[]): CpuTime {
  return () => {
    const threads = globSync(processes.map((id) => `/proc/${id}/task/*`));
    return Math.max(0, ...threads.map((thread) => workerSeconds(thread)));
  };
}

function workerSeconds(thread: string): number {
  try {
    if (!readFileSync(`${thread}/comm`, "utf8").startsWith("DedicatedWorker")) return 0;
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[0]) / 1e9;
  } catch {
    // The thread has ended.
    return 0;
  }
}

function cpuOfThisThread(): CpuTime {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1e6;
  };
}

/** The processes that can be those of the page. */
async function pageProcesses(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

function mediansOf({ wall, cpu }: Rates) {
  return { mbPerSecond: median(wall), mbPerCpuSecond: median(cpu) };
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha512");
  for await (const piece of createReadStream(file, { highWaterMark: PIECE })) hash.update(piece as Buffer);
  return hash.digest("hex");
}

function fail(): never {
  throw new RequirementError("The page has not been built: npm run build");
}

function isMet({ how, mbPerSecond }: Measured): boolean {
  return !how.includes("Chromium") || mbPerSecond >= LEAST_MB_PER_SECOND;
}

function shown(measured: Measured, isSmoke: boolean): Record<string, string> {
  const isTarget = measured.how.includes("Chromium") && !isSmoke;
  return {
    "SHA-512 of a large file": measured.how,
    "MB/s, median": measured.mbPerSecond.toFixed(0),
    "MB per CPU second of the thread": measured.mbPerCpuSecond.toFixed(0),
    [`≥ ${LEAST_MB_PER_SECOND} MB/s`]: isTarget ? (isMet(measured) ? "met" : "NOT MET") : "",
  };
}
