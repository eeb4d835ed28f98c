/** `npm run bench:page`: measures how fast the web page loads, and what a huge submission costs a browser; see README.md. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import { type S3Server, startS3Server } from "../packages/s3-test-server/src/index.ts";
import { noChromium, startBrowser, visit } from "../tests/support/page/browser.ts";
import { writeResults } from "./support/machine.ts";
import { RequirementError, readArguments, readCount, run, workFolder } from "./support/program.ts";
import { median, table } from "./support/report.ts";
import { ServiceProcess } from "./support/service.ts";
import { KEYS } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";

const OBJECTS = 100_000;
const SMOKE_OBJECTS = 300;
const BUCKET = "watched";
const BYTES = 64;

/** Targets for the page; see bench/README.md. */
const MOST_MB = 150;
const MOST_TASK_MS = 200;
const MOST_LOAD_MS = 1_000;

const LOADS = 5;
/** Waits until the page is interactive: its heading is visible, and the browser is idle. */
const WATCH_LOAD = `
  globalThis.interactive = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector("main h1") === null) return;
      observer.disconnect();
      requestIdleCallback(() => resolve(performance.now()));
    }).observe(document, { subtree: true, childList: true });
  });`;
const LOOK_MS = 250;
/** Pixels per scroll step: half a page of files. */
const TURN = 4_400;
const TURN_MS = 40;
const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask", buffered: true });`;

/** The cost of a part of the visit. */
interface Cost {
  part: string;
  seconds: number;
  /** JavaScript heap: allocated and in use. */
  heapMb: number;
  usedMb: number;
  /** Private memory of the process of the page. */
  processMb: number;
  longTasks: number;
  longestMs: number;
}

/** Load times of a page in a browser without a cache. */
interface Load {
  path: string;
  medianMs: number;
  slowestMs: number;
}

await run(async () => {
  const { texts, flags } = readArguments(["objects", "work"], ["smoke"]);
  if (noChromium)
    throw new RequirementError("Chromium is missing: apt-get install -y --no-install-recommends chromium");
  const objects = readCount("objects", texts.objects, flags.smoke ? SMOKE_OBJECTS : OBJECTS);
  const work = workFolder(texts.work);
  await using s3 = await fill(objects);
  const { costs, loads } = await withTarget(work, (target) => watch(s3, target, objects));
  console.log(table(loads.map((load) => shownLoad(load, flags.smoke === true))));
  console.log(`\n${table(costs.map((cost) => shown(cost, flags.smoke === true)))}`);
  console.log(`\n${writeResults("page", { objects, loads, costs })}`);
  const isAllMet = costs.every(isMet) && loads.every(({ slowestMs }) => slowestMs < MOST_LOAD_MS);
  if (!flags.smoke && !isAllMet) process.exitCode = 1;
  removeTargets(work);
});

async function fill(objects: number): Promise<S3Server> {
  const s3 = await startS3Server({ keepHistory: false });
  s3.addAccount(KEYS);
  s3.createBucket(BUCKET);
  for (let n = 0; n < objects; n++) {
    const key = `measurements/plot-${String(n % 100).padStart(2, "0")}/reading-${String(n).padStart(7, "0")}.csv`;
    s3.put(BUCKET, key, { seed: `${n}`, size: BYTES });
  }
  return s3;
}

