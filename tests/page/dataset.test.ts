import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import { archiveOddDataset, OBJECTS, ODD_NAME, type OddDataset } from "../support/data-source/odd-dataset.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  layoutShifts,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const sha512 = (content: Buffer | string) => createHash("sha512").update(content).digest("hex");
const saved = async (download: Download) => readFile(await download.path());
const MISSING = "00000000-0000-4000-8000-000000000000";

describe.skipIf(noChromium)(`the dataset page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let dataset: OddDataset;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([sharedBrowser(), startS3Server(), startTestService()]);
    dataset = await archiveOddDataset(service, s3, { ...DEMO_METADATA, embargoDate: "2099-05-01" });
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
  });

  const address = (query = "") => `${service.url}/app/datasets/${dataset.id}${query}`;
  const files = (page: Page) => page.getByRole("region", { name: "Files" });
  const opened = (page: Page) => page.getByRole("dialog");

  test("shows the description, the authors and the verification of the dataset", async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    await page.getByRole("heading", { level: 1, name: DEMO_METADATA.title }).waitFor();
    const orcid = page.getByRole("link", { name: "ORCID record of Carberry, Josiah" });
    expect(await orcid.getAttribute("href")).toBe("https://orcid.org/0000-0002-1825-0097");
    const about = page.getByRole("region", { name: "Details" });
    await about.getByText("if they credit the authors").waitFor();
    await about.getByText("1 May 2099").waitFor();
    await about.getByText("English").waitFor();
    await page.getByRole("region", { name: "Verification" }).getByText("14 files match").waitFor();
    const download = page.getByRole("region", { name: "Download" });
    await download.getByText("1 file has a name that is not possible on every system.").waitFor();
    await download.locator("summary", { hasText: "Show names" }).press("Enter");
    await download.getByText(`data/${ODD_NAME}`).waitFor();
    await download.getByText("Windows does not allow a character of this name.").waitFor();
    await page.getByText("accession dataset get").waitFor();
    await page.locator("summary", { hasText: "How do I install the command-line tool?" }).press("Enter");
    const installing = await readFile("docs/how-to/own-bucket.md", "utf8");
    const shown = await page.getByText("mkdir -p ~/.local/bin").textContent();
    expect(installing).toContain(shown);
    expect(shown).toContain("accession.ts");
    await page.getByText(`export ACCESSION_URL=${service.url}`).waitFor();
    await page.locator("summary", { hasText: "How do I check a BagIt package?" }).press("Enter");
    const check = await page.getByText("cat manifest-sha512.txt").textContent();
    expect(await readFile("docs/datasets.md", "utf8")).toContain(check);
    const next = page.getByRole("link", { name: "New version" });
    expect(await next.getAttribute("href")).toBe(`/app/new?dataset=${dataset.id}`);
  });

  test("texts of any length, their markup and all authors are complete at once, also on paper", {
    tags: "extended",
  }, async () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
    const authors = Array.from({ length: 13 }, (_, n) => ({ ...DEMO_METADATA.authors[0], lastName: `Author${n}` }));
    await using source = await startS3Server();
    const { id } = await archiveOddDataset(service, source, {
      ...DEMO_METADATA,
      authors,
      description: `<p>Roots of <i>Hordeum vulgare</i></p><p>${words}</p>`,
      descriptions: [
        { description: "step\n".repeat(40), descriptionType: "Methods" },
        { description: "Nothing but a line.", descriptionType: "TechnicalInfo" },
      ],
    });
    await using visiting = await visit(browser, `${service.url}/app/datasets/${id}`);
    const { page } = visiting;
    const description = page.getByRole("region", { name: "Description" });
    await description.locator("i", { hasText: "Hordeum vulgare" }).waitFor();
    await description.getByText("word399").waitFor();
    await description.getByRole("heading", { name: "Methods" }).waitFor();
    await description.getByText("Nothing but a line.").waitFor();
    await page.getByRole("list", { name: "Authors" }).getByText("Author12").waitFor();
    // Nothing of them is hidden by its box.
    const hidden = () =>
      page.evaluate<number>(
        `[...document.querySelectorAll(".site-parts div")].filter((one) => one.scrollHeight > one.clientHeight + 1).length`,
      );
    expect(await hidden()).toBe(0);
    await expectAccessible(page);
    await page.emulateMedia({ media: "print" });
    await description.getByText("word399").waitFor();
    expect(await hidden()).toBe(0);
  });

  test("shows the citation, and downloads it in each format, identical to the API’s response", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const cite = page.getByRole("region", { name: "Cite" });
    const csl = await service.api.get(`/dataset/${dataset.id}/export/csl?version=2`);
    const year = JSON.parse(csl.text).issued["date-parts"][0][0];
    await cite
      .locator("#citation")
      .getByText(`Carberry, Josiah (${year}). ${DEMO_METADATA.title} (Version 2)`)
      .waitFor();
    await cite.locator("summary", { hasText: "Other citation styles" }).press("Enter");
    await cite.getByText(`Carberry, J. (${year}). ${DEMO_METADATA.title} (Version 2) [Data set]. Accession.`).waitFor();
    for (const [label, format] of [
      ["BibTeX", "bibtex"],
      ["RIS", "ris"],
      ["CSL-JSON", "csl"],
    ] as const) {
      const saving = page.waitForEvent("download");
      await cite.getByRole("link", { name: label }).click();
      const { text } = await service.api.get(`/dataset/${dataset.id}/export/${format}?version=2`);
      expect((await saved(await saving)).toString()).toBe(text);
      if (format === "bibtex") expect(await cite.locator("pre").first().textContent()).toBe(text.trim());
    }
  });

  test("shows both versions and what changed between them", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const versions = page.getByRole("region", { name: "Versions" });
    await versions.getByText("1 added · 1 changed · 1 removed · 12 unchanged").waitFor();
    await files(page).getByRole("link", { name: "added.txt", exact: true }).waitFor();
    await versions.getByRole("link", { name: "Version 1" }).click();
    await page.getByText("There is a newer version of this dataset.").waitFor();
    await files(page).getByRole("link", { name: "empty.dat", exact: true }).waitFor();
    expect(await files(page).getByRole("link", { name: "added.txt", exact: true }).count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?version=1");
    await page.getByRole("link", { name: "View latest version" }).click();
    await files(page).getByRole("link", { name: "added.txt", exact: true }).waitFor();
  });

  test("adds no history entry when a file is closed, and reports a file or folder that does not exist", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, address("?folder=data/images"));
    const { page } = visiting;
    await page.goto(address());
    await files(page).getByRole("link", { name: "data.csv", exact: true }).click();
    await opened(page).waitFor();
    await page.keyboard.press("Escape");
    await opened(page).waitFor({ state: "detached" });
    await page.goBack();
    await files(page).getByRole("link", { name: "data.csv", exact: true }).waitFor();
    expect(await opened(page).count()).toBe(0);
    await page.goto(address("?file=data/gone.csv"));
    await page.getByRole("alert").getByText("This version does not contain the file data/gone.csv.").waitFor();
    await page.goto(address("?folder=data/gone"));
    await page.getByRole("alert").getByText("This version of the dataset has no folder “gone/”.").waitFor();
    await expectNoViolations(page);
  });

  test.each([390, 1280])("loads without layout shifts at %i px", { tags: "extended" }, async (width) => {
    await using visiting = await visit(browser, address(), { width, height: 844 });
    const { page } = visiting;
    await files(page).getByRole("link", { name: "data.csv", exact: true }).waitFor();
    await page.getByText("unchanged").first().waitFor();
    expect(await layoutShifts(page)).toEqual([]);
  });

  test("navigates folders, and finds files by name", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    await files(page).getByRole("link", { name: "images/", exact: true }).click();
    await files(page).getByRole("link", { name: "leaf.png", exact: true }).waitFor();
    await files(page).getByText("In this folder: 3 files").waitFor();
    await files(page).getByRole("navigation", { name: "Path of the folder" }).getByText("All files").click();
    await files(page).getByText("Files that the archive has added").click();
    await files(page).getByRole("link", { name: "ro-crate-metadata.json", exact: true }).click();
    await opened(page).getByText("Created by this archive").waitFor();
    await page.goBack();
    await opened(page).waitFor({ state: "detached" });
    await page.goBack();
    await files(page).getByRole("link", { name: "leaf.png", exact: true }).waitFor();
    const search = files(page).getByRole("searchbox", { name: "Search file names" });
    await search.fill("ROOT.");
    await search.press("Enter");
    await files(page).getByText("1 file found.").waitFor();
    await page.getByRole("status").getByText("1 file found.").waitFor();
    const found = files(page).getByRole("link", { name: "images/scans/deep/down/root.png", exact: true });
    await found.waitFor();
    // The field has the focus still, so that another word can be tried.
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("find");
    await found.click();
    await opened(page).getByRole("heading", { name: "root.png" }).waitFor();
    await page.reload();
    await opened(page).getByRole("heading", { name: "root.png" }).waitFor();
    await page.keyboard.press("Escape");
    await found.waitFor();
    expect(new URL(page.url()).search).toBe("?find=ROOT.");
    await files(page).getByRole("link", { name: "All files", exact: true }).click();
    await files(page).getByRole("link", { name: "data.csv", exact: true }).waitFor();
  });

  test("opens folders and a file by keyboard, and returns the focus to the list entry", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const row = (name: string) => files(page).getByRole("link", { name, exact: true });
    const has = (name: string) => expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(name);
    await row("images/").focus();
    await page.keyboard.press("Enter");
    // The first entry of the folder.
    await has("scans/");
    await row("leaf.png").focus();
    await page.keyboard.press("Enter");
    await opened(page).getByRole("img", { name: "Contents of leaf.png" }).waitFor();
    await page.keyboard.press("Escape");
    await opened(page).waitFor({ state: "detached" });
    await has("leaf.png");
  });

  test.each([
    ["data.csv", "a broken line"],
    ["latin1.txt", "Zürich, naïve"],
    ["utf16.txt", "Grüße"],
    ["long.txt", "Only the beginning of the file is shown."],
    ["empty.dat&version=1", "The file is empty."],
    ["instrument.bin", "No preview is available for this file type."],
    ["images/not-a-picture.png", "this is text"],
  ])("previews %s", { tags: "extended" }, async (path, text) => {
    await using visiting = await visit(browser, address(`?file=data/${path}`));
    await opened(visiting.page).getByText(text).first().waitFor();
  });

  test("displays an image file as an image", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address("?folder=data/images&file=data/images/leaf.png"));
    const picture = opened(visiting.page).getByRole("img", { name: "Contents of leaf.png" });
    await picture.waitFor();
    const width = () =>
      visiting.page.evaluate(`document.querySelector("img[alt='Contents of leaf.png']").naturalWidth`);
    await expect.poll(width).toBe(64);
  });

  const IS_TEXT = "shows %s as text, and executes no code from it";
  test.each(["hostile.html"])(IS_TEXT, expectText);
  test.each(["hostile.svg"])(IS_TEXT, { tags: "extended" }, expectText);

  async function expectText(name: string): Promise<void> {
    await using visiting = await visit(browser, address(`?file=data/${name}`));
    const { page } = visiting;
    await opened(page).getByText("taken over").first().waitFor();
    expect(await opened(page).locator("pre").textContent()).toBe(OBJECTS[name]);
    expect(await opened(page).locator("iframe, object, embed, svg[onload], img").count()).toBe(0);
    expect(await page.title()).not.toContain("taken over");
  }

  test("requests only the part of a long text that it shows", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const asked = page.waitForRequest(/files\/data\/long\.txt/);
    await files(page).getByRole("link", { name: "long.txt", exact: true }).click();
    expect((await asked).headers().range).toBe("bytes=0-262143");
    await opened(page).getByText("Only the beginning of the file is shown.").waitFor();
  });

  test("downloads a file with an unusual name byte for byte, a folder, and all files", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, address(`?file=${encodeURIComponent(`data/${ODD_NAME}`)}`));
    const { page } = visiting;
    const saving = page.waitForEvent("download");
    await opened(page).getByRole("link", { name: "Download" }).click();
    expect(sha512(await saved(await saving))).toBe(sha512(OBJECTS[ODD_NAME] ?? ""));
    expect(await opened(page).locator("code").first().textContent()).toBe(sha512(OBJECTS[ODD_NAME] ?? ""));
    await opened(page).getByRole("button", { name: "Close" }).click();
    await page.goto(address("?folder=data/odd names"));
    for (const name of ["Download all files (ZIP)", "Download as BagIt (ZIP)", "Download (ZIP)"]) {
      const packing = page.waitForEvent("download");
      await page.getByRole("link", { name, exact: true }).click();
      const zip = await saved(await packing);
      expect([name, zip.subarray(0, 4).toString("latin1")]).toEqual([name, "PK\x03\x04"]);
      expect(zip.includes(name === "Download (ZIP)" ? "odd but fine" : "Measured three times.")).toBe(true);
    }
  });

  describe("the receipt page", () => {
    const receiptOf = (number: number, visitor = {}) =>
      visit(browser, `${service.url}/app/receipts/${dataset.submissions[number - 1]}`, visitor);

    test("verifies the signature, shows the statements of the receipt, and downloads the signed receipt unchanged", {
      tags: "extended",
    }, async () => {
      await using visiting = await visit(browser, address());
      const { page } = visiting;
      await page.getByRole("link", { name: "View receipt" }).click();
      await page
        .getByRole("heading", { level: 1, name: `Receipt for version 2 of “${DEMO_METADATA.title}”` })
        .waitFor();
      await page.getByText("The signature is valid.").waitFor();
      const { json } = await service.api.get("/.well-known/jwks.json");
      await page.getByText(`with the key ${json.keys[0].kid}`).waitFor();
      await page.getByText("Yes. You can delete the source data.", { exact: true }).waitFor();
      const { text } = await service.api.get(`/submission/${dataset.submissions[1]}/receipt`);
      const payload = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
      for (const said of [payload.statement, payload.dataset.identifier, payload.source.endpoint, payload.issuer.url]) {
        await page.getByText(said).first().waitFor();
      }
      const changes = page.getByRole("table", { name: "Changes since version 1" });
      expect((await changes.innerText()).replaceAll(/\s+/g, " ")).toContain(
        "New 1 Changed 1 Removed 1 Unchanged 12 of which not read again 12",
      );
      await page.getByRole("table", { name: "Verification against the source" }).getByText("14").waitFor();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download signed receipt" }).click();
      expect((await saved(await saving)).toString()).toBe(text);
    });

    test("warns about a receipt that was changed, whose key is not published, or that it cannot verify", {
      tags: "extended",
    }, async () => {
      await using visiting = await receiptOf(1);
      const { page } = visiting;
      await page.getByText("The signature is valid.").waitFor();
      const { text } = await service.api.get(`/submission/${dataset.submissions[0]}/receipt`);
      const [header, payload = "", signature] = text.trim().split(".");
      const said = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), bytes: 1 };
      const forged = [header, Buffer.from(JSON.stringify(said)).toString("base64url"), signature].join(".");
      await page.route("**/receipt", (route) => route.fulfill({ body: forged, contentType: "application/jose" }));
      await page.reload();
      await page.getByText("The signature is not valid.").waitFor();
      await page.getByText("Do not rely on it until the signature has been verified.").waitFor();
      await page.unroute("**/receipt");
      await page.route("**/jwks.json", (route) => route.fulfill({ json: { keys: [] } }));
      await page.reload();
      await page.getByText("The signature could not be verified.").waitFor();
      await page.unroute("**/jwks.json");
      await page.addInitScript("Object.defineProperty(crypto, 'subtle', { value: undefined })");
      await page.reload();
      await page.getByText("The signature was not verified here.").waitFor();
    });

    test("reports a receipt of another submission, and shows none of its statements", {
      tags: "extended",
    }, async () => {
      await using visiting = await receiptOf(1);
      const { page } = visiting;
      await page.getByText("The signature is valid.").waitFor();
      const { text } = await service.api.get(`/submission/${dataset.submissions[1]}/receipt`);
      await page.route("**/receipt", (route) => route.fulfill({ body: text, contentType: "application/jose" }));
      await page.reload();
      await page.getByText("This receipt belongs to another submission").waitFor();
      await page.getByText(dataset.submissions[1] ?? "none").waitFor();
      expect(await page.getByText("Can the source data be deleted?").count()).toBe(0);
      await expectNoViolations(page);
    });

    test("prints without controls, also in the dark theme", { tags: "extended" }, async () => {
      await using visiting = await receiptOf(2, { colorScheme: "dark", locale: "de-DE" });
      const { page } = visiting;
      await page.getByText("Die Signatur ist gültig.").waitFor();
      await page.emulateMedia({ media: "print" });
      for (const name of ["Drucken", "Quittung herunterladen", "Abmelden"]) {
        expect(await page.getByRole("button", { name }).count()).toBe(0);
      }
      expect(await page.getByRole("banner").count()).toBe(0);
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe("rgb(0, 0, 0)");
      expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    });

    test.each(["en-GB", "de-DE"])("is accessible, and fits on a phone (%s)", { tags: "extended" }, async (locale) => {
      await using visiting = await receiptOf(2, { locale });
      await visiting.page
        .getByRole("status")
        .getByText(/signature is valid|Signatur ist gültig/)
        .waitFor();
      await expectAccessible(visiting.page);
    });
  });

  test("is linked from the list of datasets, which finds authors and keywords and shows the versions", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Datasets" }).click();
    // Other tests archive datasets with the same title.
    const entry = page.getByRole("listitem").filter({ has: page.locator(`a[href*="${dataset.id}"]`) });
    await entry.filter({ hasText: "2 versions" }).waitFor();
    const search = page.getByRole("searchbox", { name: "Search datasets" });
    await search.fill("no such word");
    await page.getByText("No matching datasets").waitFor();
    await search.fill(`carberry ${DEMO_METADATA.subjects[0]}`);
    const found = entry.filter({ hasText: "2 versions" });
    await found.getByRole("button", { name: "2 versions" }).press("Enter");
    await found.getByRole("link", { name: "Version 1", exact: true }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => search.inputValue()).toContain("carberry");
    await found.getByRole("button", { name: "2 versions" }).click();
    await found.getByRole("link", { name: "Version 1", exact: true }).click();
    await page.getByText("There is a newer version of this dataset.").waitFor();
  });

  test("downloads the signed receipt unchanged", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, address());
    const saving = visiting.page.waitForEvent("download");
    await visiting.page.getByRole("button", { name: "Download signed receipt" }).click();
    const { text } = await service.api.get(`/submission/${dataset.submissions[1]}/receipt`);
    expect((await saved(await saving)).toString()).toBe(text);
  });

  test("reports a dataset or version that does not exist", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/datasets/${MISSING}`);
    const { page } = visiting;
    await page.getByText("Dataset not found").waitFor();
    await expectNoViolations(page);
    for (const version of ["9", "0", "1.5", "one"]) {
      await page.goto(address(`?version=${version}`));
      await page.getByText("Version not found").waitFor();
    }
  });

  describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
    test.each([
      "",
      "?version=1&folder=data/images",
      "?file=data/data.csv",
      "?folder=data/images&file=data/images/leaf.png",
    ])("is accessible at “%s”, also on a phone, and fits on its screen", { tags: "extended" }, async (query) => {
      await using visiting = await visit(browser, address(query), { colorScheme, locale: "de-DE" });
      const { page } = visiting;
      await page.getByRole("heading", { name: "Vergleich mit der Quelle", exact: true }).waitFor();
      if (query.includes("file=")) await opened(page).getByText("Heruntergeladene Datei prüfen").waitFor();
      await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
      await expectNoViolations(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoViolations(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    });
  });
});
