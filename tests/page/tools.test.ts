/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { axe, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`tools on the landing page${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let tokens: Record<"ada" | "bob" | "cleo", string>;
  let landing: string;

  beforeAll(async () => {
    s3 = await startS3Server();
    service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
    browser = await sharedBrowser();
    const all = await Tokens.open(service);
    tokens = {
      ada: (await all.create("ada", "submitter")).token,
      bob: (await all.create("bob", "submitter")).token,
      cleo: (await all.create("cleo", "curator")).token,
    };
    const { dataset } = await archiveAs(service, s3, tokens.ada);
    const one = new PublicationClient(service, dataset);
    await one.done(tokens.ada, "request", { agreement: true, access: "open" });
    await one.done(tokens.cleo, "approve");
    await one.until(tokens.cleo, "published");
    for (const comment of ["Which depth?", "And which year?"]) await one.done(tokens.cleo, "comment", { comment });
    landing = `${service.url}/dataset/${dataset}`;
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
  });

  const heading = (page: Page, name: string) => page.getByRole("heading", { name });

  async function signIn(page: Page, token: string): Promise<void> {
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    await heading(page, "Submissions").waitFor();
  }

  test("are shown to the owner, in the tab of the application and in new ones", async () => {
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page, context } = visiting;
    await signIn(page, tokens.ada);
    const tab = await context.newPage();
    await tab.goto(landing);
    await heading(tab, "Your tools").waitFor();
    await page.goto(landing);
    await heading(page, "Your tools").waitFor();
    await page.getByRole("region", { name: "Your tools" }).getByText("2 open comments").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "Edit the metadata" }).click();
    await heading(page, "Edit metadata").waitFor();
  });

  test("are shown to curators, and neither to other users nor to readers", async () => {
    const answered = (page: Page) => page.waitForResponse(/\/publication\?version=1$/);
    for (const who of ["bob", "cleo"] as const) {
      await using visiting = await visit(browser, `${service.url}/app/`);
      await signIn(visiting.page, tokens[who]);
      const [answer] = await Promise.all([answered(visiting.page), visiting.page.goto(landing)]);
      expect((await answer.json()).actions.length > 0).toBe(who === "cleo");
      await heading(visiting.page, "Your tools").waitFor({ state: who === "cleo" ? "visible" : "hidden" });
    }
    await using reading = await visit(browser, landing, { locale: "de-DE" });
    await heading(reading.page, "Ihre Werkzeuge").waitFor({ state: "hidden" });
    expect(await reading.page.locator("[data-tools]").getAttribute("hidden")).toBe("");
  });
});
