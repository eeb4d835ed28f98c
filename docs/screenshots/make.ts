/**
 * Takes the screenshots in docs/screenshots/: `npm run screenshots`. With names, only those. With `--all FOLDER`, writes
 * screenshots with every width, colour scheme and language to that folder, for review.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { startBrowser, visit } from "../../tests/support/page/browser.ts";
import { buildIfStale } from "../../web/build/page.ts";
import { startDemoService, startEmptyService } from "./demo-service.ts";
import { startPublicService } from "./public-service.ts";
import { type Screenshot, type Shown, screenshots } from "./screenshots.ts";

interface Variant {
  suffix: string;
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  locale: string;
}

const HEIGHTS = { 390: 844, 1280: 800, 1920: 1080 } as const;
const WIDTHS = [390, 1280, 1920] as const;

/** The variants that the documentation uses. */
const kept: Variant[] = [variant(1280, "light", "en"), variant(1280, "dark", "en"), variant(390, "light", "en")];
const all: Variant[] = WIDTHS.flatMap((width) =>
  (["light", "dark"] as const).flatMap((scheme) => ["en", "de"].map((language) => variant(width, scheme, language))),
);

function variant(width: (typeof WIDTHS)[number], colorScheme: "light" | "dark", language: string): Variant {
  const locale = language === "de" ? "de-DE" : "en-GB";
  return { suffix: `${width}-${colorScheme}-${language}`, width, height: HEIGHTS[width], colorScheme, locale };
}

async function take(
  browser: Browser,
  screenshot: Screenshot,
  demo: Shown,
  url: string,
  variants: Variant[],
  folder: string,
) {
  for (const { suffix, ...visitor } of variants) {
    await using visiting = await visit(browser, url + screenshot.path(demo), visitor);
    await screenshot.prepare(visiting.page, demo);
    await visiting.page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
    await visiting.page.screenshot({ path: join(folder, `${screenshot.name}-${suffix}.png`), fullPage: true });
  }
}

const { values, positionals } = parseArgs({ options: { all: { type: "string" } }, allowPositionals: true });
const folder = values.all ?? import.meta.dirname;
const variants = values.all === undefined ? kept : all;
await mkdir(folder, { recursive: true });
await buildIfStale();
await using demo = await startDemoService();
await using empty = await startEmptyService();
await using closed = await startEmptyService({ ACCESSION_AUTH: "tokens" });
await using open = await startPublicService();
const urls = { empty: empty.url, closed: closed.url, public: open.url };
const shown = { ...demo, published: open.dataset };
const browser = await startBrowser();
try {
  for (const screenshot of screenshots) {
    if (positionals.length > 0 && !positionals.includes(screenshot.name)) continue;
    const url = screenshot.on === undefined ? demo.url : urls[screenshot.on];
    await take(browser, screenshot, shown, url, variants, folder);
  }
} finally {
  await browser.close();
}
