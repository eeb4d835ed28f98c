import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs } from "../support/api/published.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { axe, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its files are open, and not under the embargo of the example. */
const { embargoDate: _, ...openMetadata } = maximalMetadata;

/** The parts of a page that are wider than their space. */
const SCROLLED = `[...document.querySelectorAll(".scroll")].filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => part.className)`;

describe.skipIf(noChromium)(`public pages${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  const paths: Record<string, string> = { "the catalogue": "/", "a search": "/?q=barley&subject=rhizotron" };

  beforeAll(async () => {
    s3 = await startS3Server();
    service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
    browser = await sharedBrowser();
    const files = {
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`a long folder name/${"x".repeat(90)}${n}`, "1"])),
      "plots.csv": "plot;depth\n1;20\n",
      "README.md":
        "# Plots\n\n- [x] measured [twice](plots.csv)\n\n| plot | depth |\n| --- | --- |\n| 1 | 20 |\n\n```\ncode\n```\n",
    };
    paths["a landing page"] = `/dataset/${(await publishAs(service, s3, { metadata: openMetadata, files })).dataset}`;
    paths["the page of a file"] = `${paths["a landing page"]}/preview/data/plots.csv`;
    paths["a folder"] = `${paths["a landing page"]}?folder=a+long+folder+name/`;
    paths["a folder that does not exist"] = `${paths["a landing page"]}?folder=none/`;
    const request = { access: "embargoed", embargoDate: "2099-05-01", reason: "An article" };
    const embargoed = await publishAs(service, s3, {
      metadata: { ...goodMetadata, title: "Barley of later" },
      request,
    });
    paths["an embargoed dataset"] = `/dataset/${embargoed.dataset}`;
    const gone = await publishAs(service, s3);
    await gone.done("none", "withdraw", { reason: "A mistake" });
    paths["a withdrawn dataset"] = `/dataset/${gone.dataset}`;
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
  });

  async function expectFits(page: Page, width: number): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  }

  const IS_ACCESSIBLE = "%s is accessible in both colour schemes and languages, and fits on every screen";
  test.each(["the catalogue", "a landing page"])(IS_ACCESSIBLE, { tags: "extended" }, testAccessible);
  test.each([
    "the page of a file",
    "a folder",
    "a folder that does not exist",
    "a search",
    "an embargoed dataset",
    "a withdrawn dataset",
  ])(IS_ACCESSIBLE, { tags: "extended" }, testAccessible);

  async function testAccessible(name: string): Promise<void> {
    for (const locale of ["en-GB", "de-DE"]) {
      await using visited = await visit(browser, service.url + paths[name], { locale });
      const { page } = visited;
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axe(page)).toEqual([]);
      }
      for (const width of [390, 768, 1280, 1920]) {
        await expectFits(page, width);
        // No table needs to be scrolled sideways, on a phone neither.
        expect(await page.evaluate(SCROLLED)).toEqual([]);
      }
    }
  }

  test("without scripts, people search, narrow down, open a dataset and a file with the keyboard", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.hash === "#content");
    await page.getByRole("searchbox").fill("barley");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "2 datasets for “barley”" }).waitFor();
    await page.getByRole("link", { name: "Open access" }).press("Enter");
    await page.getByRole("heading", { name: "1 dataset for “barley”" }).waitFor();
    await page.getByRole("link", { name: /^Remove the filter Open access/ }).press("Enter");
    await page.getByRole("link", { name: maximalMetadata.title }).press("Enter");
    await page.getByRole("heading", { level: 1, name: maximalMetadata.title }).waitFor();
    await page.getByRole("link", { name: "a long folder name/" }).press("Enter");
    await page.getByRole("link", { name: "All files", exact: true }).waitFor();
    await page.getByRole("link", { name: "Deutsch" }).press("Enter");
    await page.getByRole("heading", { name: "Dateien" }).waitFor();
    await page.getByRole("link", { name: "Alle Dateien", exact: true }).press("Enter");
    await page.getByRole("link", { name: "Vorschau von plots.csv" }).press("Enter");
    await page.getByRole("cell", { name: "20" }).waitFor();
    await page.getByRole("link", { name: maximalMetadata.title }).press("Enter");
    await page.getByRole("link", { name: "a long folder name/" }).waitFor();
    await context.close();
  });

  test("the citation is copied", async () => {
    await using visited = await visit(browser, service.url + paths["a landing page"]);
    const { page, context } = visited;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the citation" }).press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
      /^Carberry, Josiah; .* \(2026\)\. .*http\S+$/,
    );
  });

  test("on paper, a landing page has no navigation, and the address of every reference", {
    tags: "extended",
  }, async () => {
    await using visited = await visit(browser, service.url + paths["a folder"]);
    await visited.page.emulateMedia({ media: "print" });
    expect(await visited.page.getByRole("searchbox").isVisible()).toBe(false);
    expect(await visited.page.getByRole("link", { name: "Download all files (ZIP)" }).isVisible()).toBe(false);
    expect(await visited.page.getByText("Carberry, Josiah").first().isVisible()).toBe(true);
    const digest = visited.page
      .getByRole("row")
      .getByText(/^[0-9a-f]{128}$/)
      .first();
    expect(await digest.isVisible()).toBe(true);
  });
});
