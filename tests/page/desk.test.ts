import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
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

const { embargoDate: _, ...metadata } = goodMetadata as { embargoDate?: string };

describe.skipIf(noChromium)(`the desk of curators ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let tokens: Tokens;
  let ada: string;
  let cleo: string;
  let files: Awaited<ReturnType<typeof mkdtempDisposable>>;

  beforeAll(async () => {
    files = await mkdtempDisposable(join(tmpdir(), "replies-"));
    const replies = [join(files.path, "replies.en.md"), join(files.path, "replies.de.md")] as const;
    await writeFile(replies[0], "# Missing licence\n\nPlease choose a licence.\n");
    await writeFile(replies[1], "# Lizenz fehlt\n\nBitte wählen Sie eine Lizenz.\n");
    const settings = { ACCESSION_PUBLICATION: "review", ACCESSION_REPLY_TEMPLATES: replies.join(",") };
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ...settings }),
    ]);
    tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
    await files?.remove();
  });

  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    return visiting;
  }

  async function requested(title: string, access: object = { access: "open" }): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada, { metadata: { ...metadata, title } });
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, publishOnApproval: false, ...access });
    return one;
  }

  test("a curator finds a dataset whose curator has left, takes it, and requests changes with a template", {
    tags: "extended",
  }, async () => {
    const carl = await tokens.create("carl", "curator");
    const one = await requested("Xylem of roots", {
      access: "embargoed",
      embargoDate: "2099-05-01",
      reason: "Article",
    });
    await one.done(cleo, "assign", { curator: "carl" });
    await requested("Soil moisture");
    await tokens.revoke(carl.id);

    await using visiting = await as(cleo, "/publications?queue=new");
    const { page } = visiting;
    const rows = page.getByRole("row").filter({ has: page.getByRole("link") });
    await expect.poll(() => rows.count()).toBe(2);
    const navigation = page.getByRole("navigation", { name: "Main" });
    expect(await navigation.getByRole("link", { name: "New submission" }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel("Sort by").selectOption("Newest first");
    await page.getByRole("searchbox").fill("xylem");
    await expect.poll(() => rows.count()).toBe(1);
    for (const text of ["carl", "no longer a curator", "Embargo: open from 1 May 2099", "Since today"]) {
      await rows.getByText(text).waitFor();
    }
    expect(new URL(page.url()).search).toBe("?queue=new&q=xylem&sort=-since");
    // The address can be shared.
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole("link").press("Enter");
    await page.getByText("Waiting for a curator: carl is no longer a curator").waitFor();
    await page.getByRole("button", { name: "Assign to another curator" }).press("Enter");
    const dialog = page.getByRole("dialog");
    const choices = dialog.getByLabel("Curator").locator("option");
    await expect.poll(() => choices.allInnerTexts()).toEqual(["Choose", "Me (cleo)", "root"]);
    await dialog.getByRole("button", { name: "Assign", exact: true }).press("Enter");
    await dialog.getByText("Choose a curator.").waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Curator").selectOption("Me (cleo)");
    await dialog.getByRole("button", { name: "Assign", exact: true }).press("Enter");
    await page.getByText("Waiting for the curator cleo").waitFor();
    // While it closes, there would be two dialogs.
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Request changes" }).press("Enter");
    await dialog.getByLabel("Comment").fill("Hello Ada,");
    await dialog.getByLabel("Insert a template").selectOption("Missing licence (en)");
    await expect.poll(() => dialog.getByLabel("Comment").inputValue()).toBe("Hello Ada,\n\nPlease choose a licence.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Request changes" }).press("Enter");
    const history = page.getByRole("list", { name: "History and comments" });
    await history.getByText("Please choose a licence.").waitFor();
    // What the owner must do is at the beginning of the section.
    const standing = page.getByRole("region", { name: "Publication", exact: true }).getByRole("status").first();
    await standing.getByText("Please choose a licence.").waitFor();
  });

  test("owners and curators see on their first page what waits for them, and reach the requests for access", async () => {
    const eve = (await tokens.create("eve", "submitter")).token;
    const closed = await requested("Closed roots", { access: "restricted", publishOnApproval: true });
    await closed.done(cleo, "approve", { comment: "" });
    await closed.until(ada, "published");
    const request = { reason: "Comparison", name: "Grace Hopper", email: "grace@example.org" };
    await service.api.post(`/dataset/${closed.dataset}/access-request`, request);

    await using visiting = await as(cleo, "/");
    const { page } = visiting;
    const tasks = page.getByRole("region", { name: "Waiting for you" });
    const link = tasks.getByRole("link", { name: /^1 dataset has requests for access without an answer$/ });
    await link.waitFor();
    await expectAccessible(page);
    await link.press("Enter");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Closed roots" }) });
    await row.getByText("1 access request").waitFor();
    const filters = page.getByRole("navigation", { name: "Filter" });
    await filters.getByRole("link", { name: "Access requests 1" }).waitFor();
    await expectAccessible(page);
    await row.getByRole("link").press("Enter");
    await page.getByRole("button", { name: /^Answer/ }).press("Enter");
    await page.getByRole("dialog").getByRole("radio", { name: "Refuse" }).waitFor();

    // Others’ datasets are no tasks of an owner.
    await using owner = await as(eve, "/");
    await owner.page.getByRole("link", { name: "New submission" }).first().waitFor();
    expect(await owner.page.getByRole("region", { name: "Waiting for you" }).count()).toBe(0);
  });

  test("empty lists tell a curator where the work starts, in German on a phone", { tags: "extended" }, async () => {
    await using empty = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
    const { token } = await (await Tokens.open(empty)).create("cleo", "curator");
    await using visiting = await visit(browser, `${empty.url}/app/`, { locale: "de-DE", width: 390, height: 844 });
    const { page } = visiting;
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    const texts = { "": "Ihre Arbeit beginnt unter", datasets: "Anträge auf Begutachtung finden Sie" };
    for (const [path, text] of Object.entries({ ...texts, publications: "Sie begutachten ihn dann" })) {
      await page.goto(`${empty.url}/app/${path}`);
      await page.getByText(text).waitFor();
      expect(await page.getByRole("link", { name: "Neue Einreichung" }).count()).toBe(0);
      await expectAccessible(page);
    }
  });
});
