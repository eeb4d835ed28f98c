import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Without README and ORCID iD, so that the automatic checks find something. */
const incomplete = {
  metadata: { ...goodMetadata, authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry" }] },
  files: { "plots/a.csv": "1;2", "plots/b.csv": "3;4" },
};

const section = (page: Page) => page.getByRole("region", { name: "Publication", exact: true });
const button = (page: Page, name: string) => section(page).getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

describe.skipIf(noChromium)(`the publication of datasets in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;
  let cleo: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" }),
    ]);
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  async function archived(options: Parameters<typeof archiveAs>[3] = incomplete): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada, options);
    return new PublicationClient(service, dataset);
  }

  /** Opens a page as a user with this token. */
  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    const { page } = visiting;
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    return visiting;
  }

  test("a dataset goes from its author to a curator, who approves it, and is published", async () => {
    const one = await archived();
    await using author = await as(ada, `/datasets/${one.dataset}`);
    const { page } = author;
    await section(page).getByText("Not published").waitFor();
    await expectAccessible(page);
    await button(page, "Request publication").press("Enter");
    await dialog(page).getByText("I am entitled to publish the dataset").waitFor();
    await dialog(page).getByLabel("Show where the data came from").press("Space");
    await dialog(page).getByLabel("Comment for the curators").fill("Please look at the plots.");
    await dialog(page).getByLabel("I accept the deposit agreement").press("Space");
    await dialog(page).getByRole("button", { name: "Request publication" }).press("Enter");
    await section(page).getByText("In review").waitFor();
    expect(await button(page, "Approve").count()).toBe(0);

    await using curator = await as(cleo, "/publications?queue=new");
    const desk = curator.page;
    const row = desk.getByRole("row").filter({ hasText: "ada" });
    await row.getByText("In review").waitFor();
    await expectAccessible(desk);
    await row.getByRole("link").press("Enter");
    await section(desk).getByText("Please look at the plots.").waitFor();
    await section(desk).getByText("Shown to the public").waitFor();
    await button(desk, "Approve").press("Enter");
    await dialog(desk).getByRole("button", { name: "Approve" }).press("Enter");
    await section(desk).getByText("Published", { exact: true }).first().waitFor();

    // The page of the author follows without a reload.
    await section(page).getByText(`urn:uuid:${one.dataset}`).waitFor();
    expect((await one.get(ada)).json).toMatchObject({
      ...{ state: "published", access: "open", approvedRevision: 1, showSource: true },
    });
  });

  test("earlier entries of a long history are shown on demand", { tags: "extended" }, async () => {
    const one = await archived();
    await one.done(ada, "request", { agreement: true, access: "open" });
    for (let n = 1; n <= 250; n++) await one.done(ada, "comment", { comment: `Comment number ${n}.` });
    await using curator = await as(cleo, `/datasets/${one.dataset}`);
    const entries = section(curator.page).getByRole("list", { name: "History and comments" }).getByRole("article");
    await expect.poll(() => entries.count()).toBe(200);
    await one.done(ada, "comment", { comment: "Comment number 251." });
    await section(curator.page).getByText("Comment number 251.").waitFor();
    await button(curator.page, "Show earlier entries").press("Enter");
    await expect.poll(() => entries.count()).toBe(252);
    await expect.poll(() => button(curator.page, "Show earlier entries").count()).toBe(0);
    await one.done(ada, "comment", { comment: "Comment number 252." });
    await expect.poll(() => entries.count()).toBe(253);
  });

  test("the embargo of the metadata is preselected, and the approval repeats access and date", {
    tags: "extended",
  }, async () => {
    const metadata = { ...goodMetadata, embargoDate: "2099-05-01" };
    const one = await archived({ ...incomplete, metadata });
    await using author = await as(ada, `/datasets/${one.dataset}`);
    const { page } = author;
    await page.getByText("A request for publication proposes it").waitFor();
    await button(page, "Request publication").press("Enter");
    await dialog(page).getByText("I am entitled to publish the dataset").waitFor();
    expect(await dialog(page).getByLabel("Embargo").isChecked()).toBe(true);
    expect(await dialog(page).getByLabel("First day of open access").inputValue()).toBe("2099-05-01");
    await dialog(page).getByLabel("Reason").fill("The article appears in May.");
    await dialog(page).getByLabel("I accept the deposit agreement").press("Space");
    await dialog(page).getByRole("button", { name: "Request publication" }).press("Enter");
    await section(page).getByText("In review").waitFor();

    await using curator = await as(cleo, `/datasets/${one.dataset}`);
    const desk = curator.page;
    await button(desk, "Approve").press("Enter");
    await dialog(desk).getByText("Access to files: Embargo: files are open from 1 May 2099 (UTC)").waitFor();
    await expectAccessible(desk);
  });

  test("a dataset goes from its author to a curator and back, and is published", { tags: "extended" }, async () => {
    const one = await archived();
    const path = `/datasets/${one.dataset}`;
    await using author = await as(ada, path);
    const { page } = author;
    await section(page).getByText("Not published").waitFor();
    await section(page).getByRole("list", { name: "Needs attention" }).getByText("README").first().waitFor();
    const hints = section(page).getByRole("list", { name: "Suggestions for improvement" });
    await hints
      .getByText("FAIR self-assessment: 5 recommendations to make the dataset easier to find and reuse.")
      .waitFor();
    await hints
      .getByRole("listitem")
      .filter({ hasText: "No author has an ORCID iD" })
      .getByText("Edit: Authors")
      .first()
      .waitFor();
    await expectAccessible(page);

    await button(page, "Request publication").press("Enter");
    await dialog(page).getByText("I am entitled to publish the dataset").waitFor();
    await dialog(page).getByRole("button", { name: "Request publication" }).press("Enter");
    await dialog(page).getByText("accept the deposit agreement.").waitFor();
    await dialog(page).getByLabel("Embargo").press("Space");
    await dialog(page).getByLabel("First day of open access").fill("2020-01-01");
    await dialog(page).getByText("Enter a date in the future.").waitFor();
    await dialog(page).getByLabel("First day of open access").fill("2099-05-01");
    await dialog(page).getByLabel("Reason").fill("The article appears in May.");
    await dialog(page).getByLabel("I choose the time").press("Space");
    await dialog(page).getByLabel("Comment for the curators").fill("Please look at the plots.");
    await expectAccessible(page);
    await dialog(page).getByLabel("I accept the deposit agreement").press("Space");
    await dialog(page).getByRole("button", { name: "Request publication" }).press("Enter");
    await section(page).getByText("In review").waitFor();
    await expect.poll(() => focused(page)).toContain("Waiting for a curator since");
    await section(page).getByText("Embargo: files are open from 1 May 2099 (UTC)").waitFor();
    await section(page).getByText("The owner publishes the dataset after approval").waitFor();
    await section(page).getByText("Accepted by ada").waitFor();
    expect(await button(page, "Approve").count()).toBe(0);
    await expectAccessible(page);

    await using curator = await as(cleo, "/publications");
    const desk = curator.page;
    const filters = desk.getByRole("navigation", { name: "Filter" });
    await filters.getByRole("link", { name: "New" }).press("Enter");
    const row = desk.getByRole("row").filter({ has: desk.locator(`a[href*="${one.dataset}"]`) });
    await row.getByText("In review").waitFor();
    await expectAccessible(desk);
    await row.getByRole("link").press("Enter");
    await button(desk, "Assign to me").press("Enter");
    await section(desk).getByText("Waiting for the curator cleo").waitFor();
    await section(desk).getByText("took over the review").waitFor();
    await button(desk, "Assign to another curator").press("Enter");
    const choices = dialog(desk).getByLabel("Curator").locator("option");
    await expect.poll(() => choices.allInnerTexts()).toEqual(["Choose", "root"]);
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await desk.keyboard.press("Escape");
    await section(desk).getByLabel("About").selectOption("Description");
    await section(desk).getByLabel("Comment", { exact: true }).fill("Which depth?\nPlease state it.");
    await button(desk, "Add comment").press("Enter");
    const comments = (of: Page) => section(of).getByRole("list", { name: "History and comments" });
    await comments(desk).getByRole("link", { name: "Edit: Description" }).waitFor();
    await section(desk).getByLabel("About").selectOption("A file or folder");
    await section(desk).getByLabel("Path of the file or folder").fill("data/plots/a.csv");
    await section(desk).getByLabel("Comment", { exact: true }).fill("What are the columns?");
    await button(desk, "Add comment").press("Enter");
    await comments(desk).getByRole("link", { name: "File: data/plots/a.csv" }).click();
    await desk.getByRole("dialog", { name: "a.csv" }).getByRole("heading", { name: "a.csv" }).waitFor();
    await desk.keyboard.press("Escape");
    await expectAccessible(desk);
    await button(desk, "Request changes").press("Enter");
    await dialog(desk).getByRole("button", { name: "Request changes" }).press("Enter");
    await dialog(desk).getByText("Enter a comment.").waitFor();
    await dialog(desk).getByLabel("Comment").fill("Please answer the two questions.");
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Request changes" }).press("Enter");
    await section(desk).getByText("Waiting for the owner").waitFor();
    await expectAccessible(desk);

    // The page of the author follows without a reload.
    await section(page).getByText("Changes requested").waitFor();
    await section(page).getByRole("link", { name: "Edit metadata" }).waitFor();
    await comments(page)
      .getByRole("button", { name: /^Reply to the comment of cleo/ })
      .first()
      .press("Enter");
    await section(page).getByLabel("Reply to cleo").fill("20 cm; I add it.");
    await button(page, "Add reply").press("Enter");
    await comments(page).getByRole("list").getByText("20 cm; I add it.").waitFor();
    await expectAccessible(page);
    await comments(page).getByRole("link", { name: "Edit: Description" }).press("Enter");
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("field-metadata-description");
    await page.keyboard.type("Depth: 20 cm. ");
    await page.getByRole("button", { name: "Save changes" }).press("Enter");
    await button(page, "Request publication again").press("Enter");
    await dialog(page).getByText("2 comments are not resolved.").waitFor();
    await dialog(page).getByLabel("I accept the deposit agreement").press("Space");
    expect(await dialog(page).getByLabel("Reason").inputValue()).toBe("The article appears in May.");
    await dialog(page).getByRole("button", { name: "Request publication" }).press("Enter");
    await section(page).getByText("In review").waitFor();

    await section(desk).getByText("It now shows revision 2.").waitFor();
    await desk.getByText("Depth: 20 cm.").first().waitFor();
    await section(desk).getByRole("link", { name: "Show metadata changes" }).press("Enter");
    const comparison = desk.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText("Depth: 20 cm.").waitFor();
    await desk.goBack();
    await button(desk, "Approve").press("Enter");
    await dialog(desk).getByText("metadata revision 2 and the files of version 1").waitFor();
    await dialog(desk).getByText("2 comments are not resolved.").waitFor();
    const difference = dialog(desk).getByRole("region", { name: "Changes of the metadata since the last decision" });
    await difference.getByText("Depth: 20 cm.").waitFor();
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Approve" }).press("Enter");
    await section(desk).getByText("Approved", { exact: true }).waitFor();
    expect(await button(desk, "Publish").count()).toBe(0);

    await button(page, "Publish").press("Enter");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Publish" }).press("Enter");
    await section(page).getByText(`urn:uuid:${one.dataset}`).waitFor();
    await section(page).getByRole("button", { name: "Copy Identifier" }).waitFor();
    await comments(page).getByText("published the dataset").waitFor();
    await expectAccessible(page);
    expect((await one.get(ada)).json).toMatchObject({ state: "published", access: "embargoed", approvedRevision: 2 });

    await button(page, "Change access").press("Enter");
    await dialog(page).getByRole("radio", { name: "Open" }).press("Space");
    await expectFocusInSight(page);
    await dialog(page).getByRole("button", { name: "Change access" }).press("Enter");
    await dialog(page).getByText("Enter a reason.").waitFor();
    await dialog(page).getByLabel("Reason").fill("The article has appeared.");
    await dialog(page).getByRole("button", { name: "Change access" }).press("Enter");
    await section(page).getByText("Open", { exact: true }).waitFor();
    await comments(page).getByText("changed the access to files (Open)").waitFor();
    expect(await button(page, "Withdraw").count()).toBe(0);

    await desk.reload();
    await button(desk, "Withdraw").press("Enter");
    await dialog(desk).getByLabel("Public reason").fill("The plots were mixed up.");
    await dialog(desk).getByRole("button", { name: "Withdraw" }).press("Enter");
    await section(desk).getByText("Withdrawn", { exact: true }).first().waitFor();
    await section(desk).getByText("The plots were mixed up.").first().waitFor();
    await expectAccessible(desk);
  });

  test("what has changed in the meantime is not approved before the curator has seen it", {
    tags: "extended",
  }, async () => {
    const one = await archived();
    await one.done(ada, "request", { agreement: true, access: "open" });
    await using curator = await as(cleo, `/datasets/${one.dataset}`);
    const { page } = curator;
    await button(page, "Approve").press("Enter");
    await dialog(page).getByText("This is the first review of this version.").waitFor();
    await dialog(page).getByLabel("Comment").fill("Thank you");
    await one.done(ada, "comment", { comment: "One moment, please." });
    await dialog(page).getByRole("button", { name: "Approve" }).press("Enter");
    await dialog(page).getByText("have changed in the meantime").waitFor();
    await dialog(page).getByText("Latest entry: ada commented.").waitFor();
    await expectAccessible(page);
    expect((await one.get(ada)).json.state).toBe("in_review");
    await dialog(page).getByRole("button", { name: "Approve" }).press("Enter");
    await section(page).getByText("Published", { exact: true }).first().waitFor();

    const other = await archived();
    await other.done(ada, "request", { agreement: true, access: "open" });
    await page.goto(`${service.url}/app/datasets/${other.dataset}`);
    await button(page, "Decline").press("Enter");
    await dialog(page).getByLabel("Comment").fill("Out of scope");
    await other.done(ada, "take-back");
    await dialog(page).getByText("The action is no longer possible.").waitFor();
    expect(await dialog(page).getByRole("button", { name: "Decline" }).isDisabled()).toBe(true);
    expect(await dialog(page).getByLabel("Comment").inputValue()).toBe("Out of scope");
  });

  test("the list has filters and empty states, and a phone shows cards in German", { tags: "extended" }, async () => {
    const one = await archived();
    await one.done(ada, "request", { agreement: true, access: "open" });
    await one.done(cleo, "request-changes", { comment: "Bitte ergänzen" });
    await using visiting = await as(ada, "/publications?queue=author", { locale: "de-DE", width: 390, height: 844 });
    const { page } = visiting;
    await page.getByRole("heading", { level: 1, name: "Veröffentlichungen" }).waitFor();
    const list = page.getByRole("list", { name: "Veröffentlichungen" });
    await list.getByText("Änderungen erbeten").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Bei DataCite verzögert" }).click();
    await page.getByText("Keine Registrierung oder Änderung bei DataCite ist verzögert.").waitFor();
    await expectAccessible(page);
    await page.goto(`${service.url}/app/datasets/${one.dataset}`);
    const part = page.getByRole("region", { name: "Veröffentlichung", exact: true });
    await part.getByText("Wartet auf die Eigentümerin").waitFor();
    await part.getByText("hat um Änderungen gebeten").waitFor();
    await part.getByText("hat auf der obersten Ebene keine README-Datei").waitFor();
    await expectAccessible(page);
    await part.getByRole("button", { name: "Veröffentlichung erneut beantragen" }).click();
    await dialog(page).getByText("Mit dem Antrag auf Veröffentlichung bestätige ich").waitFor();
    await expectAccessible(page);
    await expectFocusInSight(page);
    await dialog(page).getByLabel("Ich akzeptiere").click();
    await dialog(page).getByRole("button", { name: "Veröffentlichung beantragen" }).click();
    await part.getByText("In Begutachtung").waitFor();
    expect((await one.get(ada)).json.agreement).toMatchObject({ language: "de" });
  });

  test("a dataset without licence is not requested, and the finding leads to the field", {
    tags: "extended",
  }, async () => {
    const { license: _, ...metadata } = goodMetadata;
    const one = await archived({ metadata, files: { "README.md": "# Plots" } });
    await using visiting = await as(ada, `/datasets/${one.dataset}`);
    const { page } = visiting;
    await section(page).getByText("Must be corrected before publication").waitFor();
    await button(page, "Request publication").click();
    await dialog(page).getByText("Correct this first").waitFor();
    await dialog(page).getByLabel("I accept the deposit agreement").click();
    await dialog(page).getByRole("button", { name: "Request publication" }).click();
    await dialog(page).getByText("publication_not_ready").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await section(page).getByRole("link", { name: "Edit: Licence" }).click();
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("field-metadata-license");
    const answer = await service.api.get("/publication", bearer(ada));
    expect(answer.json.map(({ dataset }: { dataset: string }) => dataset)).not.toContain(one.dataset);
  });
});

describe.skipIf(noChromium)(`the registration of DOIs in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let account: DataciteAccount;
  let datacite: DataciteServer;
  let service: TestService;

  beforeAll(async () => {
    [browser, s3, account] = await Promise.all([sharedBrowser(), startS3Server(), openDatacite()]);
    datacite = account.server;
    service = await startTestService({
      ACCESSION_PUBLICATION: "direct",
      ...account.settings(),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await account?.close();
    await s3?.close();
  });

  test("a delayed registration names its cause and who must act, and can be tried again", {
    tags: "extended",
  }, async () => {
    const { dataset } = await archiveAs(service, s3, undefined);
    Object.assign(datacite.accounts[0] ?? {}, { password: "changed" });
    await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`);
    const { page } = visiting;
    await button(page, "Publish").click();
    await dialog(page).getByLabel("I accept the deposit agreement").click();
    await dialog(page).getByRole("button", { name: "Publish" }).click();
    const alert = section(page).getByRole("alert");
    await alert.getByText("datacite_credentials").waitFor();
    await alert.getByText("Action required: contact the operator of this service").waitFor();
    await section(page).getByText("Waiting for the operator of this service").waitFor();
    await section(page).getByText("Being registered. It resolves after publication.").waitFor();
    await expectAccessible(page);
    await page.goto(`${service.url}/app/publications?queue=failing`);
    await page.getByRole("row").getByText("Being published").waitFor();
    await expectAccessible(page);
    await page.getByRole("row").getByRole("link").click();
    account.reset();
    await button(page, "Try again now").click();
    await section(page)
      .getByRole("link", { name: /doi\.org\/10\.5072\// })
      .waitFor();
    await section(page).getByRole("button", { name: "Copy DOI" }).waitFor();
    await expectAccessible(page);
  });
});

describe.skipIf(noChromium)(`the page of a service that only archives ${ifSkipped}`, () => {
  test("has neither a list of publications nor a section about them", { tags: "extended" }, async () => {
    await using s3 = await startS3Server();
    await using service = await startTestService();
    const browser = await sharedBrowser();
    const { dataset } = await archiveAs(service, s3, undefined);
    await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`);
    const { page } = visiting;
    await page.getByRole("region", { name: "Cite" }).waitFor();
    expect(await section(page).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Publications" }).count()).toBe(0);
  });
});
