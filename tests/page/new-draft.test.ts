/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const stored = (page: Page) => page.evaluate<string>("JSON.stringify({ ...localStorage })");
const isKept = (page: Page) =>
  page.getByText("Your entries are saved in this browser, except the access key and the secret key.");

describe.skipIf(noChromium)(`a draft of a submission ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService()]);
  });
  afterAll(async () => {
    await service?.stop();
  });

  const open = (query: string, visitor = {}) => visit(browser, `${service.url}/app/new${query}`, visitor);

  test("is the same in two tabs: each tab shows the changes of the other, and deletes none of them", async () => {
    await using visiting = await open("?part=description");
    const { page, context } = visiting;
    const other = await context.newPage();
    await other.goto(page.url());
    await field(other, "Title").waitFor();
    await field(page, "Title").fill("Wheat, in the first tab");
    await expect.poll(() => field(other, "Title").inputValue()).toBe("Wheat, in the first tab");
    await field(other, "Keywords").fill("x");
    await field(other, "Keywords").fill("");
    await page.reload();
    expect(await field(page, "Title").inputValue()).toBe("Wheat, in the first tab");
  });

  test("is not overwritten by a tab that missed a change in another tab", async () => {
    await using visiting = await open("?part=description");
    const { page, context } = visiting;
    const other = await context.newPage();
    // Simulates a tab that the browser has suspended: it receives no events.
    await other.addInitScript({
      content:
        "for (const news of ['storage', 'focus']) addEventListener(news, (event) => event.stopImmediatePropagation());",
    });
    await other.goto(page.url());
    await field(other, "Title").waitFor();
    await field(page, "Title").fill("Wheat, from before");
    // Browsers pass stored entries on to the processes of other tabs with a delay.
    for (const tab of [page, other]) await expect.poll(() => stored(tab)).toContain("Wheat, from before");
    await field(other, "Title").fill("Wheat, from a tab that slept");
    await other.getByText("Draft not saved: it was changed in another tab.").waitFor();
    expect(await stored(page)).toContain("Wheat, from before");
    await expectNoViolations(other);
    await button(other, "Load the other draft and discard this one").click();
    await isKept(other).waitFor();
    expect(await field(other, "Title").inputValue()).toBe("Wheat, from before");
  });

  test("is reported as not saved if the browser has no storage space", async () => {
    await using visiting = await open("?part=description");
    const { page } = visiting;
    await page.evaluate("localStorage.setItem('other', 'x'.repeat(5 * 1024 * 1024 - 4096))");
    await field(page, "Description").fill("y".repeat(95_000));
    await page.getByText("Draft not saved: the browser cannot store it.").waitFor();
    await page.getByText("95,000 of at most 100,000 characters.").waitFor();
    await expectNoViolations(page);
  });

  test("has no errors after the form is cleared", async () => {
    await using visiting = await open("");
    const { page } = visiting;
    await field(page, "Bucket").fill("barley");
    await button(page, "Test connection").click();
    await page.getByText("Enter the endpoint.").waitFor();
    await button(page, "Clear form").click();
    const dialog = page.getByRole("dialog", { name: "Clear the form?" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Clear form");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Clear form" }).click();
    await expect.poll(() => field(page, "Bucket").inputValue()).toBe("");
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("field-s3Access-endpoint");
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    expect(await page.getByText("Enter the bucket name.").count()).toBe(0);
  });

  test("causes no layout shift at the first letter; access keys are kept in memory when the user visits the list", async () => {
    await using visiting = await open("", { width: 390, height: 844 });
    const { page } = visiting;
    const top = () =>
      page.evaluate<number>("document.getElementById('field-s3Access-bucket').getBoundingClientRect().top + scrollY");
    await field(page, "Bucket").waitFor();
    const before = await top();
    await page.locator("#field-s3Access-bucket").pressSequentially("b");
    await isKept(page).waitFor();
    expect(await top()).toBe(before);
    await field(page, "Access key").fill("AKIA-HELD");
    await page
      .getByRole("link", { name: /Submissions/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /Submissions/ }).waitFor();
    await page.goBack();
    expect(await field(page, "Access key").inputValue()).toBe("AKIA-HELD");
    expect(await stored(page)).not.toContain("AKIA-HELD");
  });

  test("keeps an endpoint that the user typed before choosing a preset", async () => {
    await using visiting = await open("");
    const { page } = visiting;
    await field(page, "Endpoint").fill("https://s3.example.org");
    await button(page, "MinIO").click();
    await page.getByText("The endpoint that you entered was kept.").waitFor();
    expect(await field(page, "Endpoint").inputValue()).toBe("https://s3.example.org");
  });
});

describe.skipIf(noChromium)(`drafts of several users in one browser ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let tokens: Tokens;
  beforeAll(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService(TOKENS)]);
    tokens = await Tokens.open(service);
  });
  afterAll(async () => {
    await service?.stop();
  });

  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
    await field(page, "Title").waitFor();
  }

  test("are shown only to their authors, and deleted when the author signs out", async () => {
    const [ada, bob] = [await tokens.create("ada", "submitter"), await tokens.create("bob", "submitter")];
    await using visiting = await visit(browser, `${service.url}/app/new?part=description`);
    const { page } = visiting;
    await signIn(page, ada.token);
    await field(page, "Title").fill("Wheat of Ada");
    await expect.poll(() => stored(page)).toContain("Wheat of Ada");
    // Her tab is closed without signing out.
    await page.evaluate("sessionStorage.clear()");
    await page.reload();
    await signIn(page, bob.token);
    expect(await field(page, "Title").inputValue()).toBe("");
    await field(page, "Title").fill("Wheat of Bob");
    await expect.poll(() => stored(page)).toContain("Wheat of Bob");
    await button(page, "Sign out").click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(await stored(page)).not.toContain("Wheat of Bob");
    expect(await stored(page)).toContain("Wheat of Ada");
  });
});
