import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

describe.skipIf(noChromium)(`the frame of every page ${ifSkipped}`, () => {
  let service: TestService;
  let browser: Browser;
  const open = (path: string, visitor = {}) => visit(browser, `${service.url}/app${path}`, visitor);

  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), sharedBrowser()]);
  });
  afterAll(async () => {
    await service?.stop();
  });

  test("uses the language of the browser, or the selected one, also after a reload", { tags: "extended" }, async () => {
    await using german = await open("/", { locale: "de-AT" });
    await heading(german.page, "Einreichungen").waitFor();
    expect(await german.page.locator("html").getAttribute("lang")).toBe("de");
    await german.page.getByLabel("Sprache").selectOption("English");
    await heading(german.page, "Submissions").waitFor();
    await german.page.reload();
    await heading(german.page, "Submissions").waitFor();
    expect(await german.page.locator("html").getAttribute("lang")).toBe("en");
    expect(await german.page.title()).toBe("Submissions · Accession");
    await using french = await open("/", { locale: "fr" });
    await heading(french.page, "Submissions").waitFor();
  });

  test("uses the colour scheme of the system, or the selected one", { tags: "extended" }, async () => {
    await using visiting = await open("/", { colorScheme: "dark" });
    const { page } = visiting;
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    await page.getByRole("button", { name: "Switch to light theme" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Switch to dark theme" }).waitFor();
    expect(await scheme()).toBe("light");
    // After switching back to the scheme of the system, the page follows the system again.
    await page.getByRole("button", { name: "Switch to dark theme" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Switch to dark theme" }).waitFor();
    expect(await scheme()).toBe("light");
  });

  test("can be used by keyboard alone: past the header, and from page to page", async () => {
    await using visiting = await open("/");
    const { page } = visiting;
    await heading(page, "Submissions").waitFor();
    const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");
    expect(await focused()).not.toBe("Submissions");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("Skip to main content");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused()).toBe("content");
    expect(new URL(page.url()).hash).toBe("");
    const link = page.getByRole("navigation").getByRole("link", { name: "New submission" });
    await link.focus();
    await page.keyboard.press("Enter");
    await heading(page, "New submission").waitFor();
    await expect.poll(() => focused()).toBe("New submission");
    expect(await page.title()).toBe("New submission · Accession");
    expect(await link.getAttribute("aria-current")).toBe("page");
    await page.goBack();
    await heading(page, "Submissions").waitFor();
    await expect.poll(() => focused()).toBe("Submissions");
  });

  test("reports an address without a page", { tags: "extended" }, async () => {
    await using visiting = await open("/no/such/page");
    await heading(visiting.page, "Page not found").waitFor();
    await visiting.page.getByRole("link", { name: "View all submissions" }).click();
    await heading(visiting.page, "Submissions").waitFor();
  });

  test("reports that the service cannot be reached, and continues when it is available again", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    const notice = page.getByRole("status").getByText("The service cannot be reached");
    await page.getByText("No submissions yet").waitFor();
    await page.route("**/submission?**", (route) => route.abort());
    await page.reload();
    await notice.waitFor();
    await expectNoViolations(page);
    // Pressed while nothing answers: the page also repeats the request automatically, and then there is no button any more.
    const asked = page.waitForRequest(/submission\?/);
    await page.getByRole("button", { name: "Retry now" }).click();
    await asked;
    await page.unroute("**/submission?**");
    await page.getByText("No submissions yet").waitFor();
    await notice.waitFor({ state: "detached" });
  });

  test("repeats a failed request for the list automatically, and immediately on “Retry”", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    const list = "**/submission?**";
    await page.getByText("No submissions yet").waitFor();
    await page.clock.install();
    await page.route(list, (route) => route.abort());
    await page.reload();
    await page.clock.runFor(5_000);
    await page.getByRole("alert").getByText("The service did not respond").waitFor();
    await page.unroute(list);
    await page.clock.runFor(6_000);
    await page.getByText("No submissions yet").waitFor();
    await page.route(list, (route) =>
      route.fulfill({ status: 503, json: { status: 503, title: "Busy", code: "busy" } }),
    );
    await page.reload();
    const again = page.getByRole("alert").getByRole("button", { name: "Retry" });
    await again.waitFor();
    const asked = page.waitForRequest(/submission\?/);
    await again.click();
    await asked;
    await page.unroute(list);
    await page.getByText("No submissions yet").waitFor();
  });

  test("connects automatically to a service that was unavailable when the page was opened", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/no/such/page", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    await page.route("**/service", (route) => route.abort());
    await page.reload();
    await page.getByText("The service cannot be reached").waitFor();
    await page.unroute("**/service");
    await heading(page, "Page not found").waitFor();
    await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
  });

  test("offers to reload the page if its code no longer exists on the server", { tags: "extended" }, async () => {
    await using visiting = await open("/", {
      expected: [/dynamically imported|The code of the page does not exist any more/],
    });
    const { page } = visiting;
    await page.route("**/NewSubmissionPage-*.js", (route) => route.fulfill({ status: 404 }));
    await page.getByRole("navigation").getByRole("link", { name: "New submission" }).click();
    await page.getByRole("alert").getByText("A newer version of this page").waitFor();
    await page.unroute("**/NewSubmissionPage-*.js");
    await page.getByRole("button", { name: "Reload page" }).click();
    await heading(page, "New submission").waitFor();
  });

  test("is shown while a page loads slowly; a page that fails once is loaded again; missing texts are reported", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", { expected: [/ERR_FAILED|dynamically imported/] });
    const { page } = visiting;
    const pageCode = "**/NewSubmissionPage-*.js";
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(pageCode, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${service.url}/app/new`, { waitUntil: "commit" });
    await page.getByRole("navigation").waitFor();
    expect(await heading(page, "New submission").count()).toBe(0);
    release();
    await heading(page, "New submission").waitFor();
    await page.unroute(pageCode);
    await page.route(pageCode, (route) => route.abort(), { times: 1 });
    await page.reload();
    await heading(page, "New submission").waitFor();
    await page.route("**/en-*.js", (route) => route.abort());
    await page.reload();
    await page.getByText("The page could not be loaded").waitFor();
  });

  test("remains usable without a network, and loads a missing page automatically when the network is back", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", {
      expected: [/ERR_INTERNET_DISCONNECTED|dynamically imported|The service does not answer/],
    });
    const { page, context } = visiting;
    const link = (name: string) => page.getByRole("navigation").getByRole("link", { name });
    await page.getByText("No submissions yet").waitFor();
    await context.setOffline(true);
    await link("New submission").click();
    await heading(page, "The page could not be loaded").waitFor();
    expect(await page.getByText("A newer version of this page").count()).toBe(0);
    await expectNoViolations(page);
    await link("Submissions").click();
    await heading(page, "Submissions").waitFor();
    await link("New submission").click();
    await heading(page, "The page could not be loaded").waitFor();
    await context.setOffline(false);
    await heading(page, "New submission").waitFor();
  });

  test.each([
    [
      "does not allow storage",
      "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } })",
    ],
    [
      "has unreadable stored values",
      "sessionStorage.setItem('accession.session', '{x'); localStorage.setItem('accession.language', '{x')",
    ],
  ])("works in a browser that %s", { tags: "extended" }, async (_, script) => {
    await using visiting = await open("/no/such/page");
    const { page, context } = visiting;
    await context.addInitScript(script);
    await page.goto(`${service.url}/app/`);
    await heading(page, "Submissions").waitFor();
    await page.getByLabel("Language").selectOption("Deutsch");
    await heading(page, "Einreichungen").waitFor();
  });

  test.each(["/", "/new", "/no/such/page", "/sign-in"])(
    "makes %s accessible, and fits on screens of all widths",
    { tags: "extended" },
    async (path) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await using visiting = await open(path, { colorScheme });
        const { page } = visiting;
        for (const width of [320, 390, 1280, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          await page.getByRole("heading", { level: 1 }).waitFor();
          if (width === 390 || width === 1280) await expectNoViolations(page, `${colorScheme} ${width}`);
          const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          expect(await page.evaluate(overflow), `${colorScheme} ${width}`).toBeLessThanOrEqual(0);
        }
      }
    },
  );

  test("works below a base path", { tags: "extended" }, async () => {
    await using own = await startTestService({ ACCESSION_BASE_PATH: "/deep/archive" });
    await using visiting = await visit(browser, `${own.url}/app/new`);
    const { page } = visiting;
    await heading(page, "New submission").waitFor();
    await page.getByRole("link", { name: "Submissions", exact: true }).click();
    await page.getByText("No submissions yet").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/deep\/archive\/app\/?$/);
  });
});
