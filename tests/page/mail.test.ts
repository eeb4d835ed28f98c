import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

// No test here makes the service send e-mail.
const MAIL = {
  ACCESSION_SMTP_URL: "smtp://127.0.0.1:9",
  ACCESSION_MAIL_FROM: "accession@example.org",
  ACCESSION_MAIL_LANGUAGE: "de",
};

describe.skipIf(noChromium)(`the page for e-mail ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let tokens: Tokens;

  beforeAll(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService({ ...TOKENS, ...MAIL })]);
    tokens = await Tokens.open(service);
  });
  afterAll(() => service?.stop());

  async function as(token: string, of: TestService, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${of.url}/app${path}`, visitor);
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    return visiting;
  }

  test("a submitter opens it with the keyboard, chooses language and events, and finds both after a reload", async () => {
    const { token } = await tokens.create("ada", "submitter");
    await using visiting = await as(token, service, "/");
    const { page } = visiting;
    const link = page.getByRole("link", { name: "E-mail settings" });
    await link.press("Enter");
    await page.getByRole("heading", { level: 1, name: "E-mail settings" }).waitFor();
    expect(await link.getAttribute("aria-current")).toBe("page");
    await page.getByText("Your account has no e-mail address.").waitFor();
    const language = page.getByLabel("Language of e-mail");
    expect(await language.locator("option").allInnerTexts()).toEqual([
      "Language of the service (Deutsch)",
      "English",
      "Deutsch",
    ]);
    await expectAccessible(page);
    await language.selectOption("English");
    // The arrow key moves to the next choice and makes it.
    await page.getByRole("radio", { name: "Every event" }).press("ArrowDown");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("status").getByText("Saved.").waitFor();
    await page.reload();
    await expect.poll(() => language.inputValue()).toBe("en");
    expect(await page.getByRole("radio", { name: "Once a day" }).isChecked()).toBe(true);
    expect(await page.getByText("for curators").count()).toBe(0);
  });

  test("a curator reads where e-mail about reviews goes; without a mail server the page says so", {
    tags: "extended",
  }, async () => {
    const phone = { locale: "de-DE", width: 390, height: 844 };
    const { token } = await tokens.create("cleo", "curator");
    await using visiting = await as(token, service, "/account/mail", phone);
    await visiting.page.getByText("Der Betreiber hat keine Adresse für Kuratorinnen und Kuratoren").waitFor();
    await expectAccessible(visiting.page);
    await using silent = await startTestService(TOKENS);
    const other = await (await Tokens.open(silent)).create("cleo", "curator");
    await using unserved = await as(other.token, silent, "/account/mail", phone);
    await unserved.page.getByText("Dieser Dienst sendet keine E-Mails").waitFor();
    expect(await unserved.page.getByRole("radio").count()).toBe(0);
    await expectAccessible(unserved.page);
  });
});
