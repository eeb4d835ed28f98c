import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FILES = {
  "README.md": "# Barley roots\n",
  "plots/2024.csv": "plot;depth\n1;20\n",
  "plots/2025.csv": "plot;depth\n1;25\n",
  "plots/empty.csv": "",
};

describe.skipIf(noChromium)(`an upload in the submission form ${ifSkipped}`, () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    [service, browser, folder] = await Promise.all([
      startTestService(),
      sharedBrowser(),
      mkdtemp(join(tmpdir(), "accession-upload-page-")),
    ]);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function write(name: string, files: Record<string, string | Buffer>): Promise<string> {
    const at = join(folder, name);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(at, path)), { recursive: true });
      await writeFile(join(at, path), content);
    }
    return at;
  }

  async function open(visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app/new`, visitor);
    await visiting.page.getByRole("radio", { name: /Upload from this computer|Von diesem Computer/ }).check();
    return visiting;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const choose = (page: Page, path: string) => page.locator("input[webkitdirectory]").setInputFiles(path);
  const status = (page: Page, words: string) => page.getByRole("heading", { level: 3, name: words }).waitFor();
  const go = (page: Page, part: RegExp) =>
    page.getByRole("navigation", { name: "Sections of the form" }).getByRole("button", { name: part }).click();

  async function submit(page: Page, title: string): Promise<string> {
    await go(page, /^Description/);
    await page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
    await go(page, /^Authors/);
    await page.getByRole("textbox", { name: "Last name", exact: true }).fill("Carberry");
    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    return page.url().split("/").at(-1) ?? "";
  }

  async function archived(id: string): Promise<string[]> {
    const { dataset } = await service.api.until(id, ["completed"]);
    const files = await service.api.get(`/dataset/${dataset?.id}/files`);
    return files.json.map(({ path }: { path: string }) => path);
  }

  test("sends a folder while the form is filled in, and is submitted and archived", async () => {
    const chosen = await write("first", FILES);
    await using visiting = await open();
    const { page } = visiting;
    await choose(page, chosen);
    await status(page, "All files have arrived");
    await page.getByText("4 of 4 files").waitFor();
    await expectAccessible(page);
    await go(page, /^Review/);
    await page.getByRole("region", { name: "Data source" }).getByText("4 files").waitFor();
    const id = await submit(page, "Barley roots, uploaded");
    expect((await archived(id)).filter((path) => path.startsWith("data/"))).toEqual(
      Object.keys(FILES).map((path) => `data/${path}`),
    );
    expect((await service.api.get("/uploads")).json).toEqual([]);
    expect(await page.evaluate("localStorage.getItem('accession.draft')")).toBeNull();
  });
});
