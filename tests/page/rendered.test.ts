import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { createLink, revokeLink } from "../support/api/reviewer-links.ts";
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

  async function as(token: string) {
    const visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`, { expected });
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    await visiting.page.getByRole("heading", { name: "Cite as" }).waitFor();
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
