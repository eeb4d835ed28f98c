import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
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

const section = (page: Page) => page.getByRole("region", { name: "Access to closed files", exact: true });
const button = (page: Page, name: string) => section(page).getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

describe.skipIf(noChromium)(`access to closed files in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;
  let bob: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "direct" }),
    ]);
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    bob = (await tokens.create("bob", "submitter")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  async function closed(access: object = { access: "restricted" }): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada);
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, ...access });
    await one.until(ada, "published");
    return one;
  }

  const open = (path: string, visitor?: Visitor) => visit(browser, `${service.url}/app${path}`, visitor);

  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await open(path, visitor);
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    return visiting;
  }

  /** Downloads by pressing a button, and returns the bytes. */
  async function downloaded(page: Page, name: string): Promise<Buffer> {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).press("Enter"),
    ]);
    return readFile((await download.path()) ?? "");
  }

  test("a reader without an account asks for access; the owner creates a link, with which the reader downloads", {
    tags: "extended",
  }, async () => {
    const one = await closed();
    const path = `/datasets/${one.dataset}/access`;
    await using reader = await open(path);
    const { page } = reader;
    await page.getByRole("heading", { name: "Barley roots under drought" }).waitFor();
    await page.getByText("The access to the files is restricted.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send request" }).press("Enter");
    await page.getByText("Enter your e-mail address.").waitFor();
    await page.getByLabel("Reason").fill("Comparison with our plots");
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("E-mail address").fill("grace@example");
    await page.getByRole("button", { name: "Send request" }).press("Enter");
    await page.getByText("not a plain e-mail address", { exact: false }).first().waitFor();
    await expectAccessible(page);
    await page.getByLabel("E-mail address").fill("grace@example.org");
    await page.getByRole("button", { name: "Send request" }).press("Enter");
    await expect.poll(() => focused(page)).toContain("The request was sent");
    await expectAccessible(page);

    await using author = await as(ada, `/datasets/${one.dataset}`);
    const desk = author.page;
    await section(desk).getByText("1 open request").waitFor();
    await desk.getByRole("link", { name: "1 open request for access to files" }).press("Enter");
    await expect.poll(() => focused(desk)).toBe("Access to closed files");
    await section(desk).getByText("Grace Hopper").waitFor();
    await section(desk).getByText("The address is not verified").waitFor();
    await expectAccessible(desk);
    await button(desk, "Answer the request of Grace Hopper").press("Enter");
    await dialog(desk).getByText("Comparison with our plots").waitFor();
    await dialog(desk).getByLabel("Answer (optional)").fill("You are welcome.");
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Grant access" }).press("Enter");
    await dialog(desk).getByText("It is not shown again").waitFor();
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    const url = (await dialog(desk).locator("code").textContent()) ?? "";
    expect(url).toMatch(new RegExp(`${path}\\?version=1#grant_[\\w-]{43}$`));
    await dialog(desk).getByRole("button", { name: "Close" }).last().press("Enter");
    await section(desk).getByText("Link: Grace Hopper").first().waitFor();
    await expect.poll(() => focused(desk)).toBe("Access to closed files");
    expect(await desk.content()).not.toContain(url.split("#")[1]);

    await using invited = await visit(browser, url);
    const files = invited.page;
    await files.getByText("You have access.").waitFor();
    // The secret is neither in the address bar nor in the history.
    expect(files.url()).toBe(`${service.url}/app${path}?version=1`);
    await expectAccessible(files);
    expect((await downloaded(files, "Download data/plots/a.csv")).toString()).toBe("1;2");
    expect((await downloaded(files, "Download all files (ZIP)")).subarray(0, 2).toString()).toBe("PK");
    await files.reload();
    await files.getByText("You have access.").waitFor();

    // The owner sees what was read.
    const usesButton = section(desk).getByRole("button", { name: /^What was read: Link/ });
    await usesButton.press("Enter");
    const read = dialog(desk).getByRole("listitem");
    await read
      .filter({ hasText: "data/plots/a.csv" })
      .getByText(/^1 use, on /)
      .waitFor();
    await read
      .filter({ hasText: "All files (ZIP)" })
      .getByText(/^1 use, on /)
      .waitFor();
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Close" }).last().press("Enter");
    await expect.poll(() => focused(desk)).toBe("What was read");

    await section(desk)
      .getByRole("button", { name: /^Revoke the access: Link/ })
      .press("Enter");
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Revoke" }).press("Enter");
    await section(desk).getByText("No other people have access.").waitFor();
    await expect.poll(() => focused(desk)).toBe("Access to closed files");
    // What has ended is folded.
    await section(desk).getByText("Ended access and answered requests (2)").press("Enter");
    await section(desk)
      .getByRole("list", { name: "Ended access" })
      .getByText(/revoked by ada/)
      .waitFor();
    const answered = section(desk).getByRole("list", { name: "Answered requests" });
    await answered.getByText(/^granted by ada/).waitFor();
    await answered.getByText("You are welcome.").waitFor();
    await expectAccessible(desk);
    await files.reload();
    await files.getByText("The link is no longer valid").waitFor();
    await files.getByRole("button", { name: "Send request" }).waitFor();
    await expectAccessible(files);
    await files.reload();
    await files.getByText("The access to the files is restricted.").waitFor();
    expect(await files.getByText("The link is no longer valid").count()).toBe(0);
  });

  test("a signed-in reader asks with a reason only, and the owner refuses, and later grants access in German", {
    tags: "extended",
  }, async () => {
    const one = await closed({ access: "embargoed", embargoDate: "2099-05-01", reason: "Article" });
    const path = `/datasets/${one.dataset}/access`;
    await using reader = await open(path, { locale: "de-DE" });
    const { page } = reader;
    await page
      .getByText("Sie sind ab dem 1. Mai 2099 (UTC) offen.")
      .or(page.getByText("Sie sind ab dem 01.05.2099 (UTC) offen."))
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Wenn Sie ein Konto haben" }).press("Enter");
    await page.locator("input[type=password]").fill(bob);
    await page.keyboard.press("Enter");
    await page.getByLabel("Begründung").fill("Lehre");
    expect(await page.getByLabel("E-Mail-Adresse").count()).toBe(0);
    await page.getByRole("button", { name: "Anfrage senden" }).press("Enter");
    await expect.poll(() => focused(page)).toContain("Die Anfrage wurde gesendet");
    await expectAccessible(page);

    await using author = await as(ada, `/datasets/${one.dataset}`, { locale: "de-DE" });
    const desk = author.page;
    const part = desk.getByRole("region", { name: "Zugriff auf geschlossene Dateien" });
    await part.getByRole("button", { name: "Die Anfrage von bob beantworten" }).press("Enter");
    await dialog(desk).getByLabel("Ablehnen").press("Space");
    await dialog(desk).getByLabel("Antwort (optional)").fill("Bitte genauer");
    await expectAccessible(desk);
    await dialog(desk).getByRole("button", { name: "Ablehnen" }).press("Enter");
    await part.getByText("Keine weiteren Personen haben Zugriff.").waitFor();
    await part.getByText("Beendete Zugriffe und beantwortete Anfragen (1)").press("Enter");
    await part.getByText(/^abgelehnt von ada am /).waitFor();
    await part.getByText("Bitte genauer").waitFor();
    await part.getByRole("button", { name: "Zugriff gewähren" }).press("Enter");
    await expectAccessible(desk);
    await expectFocusInSight(desk);
    await dialog(desk).getByRole("button", { name: "Zugriff gewähren" }).press("Enter");
    await dialog(desk).getByText("Geben Sie die Person ein.").waitFor();
    await dialog(desk).getByLabel("Kontoname").fill("bob");
    await dialog(desk).getByLabel("Notiz (optional)").fill("Lehre");
    await dialog(desk).getByRole("button", { name: "Zugriff gewähren" }).press("Enter");
    await part.getByText("bob: Lehre").waitFor();
    await expectAccessible(desk);
    await page.reload();
    await page.getByText("Sie haben Zugriff.").waitFor();
    expect((await downloaded(page, "data/plots/a.csv herunterladen")).toString()).toBe("1;2");
  });

  test("the page of a dataset that is not published reveals nothing, and the landing page leads to the form", {
    tags: "extended",
  }, async () => {
    const { dataset } = await archiveAs(service, s3, ada);
    await using visiting = await open(`/datasets/${dataset}/access`);
    await visiting.page.getByRole("link", { name: "Sign in to see datasets that are not public" }).waitFor();
    expect(await visiting.page.content()).not.toContain("Barley");
    const one = await closed();
    await using landing = await visit(browser, `${service.url}/dataset/${one.dataset}`);
    await landing.page.getByRole("link", { name: "Ask for access" }).press("Enter");
    await landing.page.getByRole("button", { name: "Send request" }).waitFor();
    const { json } = await service.api.get(`/dataset/${one.dataset}/access-request`, bearer(ada));
    expect(json).toEqual([]);
  });
});
