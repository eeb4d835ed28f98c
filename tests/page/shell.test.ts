import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axe, ifSkipped, noChromium, startBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

describe.skipIf(noChromium)(`what is around every page ${ifSkipped}`, () => {
  let service: TestService;
  let browser: Browser;
  const open = (path: string, visitor = {}) => visit(browser, `${service.url}/app${path}`, visitor);

  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("speaks the browser’s language, and another one when told to, also after a reload", async () => {
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

  test("is as light or dark as the system, or as somebody wants it", async () => {
    await using visiting = await open("/", { colorScheme: "dark" });
    const { page } = visiting;
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    await page.getByRole("button", { name: "Switch to light theme" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Switch to dark theme" }).waitFor();
    expect(await scheme()).toBe("light");
    // Back to what the system has: from now on it is followed again.
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
    expect(await focused()).toBe("Skip to main content");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("content");
    expect(new URL(page.url()).hash).toBe("");
    const way = page.getByRole("navigation").getByRole("link", { name: "New submission" });
    await way.focus();
    await page.keyboard.press("Enter");
    await heading(page, "New submission").waitFor();
    expect(await focused()).toBe("New submission");
    expect(await page.title()).toBe("New submission · Accession");
    expect(await way.getAttribute("aria-current")).toBe("page");
    await page.goBack();
    await heading(page, "Submissions").waitFor();
    expect(await focused()).toBe("Submissions");
  });

  test("says so where an address leads nowhere", async () => {
    await using visiting = await open("/no/such/page");
    await heading(visiting.page, "Page not found").waitFor();
    await visiting.page.getByRole("link", { name: "View all submissions" }).click();
    await heading(visiting.page, "Submissions").waitFor();
  });

  test("says that the service is away, and goes on when it is back", async () => {
    await using visiting = await open("/", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    const notice = page.getByRole("status").getByText("The service cannot be reached");
    await page.getByText("No submissions yet").waitFor();
    await page.route("**/submission?**", (route) => route.abort());
    await page.reload();
    await notice.waitFor();
    expect(await axe(page)).toEqual([]);
    await page.unroute("**/submission?**");
    await page.getByRole("button", { name: "Retry now" }).click();
    await page.getByText("No submissions yet").waitFor();
    await notice.waitFor({ state: "detached" });
  });

  test("asks for the list again by itself until it comes, and at once when told to", { tags: "extended" }, async () => {
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

  test("asks for a service that was away from the beginning until it is there", { tags: "extended" }, async () => {
    await using visiting = await open("/no/such/page", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    await page.route("**/service", (route) => route.abort());
    await page.reload();
    await page.getByText("The service cannot be reached").waitFor();
    await page.unroute("**/service");
    await heading(page, "Page not found").waitFor();
    await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
  });

  test("says in plain words that a page cannot be shown any more", async () => {
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

  test("comes with a page that takes long, or fails at first; without its words it says so", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", { expected: [/ERR_FAILED|dynamically imported/] });
    const { page } = visiting;
    const pageCode = "**/NewSubmissionPage-*.js";
    const { promise: isTime, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(pageCode, async (route) => {
      await isTime;
      await route.continue();
    });
    await page.goto(`${service.url}/app/new`, { waitUntil: "commit" });
    await page.getByRole("navigation").waitFor();
    expect(await heading(page, "New submission").count()).toBe(0);
    goOn();
    await heading(page, "New submission").waitFor();
    await page.unroute(pageCode);
    await page.route(pageCode, (route) => route.abort(), { times: 1 });
    await page.reload();
    await heading(page, "New submission").waitFor();
    await page.route("**/en-*.js", (route) => route.abort());
    await page.reload();
    await page.getByText("The page could not be loaded").waitFor();
  });

  test("goes on after the network was cut: every way leads on, and what could not be fetched comes by itself", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/", {
      expected: [/ERR_INTERNET_DISCONNECTED|dynamically imported|The service does not answer/],
    });
    const { page, context } = visiting;
    const way = (name: string) => page.getByRole("navigation").getByRole("link", { name });
    await page.getByText("No submissions yet").waitFor();
    await context.setOffline(true);
    await way("New submission").click();
    await heading(page, "The page could not be loaded").waitFor();
    expect(await page.getByText("A newer version of this page").count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await way("Submissions").click();
    await heading(page, "Submissions").waitFor();
    await way("New submission").click();
    await heading(page, "The page could not be loaded").waitFor();
    await context.setOffline(false);
    await heading(page, "New submission").waitFor();
  });

  test.each([
    [
      "refuses to keep anything",
      "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } })",
    ],
    [
      "holds what nobody can read",
      "sessionStorage.setItem('accession.session', '{x'); localStorage.setItem('accession.language', '{x')",
    ],
  ])("works in a browser that %s", async (_, script) => {
    await using visiting = await open("/no/such/page");
    const { page, context } = visiting;
    await context.addInitScript(script);
    await page.goto(`${service.url}/app/`);
    await heading(page, "Submissions").waitFor();
    await page.getByLabel("Language").selectOption("Deutsch");
    await heading(page, "Einreichungen").waitFor();
  });

  test.each(["/", "/new", "/no/such/page", "/sign-in"])(
    "%s is accessible, and fits on every screen",
    { tags: "extended" },
    async (path) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await using visiting = await open(path, { colorScheme });
        const { page } = visiting;
        for (const width of [320, 390, 1280, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          await page.getByRole("heading", { level: 1 }).waitFor();
          if (width === 390 || width === 1280) expect(await axe(page), `${colorScheme} ${width}`).toEqual([]);
          const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          expect(await page.evaluate(overflow), `${colorScheme} ${width}`).toBeLessThanOrEqual(0);
        }
      }
    },
  );

  test("lies below a base path, too", async () => {
    await using own = await startTestService({ ACCESSION_BASE_PATH: "/deep/archive" });
    await using visiting = await visit(browser, `${own.url}/app/new`);
    const { page } = visiting;
    await heading(page, "New submission").waitFor();
    await page.getByRole("link", { name: "Submissions", exact: true }).click();
    await page.getByText("No submissions yet").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/deep\/archive\/app\/?$/);
  });
});
