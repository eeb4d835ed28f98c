/**
 * Takes the pictures of docs/screenshots/: `npm run screenshots`. With names only those; with `--all FOLDER` into that
 * folder, every width, scheme and language, for looking at.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { startBrowser, visit } from "../../tests/support/page/browser.ts";
import { buildIfStale } from "../../web/build/page.ts";
import { type DemoService, startDemoService, startEmptyService } from "./demo-service.ts";
import { type Screenshot, screenshots } from "./screenshots.ts";

interface Look {
  suffix: string;
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  locale: string;
}

const HEIGHTS = { 390: 844, 1280: 800, 1920: 1080 } as const;
const WIDTHS = [390, 1280, 1920] as const;

/** What the documents show. */
const kept: Look[] = [look(1280, "light", "en"), look(1280, "dark", "en"), look(390, "light", "en")];
const all: Look[] = WIDTHS.flatMap((width) =>
  (["light", "dark"] as const).flatMap((scheme) => ["en", "de"].map((language) => look(width, scheme, language))),
);

function look(width: (typeof WIDTHS)[number], colorScheme: "light" | "dark", language: string): Look {
  const locale = language === "de" ? "de-DE" : "en-GB";
  return { suffix: `${width}-${colorScheme}-${language}`, width, height: HEIGHTS[width], colorScheme, locale };
}

async function take(
  browser: Browser,
  picture: Screenshot,
  stage: DemoService,
  url: string,
  looks: Look[],
  folder: string,
) {
  for (const { suffix, ...visitor } of looks) {
    await using visiting = await visit(browser, url + picture.path(stage), visitor);
    await picture.prepare(visiting.page, stage);
    await visiting.page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
    await visiting.page.screenshot({ path: join(folder, `${picture.name}-${suffix}.png`), fullPage: true });
  }
}

const { values, positionals } = parseArgs({ options: { all: { type: "string" } }, allowPositionals: true });
const folder = values.all ?? import.meta.dirname;
const looks = values.all === undefined ? kept : all;
await mkdir(folder, { recursive: true });
await buildIfStale();
await using stage = await startDemoService();
await using empty = await startEmptyService();
await using closed = await startEmptyService({ ACCESSION_AUTH: "tokens" });
const urls = { empty: empty.url, closed: closed.url };
const browser = await startBrowser();
try {
  for (const picture of screenshots) {
    if (positionals.length > 0 && !positionals.includes(picture.name)) continue;
    const url = picture.on === undefined ? stage.url : urls[picture.on];
    await take(browser, picture, stage, url, looks, folder);
  }
} finally {
  await browser.close();
}
