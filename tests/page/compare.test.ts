/** @module-tag extended */
import { globSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { siteScripts } from "../../src/http/page/site-scripts.ts";
import { publishAs } from "../support/api/published.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const pageFolder = join(import.meta.dirname, "../../dist/web");
const ODD = "plots/Zürich \u202etxt.exe";
const FILES: Record<string, string> = {
  "README.md": "# Plots",
  "plots/a.csv": "1;2",
  "plots/b.csv": "3;4",
  "plots/c.csv": "5;6",
  [ODD]: "turned around",
  "empty.dat": "",
};
/** The copy: one file with the same size and other content, one with another size, one missing and one more. */
const COPY: Record<string, string> = {
  "README.md": "# Plots",
  "plots/a.csv": "1;3",
  "plots/b.csv": "3;4;5",
  [ODD]: "turned around",
  "empty.dat": "",
  "plots/more.csv": "",
};

async function write(folder: string, files: Record<string, string>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

describe.skipIf(noChromium)(`comparing a copy with a dataset ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let folder: string;
  let dataset: string;

  beforeAll(async () => {
    [browser, s3, service, folder] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ACCESSION_PUBLICATION: "direct" }),
      mkdtemp(join(tmpdir(), "accession-compare-page-")),
    ]);
    dataset = (await publishAs(service, s3, { files: FILES })).dataset;
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  });

  const address = () => `${service.url}/app/datasets/${dataset}`;
  const section = (page: Page, name = "Is your copy genuine?") => page.getByRole("region", { name });
  const chosenFolder = (part: Locator) => part.locator("input[webkitdirectory]");
  const chosenFiles = (part: Locator) => part.locator("input:not([webkitdirectory])");
  const results = async (part: Locator) => {
    const entries = await part.getByRole("list", { name: "Results" }).getByRole("listitem").allInnerTexts();
    return entries.map((entry) => entry.replaceAll(/\s*\n\s*/g, " ").trim());
  };

  test("a folder has identical, different, missing and unknown files, with counts that filter the list", async () => {
    const copy = await write(join(folder, "changed"), COPY);
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const part = section(page);
    await chosenFolder(part).setInputFiles(copy);
    await part.getByText("Your copy is not identical to the dataset.").waitFor();
    await part.getByText("Your folder was compared with the content of “data”.").waitFor();
    expect(await results(part)).toEqual([
      expect.stringMatching(/^Different data\/plots\/[ab]\.csv other (content|size)$/),
      expect.stringMatching(/^Different data\/plots\/[ab]\.csv other (content|size)$/),
      "Missing data/plots/c.csv",
      "Unknown plots/more.csv",
      ...["README.md", "empty.dat", "plots/Zürich ␦txt.exe"].map(() => expect.stringMatching(/^Identical data\//)),
    ]);
    expect(await part.getByRole("button", { name: /\(\d\)$/ }).allInnerTexts()).toEqual([
      "All (7)",
      "Different (2)",
      "Missing (1)",
      "Unknown (1)",
      "Identical (3)",
    ]);
    await part.getByRole("button", { name: "Missing (1)" }).press("Enter");
    expect(await results(part)).toEqual(["Missing data/plots/c.csv"]);
    await part.getByText("The dataset has this file, and your folder does not.").waitFor();
    await expectAccessible(page);
    // Nothing is uploaded.
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(requests.some((request) => request.includes("/app/assets/hash-worker-"))).toBe(true);
  });

  test("an identical copy and single files are confirmed", { tags: "extended" }, async () => {
    const copy = await write(join(folder, "same"), FILES);
    const bag = Object.entries(FILES).map(([path, text]) => [`id/data/${path}`, text]);
    const unpacked = await write(join(folder, "bag"), { ...Object.fromEntries(bag), "id/bagit.txt": "" });
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const part = section(page);
    await chosenFolder(part).setInputFiles(copy);
    await part.getByText("Your copy is identical: all 6 files.").waitFor();
    await chosenFolder(part).setInputFiles(unpacked);
    await part.getByText("Your folder was compared as an unpacked package").waitFor();
    await part.getByRole("button", { name: "Identical (6)" }).waitFor();
    expect((await results(part)).filter((entry) => entry.startsWith("Missing data/"))).toEqual([]);
    await chosenFiles(part).setInputFiles([join(copy, "plots/a.csv"), join(copy, "README.md")]);
    await part.getByText("All 2 files are identical to files of the dataset.").waitFor();
    await chosenFiles(part).setInputFiles([join(copy, "plots/a.csv"), import.meta.filename]);
    await part.getByText("Not all files are identical to files of the dataset.").waitFor();
    expect(await results(part)).toEqual(["Unknown compare.test.ts", "Identical data/plots/a.csv"]);
  });

  test("files with other names in a bag are recognised", { tags: "extended" }, async () => {
    const { dataset: odd } = await publishAs(service, s3, { files: { "a.csv": "1", "run/": "2" } });
    const names = { "bagit.txt": "", "ro-crate-metadata.json": "{}", "data/a.csv": "1", "data/=keys/run/=": "2" };
    const bag = await write(join(folder, "odd-bag"), names);
    await using visiting = await visit(browser, `${service.url}/app/datasets/${odd}`);
    const part = section(visiting.page);
    await chosenFolder(part).setInputFiles(bag);
    await part.getByRole("button", { name: "Identical (2)" }).waitFor();
    const found = await results(part);
    expect(found.filter((entry) => /^(Different|Unknown)|^Missing data/.test(entry))).toEqual([]);
    expect(found).toContain("Identical data/%keys/run/%");
    await chosenFiles(part).setInputFiles(join(bag, "data/=keys/run/="));
    await part.getByText("The file is identical to a file of the dataset.").waitFor();
  });

  test("the comparison can be cancelled by keyboard, and the list of files can be unavailable", {
    tags: "extended",
  }, async () => {
    const copy = await write(join(folder, "cancelled"), FILES);
    await using visiting = await visit(browser, address(), { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    const part = section(page);
    await part.waitFor();
    let isHeld = true;
    await page.route("**/files?*limit=1000*", (route) => (isHeld ? undefined : route.abort()));
    await part.getByRole("button", { name: "Choose folder" }).focus();
    await chosenFolder(part).setInputFiles(copy);
    const cancel = part.getByRole("button", { name: "Cancel" });
    await cancel.waitFor();
    await part.getByRole("progressbar", { name: "Comparing files" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Cancel");
    await page.keyboard.press("Enter");
    await part.getByText("The comparison was cancelled.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Choose folder");
    isHeld = false;
    await chosenFolder(part).setInputFiles(copy);
    await part.getByText("The list of archived files could not be loaded.").waitFor();
  });

  test("a file can be dropped, and the section is in German on German pages", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address(), { locale: "de-DE" });
    const { page } = visiting;
    const part = section(page, "Ist Ihre Kopie unverändert?");
    await part.waitFor();
    await page.evaluate(`{
      const dropped = new DataTransfer();
      dropped.items.add(new File(["# Plots"], "README.md"));
      document.querySelector(".compare-zone").dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }`);
    await part.getByText("Die Datei ist mit einer Datei des Datensatzes identisch.").waitFor();
  });

  test("a server-rendered page includes the script under a policy without WebAssembly and inline code", {
    tags: "extended",
  }, async () => {
    const copy = await write(join(folder, "landing"), COPY);
    const { compare } = await siteScripts({ pageFolder, basePath: "" });
    const { script, styles } = compare ?? expect.fail("not built");
    const links = ["/landing.css", ...styles].map((href) => `<link rel="stylesheet" href="${href}">`).join("");
    await using visiting = await visit(browser, "about:blank", { origins: [service.url] });
    const { page } = visiting;
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";
    await page.route("**/landing", (route) =>
      route.fulfill({
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": policy },
        body: `<!doctype html><html lang="en"><head><meta name="color-scheme" content="light dark"><title>Dataset</title>${links}<script type="module" src="${script}"></script></head>
          <body><main><h1>Dataset</h1><div data-compare data-files="/dataset/${dataset}/files?version=1"></div></main></body></html>`,
      }),
    );
    await page.route("**/landing.css", (route) =>
      route.fulfill({ contentType: "text/css", body: "body { background: Canvas; color: CanvasText }" }),
    );
    await page.goto(`${service.url}/landing`);
    const part = page.locator("[data-compare]");
    await part.getByRole("heading", { level: 2, name: "Is your copy genuine?" }).waitFor();
    await chosenFolder(part).setInputFiles(copy);
    await part.getByText("Your copy is not identical to the dataset.").waitFor();
    await part.getByRole("button", { name: "Identical (3)" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });

  test("the worker that hashes files may use WebAssembly, and may not send anything", async () => {
    const [worker = expect.fail("not built")] = globSync("assets/hash-worker-*.js", { cwd: pageFolder });
    const answer = await fetch(`${service.url}/app/${worker}`);
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'");
    const other = await fetch(`${service.url}/app/`);
    expect(other.headers.get("content-security-policy")).not.toContain("wasm");
  });
});
