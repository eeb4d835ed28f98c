/** @module-tag extended */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`the page of a public dataset of another owner ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;
  let bob: string;
  let cleo: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" }),
    ]);
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    bob = (await tokens.create("bob", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  async function published(metadata: object = goodMetadata): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada, { metadata });
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, access: "open" });
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    return one;
  }

  /** Opens a page as a user with this token, and counts the requests of the page that were refused, by their path. */
  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    const { page } = visiting;
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(new URL(response.url()).pathname);
    });
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    return Object.assign(visiting, { refused });
  }

  test("shows what is public, and requests nothing that only the owner may see", async () => {
    const one = await published();
    await using visiting = await as(bob, `/datasets/${one.dataset}`);
    const { page, refused } = visiting;
    await page.getByRole("heading", { level: 1, name: goodMetadata.title }).waitFor();
    await page.getByRole("region", { name: "Files" }).getByText("README.md").waitFor();
    await page.getByRole("region", { name: "Versions" }).getByText("2 files").waitFor();
    await page.getByRole("region", { name: "Cite" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(refused).toEqual([]);
    for (const name of ["Edit metadata", "New version"]) expect(await page.getByRole("link", { name }).count()).toBe(0);
    const main = page.getByRole("main");
    expect(await main.getByRole("link", { name: /receipt|submission/i }).count()).toBe(0);
    expect(await main.getByRole("button", { name: /receipt/i }).count()).toBe(0);
    await expectAccessible(page);
  });

  test("the address of a private dataset leads its owner to the page, and other people to the sign-in", async () => {
    const { dataset } = await archiveAs(service, s3, ada);
    await using visiting = await as(ada, `/datasets/${dataset}`);
    await visiting.page.getByRole("heading", { level: 1, name: goodMetadata.title }).waitFor();
    await visiting.page.goto(`${service.url}/dataset/${dataset}`);
    await visiting.page.waitForURL(`**/app/datasets/${dataset}`);
    await visiting.page.getByRole("heading", { level: 1, name: goodMetadata.title }).waitFor();

    await using other = await visit(browser, `${service.url}/dataset/${dataset}?version=1`);
    await other.page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    await expectNoViolations(other.page);
    await other.page.getByRole("link", { name: "Sign in to open what is not public" }).click();
    await other.page.waitForURL(`**/app/**`);
    await other.page.locator("input[type=password]").fill(ada);
    await other.page.keyboard.press("Enter");
    await other.page.getByRole("heading", { level: 1, name: goodMetadata.title }).waitFor();
    await other.page.waitForURL(`**/app/datasets/${dataset}?version=1`);
  });

  test.each([
    ["en-GB", "Version 1 of this dataset was withdrawn and is no longer public", "The archive keeps the files"],
    [
      "de-DE",
      "Version 1 dieses Datensatzes wurde zurückgezogen und ist nicht mehr öffentlich",
      "Das Archiv bewahrt die Dateien",
    ],
  ])(
    "a withdrawn publication states its reason, and that the archive keeps the files (%s)",
    { tags: "extended" },
    async (locale, ...texts) => {
      const one = await published();
      await one.done(cleo, "withdraw", { reason: "The plots were mixed up." });
      await using visiting = await as(bob, `/datasets/${one.dataset}`, { locale });
      const { page } = visiting;
      await page.getByText("The plots were mixed up.").waitFor();
      for (const text of [...texts, "Carberry, Josiah"]) await page.getByText(text).waitFor();
      await page.getByRole("heading", { name: goodMetadata.title, level: 1 }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
      await expectAccessible(page);
    },
  );

  test("an embargo in force is not denied, and its first open day is named", { tags: "extended" }, async () => {
    const embargoed = { ...goodMetadata, embargoDate: "2099-05-01" };
    const { dataset } = await archiveAs(service, s3, ada, { metadata: embargoed });
    const one = new PublicationClient(service, dataset);
    const path = `/datasets/${one.dataset}`;
    const proposal = "A request for publication proposes it as the first day on which the files are open.";
    await using owner = await as(ada, path);
    await owner.page.getByText(proposal).waitFor();
    await one.done(ada, "request", {
      agreement: true,
      ...{ access: "embargoed", embargoDate: "2099-05-01", reason: "The article appears in May." },
    });
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    await using visiting = await as(bob, path, { width: 390, height: 844 });
    const { page } = visiting;
    await page.getByText("files are open from 1 May 2099 (UTC)").waitFor();
    await page.getByText("Published on").waitFor();
    await page.getByRole("region", { name: "Details" }).getByText("1 May 2099").waitFor();
    expect(await page.getByText(proposal).count()).toBe(0);
    await expectAccessible(page);
    // The navigation has up to two rows below the name and the switches.
    const header = await page.getByRole("banner").boundingBox();
    const logo = await page.getByRole("banner").locator("img").boundingBox();
    expect(header?.height).toBeLessThan(160);
    expect(logo?.y).toBeGreaterThanOrEqual(8);

    await page.goto(`${service.url}/app${path}/access`);
    await page.getByText("They are open from 1 May 2099 (UTC).").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${service.url}/app${path}/access`);
    await page.getByText("This service sends no e-mail").waitFor();
    expect(await page.getByText("by e-mail.").count()).toBe(0);
  });

  test("a request that is refused is not repeated in a loop", { tags: "extended" }, async () => {
    const one = await published();
    await using visiting = await visit(browser, `${service.url}/app/datasets/${one.dataset}`);
    const { page } = visiting;
    let refused = 0;
    await page.route("**/submission/*/receipt", async (route) => {
      refused++;
      await route.fulfill({
        status: 404,
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 404, code: "not_found", title: "Not found", detail: "Not found", action: "" }),
      });
    });
    await page.locator("input[type=password]").fill(ada);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Files" }).getByText("README.md").waitFor();
    await page.waitForLoadState("networkidle");
    // The page and the part that shows the receipt each ask once.
    expect(refused).toBeLessThanOrEqual(2);
  });
});
