import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, TestRunner } from "vitest";
import { chromiumPath, lacks, skipNote } from "../tools.ts";

/** For `describe.skipIf(noChromium)`. */
export const noChromium = lacks("Chromium");
/** The end of the name of a group of browser tests. */
export const ifSkipped = skipNote("Chromium");

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Settings of a visitor’s browser. */
export interface Visitor {
  colorScheme?: "light" | "dark";
  locale?: string;
  width?: number;
  height?: number;
  reducedMotion?: "reduce" | "no-preference";
  /** Origins other than the service’s that this visit may lead to, such as an identity provider’s. */
  origins?: string[];
  /** Console errors that the test expects, such as an unavailable service. */
  expected?: RegExp[];
}

/** A visit to the page. Its disposal throws if there were errors, console errors or requests to other hosts. */
export interface Visit extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
}

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this process, which ends with it. Each visit has a new context. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= startBrowser();
  return shared;
}

/** Starts a browser. The caller must close it. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: flags, headless: true });
}

/** Opens an address such as `${service.url}/app/` in a new browser context. */
export async function visit(browser: Browser, address: string, visitor: Visitor = {}): Promise<Visit> {
  const { colorScheme = "light", locale = "en-GB", width = 1280, height = 800, reducedMotion = "reduce" } = visitor;
  const context = await browser.newContext({
    colorScheme,
    locale,
    reducedMotion,
    viewport: { width, height },
    timezoneId: "Europe/Berlin",
  });
  context.setDefaultTimeout(180_000);
  const faults: string[] = [];
  watch(context, new Set([new URL(address).origin, ...(visitor.origins ?? [])]), visitor.expected ?? [], faults);
  const page = await context.newPage();
  await page.goto(address);
  return {
    page,
    context,
    async [Symbol.asyncDispose]() {
      // Requests that are aborted by closing the page are not errors.
      const found = [...faults];
      await context.close();
      if (found.length > 0) throw new Error(`The page has errors:\n${found.join("\n")}`);
    },
  };
}

/** The browser also logs error responses to the console. Tests check how the page displays them. */
const ERROR_RESPONSE = /^Failed to load resource: the server responded with a status of [45]\d\d/;

function watch(context: BrowserContext, origins: Set<string>, expected: RegExp[], faults: string[]): void {
  context.on("weberror", (error) => faults.push(`error: ${error.error().stack ?? error.error().message}`));
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" || ERROR_RESPONSE.test(text) || expected.some((form) => form.test(text))) return;
    faults.push(`console: ${text}`);
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol === "data:" || protocol === "blob:" || origins.has(origin)) return;
    faults.push(`a request to another host: ${request.url()}`);
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** The violations that axe finds on the current page, by WCAG 2.2 AA and its best practices; empty if there are none. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  // `preload` would fetch style sheets again, which the content security policy forbids and no rule requires.
  const { violations } = await page.evaluate<AxeResults>("axe.run({ preload: false })");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/** Elements that moved without user input since the page was opened. */
export async function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`new Promise((resolve) => {
    const moved = [];
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) for (const { node, previousRect, currentRect } of sources) moved.push(JSON.stringify([previousRect, currentRect]) + (node?.outerHTML ?? "").slice(0, 60));
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)));
  })`);
}

const checked = new Set<string>();

/** Whether the test checks every state of a page in both colour schemes: an extended test, or a run of extended tests. */
function checksEveryState(): boolean {
  return process.env.EXTENDED !== undefined || TestRunner.getCurrentTest()?.tags?.includes("extended") === true;
}

/** Whether axe should run here. The tests of `npm test` check each page once in each file, in its first state. */
function isDue(page: Page): boolean {
  if (checksEveryState()) return true;
  const path = new URL(page.url()).pathname.replaceAll(/[0-9a-f-]{36}/g, "ID");
  const place = `${expect.getState().testPath} ${path}`;
  if (checked.has(place)) return false;
  checked.add(place);
  return true;
}

/** Fails if axe finds a violation on the page as it is shown. `npm test` checks a page once. */
export async function expectNoViolations(page: Page, message?: string): Promise<void> {
  if (isDue(page)) expect(await axe(page), message).toEqual([]);
}

/**
 * Fails if axe finds a violation on the page in either colour scheme, or if an element is wider than a phone. `npm test`
 * checks a page once, in the light scheme.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!isDue(page)) return;
  for (const colorScheme of checksEveryState() ? (["light", "dark"] as const) : (["light"] as const)) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: "attached" });
    expect(await axe(page)).toEqual([]);
  }
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  // Parts that a script arranges by the width follow the next rendering.
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await page.setViewportSize(size);
}
