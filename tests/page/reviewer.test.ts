/** @module-tag extended */
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs } from "../support/api/publications.ts";
import { asReviewer, createLink, revokeLink } from "../support/api/reviewer-links.ts";
import { readZip } from "../support/archive/package-formats.ts";
import {
  expectAccessible,
  ifSkipped,
  layoutShifts,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const metadata = {
  ...goodMetadata,
  title: "Roots under drought",
  description: "Measured by the group of Zabriskie.\nEvery week.",
  authors: [{ role: "Creator", firstName: "Zelda", lastName: "Zabriskie", affiliation: "Institute of Zymurgy" }],
};
const files = { "README.md": "by Zabriskie", "plots/a.csv": "1;2", "plots/zabriskie.csv": "3;4" };

const section = (page: Page) => page.getByRole("region", { name: "Reviewer links" });
const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(noChromium)(`reviewer links in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" }),
    ]);
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  test("the owner creates an anonymous link, a reviewer uses it, and the owner revokes it", async () => {
    const { dataset } = await archiveAs(service, s3, ada, { metadata, files });
    await using author = await visit(browser, `${service.url}/app/datasets/${dataset}`);
    const { page } = author;
    await page.locator("input[type=password]").fill(ada);
    await page.keyboard.press("Enter");
    // What is offered at any time comes after the checks and the history.
    await section(page).waitFor();
    expect(await page.locator("#publication h3").allTextContents()).toEqual(["Automatic checks", "Reviewer links"]);
    await section(page).getByRole("button", { name: "Create reviewer link" }).press("Enter");
    await dialog(page).getByText("Send the link to the editor of the journal").waitFor();
    await dialog(page)
      .getByRole("group", { name: "What reviewers see" })
      .or(dialog(page).getByRole("radiogroup", { name: "What reviewers see" }))
      .waitFor();
    await dialog(page).getByText("Accession cannot remove names from texts and files").waitFor();
    await dialog(page).getByLabel("Expires on").fill("2020-01-01");
    await dialog(page).getByRole("button", { name: "Create reviewer link" }).press("Enter");
    await dialog(page).getByText("Enter a date in the future").waitFor();
    const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await dialog(page).getByLabel("Expires on").fill(inAMonth);
    await dialog(page).getByLabel("Label").fill("Journal of Roots");
    await expectAccessible(page);
    await expectFocusInSight(page);
    await dialog(page).getByRole("button", { name: "Create reviewer link" }).press("Enter");
    await dialog(page).getByText("It is not shown again").waitFor();
    const found = dialog(page).getByRole("alert").getByRole("listitem");
    await expect
      .poll(() => found.allTextContents())
      .toEqual([
        "Edit: Description contains the name “Zabriskie”",
        "File: data/plots/zabriskie.csv contains the name “Zabriskie”",
      ]);
    await dialog(page).getByText("1 file that describes the dataset is excluded: data/README.md").waitFor();
    await expectAccessible(page);
    const address = await dialog(page).locator("code").first().innerText();
    expect(address).toMatch(new RegExp(`^${service.url}/app/review#rev_[\\w-]{43}$`));
    await dialog(page).getByRole("button", { name: "Done" }).press("Enter");
    const row = section(page).getByRole("listitem").filter({ hasText: "Journal of Roots" });
    await row.getByText("not visited yet").waitFor();
    expect(await page.content()).not.toContain("rev_");

    await using reviewing = await visit(browser, address);
    const reviewer = reviewing.page;
    await reviewer.getByRole("heading", { level: 1, name: "Roots under drought" }).waitFor();
    await reviewer.getByText("This view does not show who made it").waitFor();
    await reviewer.getByText("1 file that describes the dataset was excluded").waitFor();
    await reviewer.getByText("The dataset is archived. It is not published.").waitFor();
    const list = reviewer.getByRole("list", { name: "Files" }).getByRole("listitem");
    await expect.poll(() => list.count()).toBe(2);
    expect(await reviewer.title()).toBe("Roots under drought · Accession");
    expect(await reviewer.content()).not.toMatch(/Zelda|Zymurgy|README|"ada"/);
    await expectAccessible(reviewer);
    const saving = reviewer.waitForEvent("download");
    await reviewer.getByRole("button", { name: "Download data/plots/a.csv" }).press("Enter");
    expect((await readFile(await (await saving).path())).toString()).toBe("1;2");
    const packing = reviewer.waitForEvent("download");
    await reviewer.getByRole("button", { name: /Download all/ }).press("Enter");
    const zip = await packing;
    expect(zip.suggestedFilename()).toBe("dataset-v1.zip");
    const names = [...(await readZip(await readFile(await zip.path()))).keys()];
    expect(names).toEqual(["data/", "data/plots/", "data/plots/a.csv", "data/plots/zabriskie.csv"]);
    // Its other language belongs to the same visit.
    await reviewer.getByLabel("Language", { exact: true }).selectOption("de");
    await reviewer.getByText("Der Datensatz ist archiviert").waitFor();
    await reviewer.getByRole("heading", { level: 2, name: "Beschreibung" }).waitFor();
    await reviewer.getByLabel("Sprache", { exact: true }).selectOption("en");
    await reviewer.getByRole("heading", { level: 2, name: "Description" }).waitFor();
    const { json } = await asReviewer(service, new URL(address).hash.slice(1));
    await reviewer.getByText(json.commitment.sha512).waitFor();

    await page.reload();
    await row.getByText(/2 visits, the last one on/).waitFor();
    await row.getByRole("button", { name: "Revoke the link: Journal of Roots" }).press("Enter");
    await dialog(page).getByText("Reviewers can no longer use").waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Revoke" }).press("Enter");
    await row.getByText(/revoked on/).waitFor();
    await expectAccessible(page);
    await reviewer.reload();
    await reviewer.getByRole("alert").getByText("The reviewer link was revoked").waitFor();
    expect(await reviewer.content()).not.toContain("Roots under drought");
    await expectAccessible(reviewer);
  });

  test("the page of reviewers sends requests about the review only, without the secret in any address", {
    tags: "extended",
  }, async () => {
    const { dataset } = await archiveAs(service, s3, ada, { metadata, files });
    const { secret, json } = await createLink(service, ada, dataset);
    await using visiting = await visit(browser, `${service.url}/health/live`);
    const { page } = visiting;
    const asked: string[] = [];
    const referrers: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      asked.push(pathname + search);
      const { referer } = request.headers();
      if (referer !== undefined) referrers.push(referer);
    });
    await page.goto(json.url);
    await page.getByRole("list", { name: "Files" }).waitFor();
    await page.getByRole("button", { name: "Download data/plots/a.csv" }).waitFor();
    expect(await layoutShifts(page)).toEqual([]);
    const other = asked.filter((path) => !/^\/app\/(?:review$|assets\/)/.test(path));
    expect(other.toSorted()).toEqual(["/review/files?limit=200", "/review?lang=en"]);
    expect([...asked, ...referrers].filter((text) => text.includes(secret.slice(4)))).toEqual([]);
    // A signed-in visitor is not known to the review, and a refusal does not end the session.
    await revokeLink(service, ada, dataset, json.id);
    await page.goto(`${service.url}/app/`);
    await page.locator("input[type=password]").fill(ada);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Submissions" }).waitFor();
    await page.goto(json.url);
    await page.getByRole("alert").getByText("The reviewer link was revoked").waitFor();
    const ofReview = asked.slice(asked.lastIndexOf("/app/review"));
    expect(ofReview.filter((path) => !/^\/app\/(?:review$|assets\/)/.test(path))).toEqual(["/review?lang=en"]);
    await page.goto(`${service.url}/app/datasets/${dataset}`);
    await section(page)
      .getByText(/revoked on/)
      .waitFor();
  });

  test("a link with names shows people and all files, in German and on a phone", { tags: "extended" }, async () => {
    const { dataset } = await archiveAs(service, s3, ada, { metadata, files });
    const { json, secret } = await createLink(service, ada, dataset, { anonymous: false });
    await using visiting = await visit(browser, json.url, { locale: "de-DE", width: 390, height: 844 });
    const { page } = visiting;
    await page.getByRole("list", { name: "Autorinnen und Autoren" }).getByText("Zabriskie, Zelda").waitFor();
    await page.getByText("Institute of Zymurgy").waitFor();
    await page.getByText("Er ist nicht veröffentlicht").waitFor();
    await page.getByRole("button", { name: "data/README.md herunterladen" }).waitFor();
    await page.getByRole("link", { name: "Creative Commons Namensnennung 4.0 International" }).waitFor();
    await expectAccessible(page);
    const etag = (await service.api.get(`/dataset/${dataset}/metadata`, bearer(ada))).headers.get("etag") ?? "";
    await service.api.send(`/dataset/${dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...metadata, title: "Corrected" } }),
      headers: { ...bearer(ada), "content-type": "application/json", "if-match": etag },
    });
    const before = await page.locator("code").first().innerText();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Corrected" }).waitFor();
    await page.getByText("Die Metadaten wurden am").waitFor();
    const shown = await page.locator("code").allInnerTexts();
    const { commitment } = (await asReviewer(service, secret)).json;
    expect(shown).toEqual([commitment.sha512, before]);
    await expectAccessible(page);
    await page.goto(`${service.url}/app/review#`);
    await page.getByRole("alert").getByText("Die Adresse ist unvollständig").waitFor();
    await page.goto(`${service.url}/app/review#rev_wrong`);
    await page.getByRole("alert").getByText("Der Gutachterlink ist nicht gültig").waitFor();
    await expectAccessible(page);
  });
});