async function watch(s3: S3Server, target: string, objects: number): Promise<{ costs: Cost[]; loads: Load[] }> {
  const service = await ServiceProcess.start(target);
  const browser = await startBrowser();
  try {
    const { id } = await service.submit({ endpoint: s3.endpoint, bucket: BUCKET });
    await using visiting = await visit(browser, "about:blank", { origins: [new URL(service.url).origin] });
    const { page, context } = visiting;
    await page.addInitScript(WATCH_TASKS);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Performance.enable");
    const memory = await processMemory(browser);
    await page.goto(`${service.url}/app/submissions/${id}`);
    await page
      .getByRole("row", { name: /reading/ })
      .first()
      .waitFor({ timeout: 60_000 });
    const ended = service.completed(id);
    const watched = await cost("watched until completed", page, { devtools, memory }, () => scrollUntil(page, ended));
    await page.getByRole("link", { name: "View dataset" }).waitFor({ timeout: 60_000 });
    const scrolled = await cost("scrolled to the last file", page, { devtools, memory }, () =>
      scrollToEnd(page, objects),
    );
    const { dataset } = await ended;
    const opened = await cost("opened as a dataset", page, { devtools, memory }, async () => {
      await page.getByRole("link", { name: "View dataset" }).click();
      await page.getByRole("link", { name: "measurements/", exact: true }).waitFor({ timeout: 60_000 });
    });
    const loads: Load[] = [];
    for (const path of ["", "new", `submissions/${id}`, `datasets/${dataset?.id}`]) {
      loads.push(await load(browser, service.url, path));
    }
    return { costs: [watched, scrolled, opened], loads };
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Opens a page repeatedly, each time without a cache. */
async function load(browser: Browser, url: string, path: string): Promise<Load> {
  const times: number[] = [];
  for (let n = 0; n < LOADS; n++) {
    await using visiting = await visit(browser, "about:blank", { origins: [new URL(url).origin] });
    const { page } = visiting;
    await page.addInitScript(WATCH_LOAD);
    await page.goto(`${url}/app/${path}`);
    times.push(await page.evaluate<number>("interactive"));
  }
  return { path: `/${path.replace(/[^/]*-[^/]*$/, "…")}`, medianMs: median(times), slowestMs: Math.max(...times) };
}

/** Measures memory and long tasks during work. */
async function cost(part: string, page: Page, gauges: Gauges, work: () => Promise<void>): Promise<Cost> {
  const start = performance.now();
  await page.evaluate("longTasks.length = 0");
  const ended = new AbortController();
  const looked = look(gauges, ended.signal);
  try {
    await work();
  } finally {
    ended.abort();
  }
  const tasks = await page.evaluate<number[]>("longTasks");
  const seconds = (performance.now() - start) / 1000;
  return { part, seconds, ...(await looked), longTasks: tasks.length, longestMs: Math.max(0, ...tasks) };
}

interface Gauges {
  devtools: CDPSession;
  memory: () => number;
}

/** Returns the private memory of the largest page process in MB. The browser lists the processes, the kernel their memory. */
async function processMemory(browser: Browser): Promise<() => number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return () => Math.max(...pages.map(privateMb));
}

function privateMb(pid: number): number {
  try {
    const kilobytes = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").matchAll(/^Private_\w+:\s+(\d+) kB$/gm);
    return [...kilobytes].reduce((sum, [, count]) => sum + Number(count) * 1_024, 0) / 1e6;
  } catch {
    // A spare process has ended.
    return 0;
  }
}

/** Returns the maximum until the signal is aborted. */
async function look({ devtools, memory }: Gauges, signal: AbortSignal) {
  let [heapMb, usedMb, processMb] = [0, 0, 0];
  while (!signal.aborted) {
    const { metrics } = await devtools.send("Performance.getMetrics");
    const megabytes = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) / 1e6;
    heapMb = Math.max(heapMb, megabytes("JSHeapTotalSize"));
    usedMb = Math.max(usedMb, megabytes("JSHeapUsedSize"));
    processMb = Math.max(processMb, memory());
    await sleep(LOOK_MS);
  }
  return { heapMb, usedMb, processMb };
}

/** Scrolls down and up. */
async function scrollUntil(page: Page, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  for (let turn = 0; !isOver; turn++) await wheel(page, turn % 40 < 30 ? TURN : -2 * TURN);
  await ended;
}

async function scrollToEnd(page: Page, objects: number): Promise<void> {
  const last = page.locator(`[role=row][aria-rowindex="${objects + 1}"]`);
  while ((await last.count()) === 0) await wheel(page, TURN);
}

async function wheel(page: Page, pixels: number): Promise<void> {
  await page.getByRole("grid").hover();
  await page.mouse.wheel(0, pixels);
  await sleep(TURN_MS);
}

/** Evaluates the target by the JavaScript heap. The memory of the process is only displayed. */
function isMet({ heapMb, longestMs }: Cost): boolean {
  return heapMb < MOST_MB && longestMs <= MOST_TASK_MS;
}

function shownLoad({ path, medianMs, slowestMs }: Load, isSmoke: boolean): Record<string, string> {
  return {
    path: `/app${path}`,
    "interactive after ms, median": medianMs.toFixed(0),
    slowest: slowestMs.toFixed(0),
    [`< ${MOST_LOAD_MS} ms`]: isSmoke ? "" : slowestMs < MOST_LOAD_MS ? "met" : "NOT MET",
  };
}

function shown(cost: Cost, isSmoke: boolean): Record<string, string> {
  return {
    part: cost.part,
    seconds: cost.seconds.toFixed(1),
    "heap MB": cost.heapMb.toFixed(0),
    "in use MB": cost.usedMb.toFixed(0),
    "process MB": cost.processMb.toFixed(0),
    "long tasks": String(cost.longTasks),
    "longest ms": cost.longestMs.toFixed(0),
    [`< ${MOST_MB} MB, ≤ ${MOST_TASK_MS} ms`]: isSmoke ? "" : isMet(cost) ? "met" : "NOT MET",
  };
}
