import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { createLink, revokeLink } from "../support/api/reviewer-links.ts";
import { OBJECTS } from "../support/data-source/odd-dataset.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** What the browser says about requests that the test breaks off. */
const expected = [/Failed to load resource/];

describe.skipIf(noChromium)(`parts that the service renders ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;
  let cleo: string;
  let other: string;
  let dataset: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" }),
    ]);
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
    other = (await archiveAs(service, s3, ada, { metadata: { ...goodMetadata, title: "Leaves" } })).dataset;
    const description = `As in <a href="${service.url}/app/datasets/${other}?version=1">the leaves</a>, every week.`;
    const metadata = { ...goodMetadata, title: "Roots\u200b under\u2066 drought", description };
    dataset = (await archiveAs(service, s3, ada, { metadata })).dataset;
    await new PublicationClient(service, dataset).done(ada, "request", { agreement: true, access: "open" });
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  async function as(token: string, opened = dataset) {
    const visiting = await visit(browser, `${service.url}/app/datasets/${opened}`, { expected });
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    await visiting.page.getByRole("heading", { name: "Cite as" }).waitFor();
    // The list of files is requested separately: otherwise a test that breaks requests off sometimes sees its error, too.
    await visiting.page.getByRole("region", { name: "Files" }).waitFor();
    return visiting;
  }
  const switchTo = (page: Page, language: string) =>
    page.getByRole("combobox", { name: /^(Language|Sprache)$/ }).selectOption(language);

  test("a citation is copied without the signs that make hidden characters visible", async () => {
    await using visiting = await as(ada);
    const { page, context } = visiting;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("#citation", { hasText: "Roots␦ under" }).waitFor();
    await page.getByRole("button", { name: "Copy the citation" }).press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(" Roots under drought (Version 1)");
    await page.getByRole("button", { name: "Copy the citation" }).waitFor();
  });

  test("an export that fails is reported below its part", async () => {
    await using visiting = await as(ada);
    const { page } = visiting;
    await page.route(/\/export\//, (route) => route.abort());
    const exports = page.getByRole("region", { name: "Metadata for machines" });
    await exports.getByRole("link", { name: "RIS" }).press("Enter");
    await page.locator(".site-parts:has(#exports) + [role=alert]").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    await expectAccessible(page);
  });

  test("a comment that is not sent remains when the page cannot be loaded in the other language", async () => {
    await using visiting = await as(cleo);
    const { page } = visiting;
    await page.getByRole("button", { name: "Comment on: Description", exact: true }).press("Enter");
    await page.getByRole("textbox", { name: "Comment on: Description" }).fill("Which depth?");
    await page.route(/lang=de/, (route) => route.abort());
    await switchTo(page, "de");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    const written = page.locator("textarea").first();
    expect(await written.inputValue()).toBe("Which depth?");
    await page.getByRole("region", { name: "Files" }).waitFor();
    await expectAccessible(page);
    await page.unroute(/lang=de/);
    await alert.getByRole("button", { name: "Erneut versuchen" }).press("Enter");
    await page.getByRole("heading", { name: "Zitieren als" }).waitFor();
    await alert.waitFor({ state: "detached" });
    expect(await written.inputValue()).toBe("Which depth?");
  });

  test("reviewers keep the page that they read, but not that of a link that was revoked", async () => {
    const { json } = await createLink(service, ada, dataset, { anonymous: false });
    await using visiting = await visit(browser, json.url, { expected });
    const { page } = visiting;
    await page.getByRole("heading", { name: "Description" }).waitFor();
    await page.route(/lang=de/, (route) => route.abort());
    await switchTo(page, "de");
    await page.getByRole("alert").waitFor();
    await page.getByRole("heading", { name: "Description" }).waitFor();
    await revokeLink(service, ada, dataset, json.id);
    await page.unroute(/lang=de/);
    await page.getByRole("button", { name: "Erneut versuchen" }).press("Enter");
    await page.getByRole("heading", { name: "Description" }).waitFor({ state: "detached" });
    await page.getByRole("alert").getByText("reviewer_link_revoked").waitFor();
  });

  test("the text of a folder is shown with its images, also to those who need a token for them", async () => {
    const files = {
      "README.md": "See ![the leaf](images/leaf.png), ![nothing](images/none.png) and [the table](tables/a.csv).",
      "images/leaf.png": OBJECTS["images/leaf.png"] as unknown as string,
      "images/none.png": "<svg onload=alert(1)>",
      "tables/a.csv": "1;2",
    };
    const { dataset: own } = await archiveAs(service, s3, ada, { files });
    await using visiting = await as(ada, own);
    const { page } = visiting;
    const text = page.getByRole("region", { name: "README.md" });
    const width = () => page.evaluate("document.querySelector('.readme img[alt=\"the leaf\"]').naturalWidth");
    await text.scrollIntoViewIfNeeded();
    await expect.poll(width).toBeGreaterThan(0);
    await text.getByText("nothing").waitFor();
    await expectAccessible(page);
    await text.getByRole("link", { name: "the table" }).press("Enter");
    await page.getByRole("dialog", { name: "a.csv" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "Path of the folder" }).getByText("tables").waitFor();
  });

  test("a long list of files can be skipped by keyboard, and a link shows that its download is being prepared", async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`plot-${n}.csv`, `${n}`]));
    const { dataset: own } = await archiveAs(service, s3, ada, { files });
    await using visiting = await as(ada, own);
    const { page } = visiting;
    const skip = page.getByRole("link", { name: "Skip the list" });
    await skip.focus();
    await expectAccessible(page);
    await skip.press("Enter");
    await page.keyboard.press("Tab");
    const list = page.getByRole("link", { name: "List of all files (CSV)" });
    await page.locator("a:focus", { hasText: "List of all files" }).waitFor();
    expect(new URL(page.url()).hash).toBe("");
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/format=csv/, async (route) => {
      await held;
      await route.continue();
    });
    await list.press("Enter");
    await page.locator("a[aria-busy=true]", { hasText: "CSV" }).waitFor();
    const download = page.waitForEvent("download");
    answer();
    expect((await download).suggestedFilename()).toMatch(/-files\.csv$/);
    await expect.poll(() => list.getAttribute("aria-busy")).toBeNull();
  });

  test("links to pages of the application do not load it again", async () => {
    await using visiting = await as(ada);
    const { page } = visiting;
    await page.evaluate("window.isSamePage = true");
    await page.getByRole("link", { name: "the leaves" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Leaves" }).waitFor();
    expect(new URL(page.url()).search).toBe("?version=1");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Roots" }).waitFor();
    const opening = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "the leaves" }).click({ modifiers: ["ControlOrMeta"] });
    await (await opening).close();
  });
});
