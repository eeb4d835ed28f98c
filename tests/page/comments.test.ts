import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const section = (page: Page) => page.getByRole("region", { name: "Publication", exact: true });
const formOf = (page: Page, label: string) =>
  page.locator("form").filter({ has: page.getByRole("textbox", { name: label }) });
const focusedName = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");

describe.skipIf(noChromium)(`comments in the page ${ifSkipped}`, () => {
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

  async function inReview(): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada);
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, access: "open" });
    return one;
  }

  /** Opens a page as a user with this token. */
  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    const { page } = visiting;
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    return visiting;
  }

  test("a curator comments at a field and a file, and the owner resolves them there and while editing", async () => {
    const one = await inReview();
    await using curator = await as(cleo, `/datasets/${one.dataset}`);
    const desk = curator.page;
    await desk.getByRole("link", { name: "Your decision is needed" }).press("Enter");
    await expect.poll(() => desk.evaluate<string>("document.activeElement.id")).toBe("publication");
    expect(await section(desk).locator("h3").allTextContents()).toEqual([
      "Automatic checks",
      "History and comments",
      "Reviewer links",
    ]);
    // The page says where comments are possible: in a sentence, and with a word where there is space, or at the focus.
    await desk.getByText("To comment on a field, press").waitFor();
    const words = (member: string) =>
      desk.getByRole("button", { name: `Comment on: ${member}`, exact: true }).innerText();
    expect([await words("Title"), await words("Description"), await words("Keywords")]).toEqual([
      "Comment",
      "Comment",
      "",
    ]);
    await desk.getByRole("button", { name: "Comment on: Keywords", exact: true }).focus();
    await desk.keyboard.press("Shift+Tab");
    await desk.keyboard.press("Tab");
    expect(await words("Keywords")).toBe("Comment");
    await desk.getByRole("button", { name: "Comment on: Description", exact: true }).press("Enter");
    await desk.getByRole("textbox", { name: "Comment on: Description" }).fill("Which depth?");
    await formOf(desk, "Comment on: Description").getByRole("button", { name: "Add comment" }).press("Enter");
    const atDescription = (page: Page) => page.getByRole("list", { name: "Open comments on: Description" });
    await atDescription(desk).getByText("Which depth?").waitFor();
    await expect.poll(() => focusedName(desk)).toBe("Comment on: Description");
    await section(desk).getByText("0 of 1 comment resolved").waitFor();

    await desk.getByRole("link", { name: "README.md", exact: true }).press("Enter");
    const drawer = (page: Page) => page.getByRole("dialog", { name: "README.md" });
    await drawer(desk).getByRole("button", { name: "Comment on: data/README.md" }).press("Enter");
    await drawer(desk).getByRole("textbox", { name: "Comment on: data/README.md" }).fill("Please name the columns.");
    await drawer(desk).getByRole("button", { name: "Add comment" }).press("Enter");
    await drawer(desk).getByText("Please name the columns.").waitFor();
    await expectAccessible(desk);
    await desk.keyboard.press("Escape");
    await desk.getByRole("img", { name: "1 open comment" }).waitFor();
    await expectAccessible(desk);
    await desk.getByRole("button", { name: "Comment on: data", exact: true }).waitFor();
    await desk.getByText("Files that the archive has added").click();
    await desk.getByRole("button", { name: "Comment on: metadata", exact: true }).waitFor();
    await desk.getByRole("link", { name: "plots/", exact: true }).press("Enter");
    await desk.getByRole("button", { name: "Comment on: data/plots", exact: true }).waitFor();
    expect(await desk.getByRole("button", { name: /^Comment on: data/ }).count()).toBe(1);

    await using author = await as(ada, `/datasets/${one.dataset}`);
    const { page } = author;
    await atDescription(page)
      .getByRole("button", { name: /^Reply to the comment of cleo/ })
      .press("Enter");
    await page.getByRole("textbox", { name: "Reply to cleo" }).fill("20 cm");
    await page.getByRole("button", { name: "Add reply" }).press("Enter");
    await atDescription(page).getByText("20 cm").waitFor();

    await page.goto(`${service.url}/app/datasets/${one.dataset}/edit`);
    const open = page.getByRole("region", { name: "Open comments" });
    await open.getByRole("button", { name: "Description" }).press("Enter");
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("field-metadata-description");
    await atDescription(page).getByText("Which depth?").waitFor();
    await open.getByRole("link", { name: "File: data/README.md" }).waitFor();
    await expectAccessible(page);
    await shot(page, "edit");
    await atDescription(page)
      .getByRole("button", { name: /^Resolve the comment of cleo/ })
      .press("Enter");
    await atDescription(page).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate<string>("document.activeElement.tagName")).toBe("H1");
    // The other page follows without a reload, and the focus is not lost.
    await section(desk).getByText("1 of 2 comments resolved").waitFor();
    await atDescription(desk).waitFor({ state: "detached" });
    await section(desk).getByText("Resolved: Which depth?").press("Enter");
    await section(desk)
      .getByRole("button", { name: /^Reopen the comment of cleo/ })
      .press("Enter");
    await atDescription(desk).getByText("Which depth?").waitFor();
    await expect.poll(() => desk.evaluate<string>("document.activeElement.textContent")).toContain("Which depth?");
    await expectAccessible(desk);
    await shot(desk, "desk");
    expect((await one.get(ada)).json.comments).toEqual({ total: 2, resolved: 0 });
  });

  test("a comment is sent although another user has commented since the page was read", async () => {
    const one = await inReview();
    await using curator = await as(cleo, `/datasets/${one.dataset}`);
    const desk = curator.page;
    await desk.getByRole("button", { name: "Comment on: Description", exact: true }).press("Enter");
    await desk.getByRole("textbox", { name: "Comment on: Description" }).fill("Which depth?");
    // The page does not learn of it before it sends.
    await desk.route(/\/publication\?version=/, (route) =>
      route.request().method() === "GET" ? undefined : route.continue(),
    );
    await one.done(ada, "comment", { comment: "I have added the plots." });
    await formOf(desk, "Comment on: Description").getByRole("button", { name: "Add comment" }).press("Enter");
    await desk.getByRole("list", { name: "Open comments on: Description" }).getByText("Which depth?").waitFor();
    await section(desk).getByText("I have added the plots.").waitFor();
  });

  test("open comments of a long history are shown at their fields; readers of a published dataset see none", {
    tags: "extended",
  }, async () => {
    const one = await inReview();
    await one.done(cleo, "comment", { comment: "Which depth?", place: { field: "/description" } });
    await one.done(cleo, "comment", { comment: "Is the second author missing?", place: { field: "/authors/1" } });
    await one.done(cleo, "comment", { comment: "Please state the funding.", place: { field: "/fundingReferences" } });
    for (let number = 0; number < 220; number++) {
      await one.done(ada, "comment", { comment: `Answer ${number}`, answers: 2 });
    }
    await using author = await as(ada, `/datasets/${one.dataset}`);
    const { page } = author;
    await page.getByRole("list", { name: "Open comments on: Description" }).getByText("Answer 219").waitFor();
    const atAuthors = page.getByRole("list", { name: "Open comments on: Authors and contributors" });
    await atAuthors.getByText("Authors and contributors, entry 2").waitFor();
    await page
      .getByRole("list", { name: "Open comments on: Funding" })
      .getByText("Please state the funding.")
      .waitFor();
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    await using reader = await visit(browser, `${service.url}/app/datasets/${one.dataset}`);
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
    expect(await reader.page.content()).not.toContain("Which depth?");
  });
});

/** Keeps a picture of the page, if a folder for it is named. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}
