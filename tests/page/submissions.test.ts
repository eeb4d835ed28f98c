import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { addSubmission } from "../support/database/test-database.ts";
import {
  expectNoViolations,
  ifSkipped,
  layoutShifts,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

describe.skipIf(noChromium)(`the list of submissions ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(), sharedBrowser()]);
    s3.addAccount(keys);
    for (const bucket of ["quick", "slow"]) {
      s3.createBucket(bucket);
      for (const key of ["a", "b", "c", "d"]) s3.put(bucket, key, key.repeat(1_000));
    }
    await service.restart(async () => {
      const database = await service.database();
      for (let n = 1; n <= 53; n++) {
        const created_at = new Date(Date.now() - 60_000 + n);
        const row = { owner: "local", status: "cancelled", title: `Soil cores, plot ${n}`, created_at };
        await addSubmission(database.queries, row);
      }
      await database.close();
    });
    const done = await submit("Barley roots under drought");
    await service.api.until(done.id, ["completed"]);
    const withdrawn = await service.api.until((await submit("Sent too early")).id, ["completed"]);
    await service.api.post(`/dataset/${withdrawn.dataset?.id}/withdraw`, { reason: "sent too early" });
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = (path = "/", visitor = {}) => visit(browser, `${service.url}/app${path}`, visitor);
  const badge = (page: Page, status: string) => page.locator("[data-tone]", { hasText: status });
  const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

  async function submit(title: string, bucket = "quick"): Promise<Submission> {
    const s3Access = { endpoint: s3.endpoint, bucket, ...keys };
    return service.api.submit(s3Access, { metadata: { ...goodMetadata, title } });
  }

  test("is sorted by date, newest first, and shown in pages", { tags: "extended" }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await page.getByText("Sent too early").waitFor();
    const titles = () => page.getByRole("row").locator("td:first-child a").allTextContents();
    expect((await titles()).slice(0, 3)).toEqual([
      "Sent too early",
      "Barley roots under drought",
      "Soil cores, plot 53",
    ]);
    expect(await titles()).toHaveLength(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("Soil cores, plot 1", { exact: true }).waitFor();
    expect(await titles()).toHaveLength(55);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  test("shows status, number of objects and size", { tags: "extended" }, async () => {
    await using visiting = await open("/", { locale: "de-DE" });
    const { page } = visiting;
    expect(await row(page, "Sent too early").innerText()).toMatch(/Zurückgezogen/);
    const text = await row(page, "Barley roots").innerText();
    expect(text).toMatch(/quick\s+Abgeschlossen\s+Version 1\s+4\s+3,91\sKiB\s+\d\d\.\d\d\.\d{4}/);
  });

  test("is searched by title and filtered by status, and the address contains both", async () => {
    await using visiting = await open();
    const { page } = visiting;
    await page.getByRole("searchbox", { name: "Search submissions" }).fill("ROOTS");
    await page.getByText("Soil cores").first().waitFor({ state: "detached" });
    await page.getByText("Barley roots under drought").waitFor();
    await page.getByLabel("Status").selectOption("Failed");
    await page.getByText("No matching submissions").waitFor();
    await expectNoViolations(page);
    await page.reload();
    await page.getByText("No matching submissions").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("ROOTS");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("Soil cores").first().waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("is searched by authors and keywords, and links to the version of the dataset", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await page.getByRole("searchbox").fill("carberry barley");
    await page.getByText("Soil cores").first().waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill("drought carberry under");
    const version = row(page, "Barley roots under drought").getByRole("link", { name: "Version 1 of the dataset" });
    await version.click();
    await page.getByRole("region", { name: "Cite" }).waitFor();
    expect(page.url()).toMatch(/\/datasets\/[0-9a-f-]{36}\?version=1$/);
  });

  test("is sorted by column headers, or by a selection field on a phone, and the address contains the order", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("/?q=cores");
    const { page } = visiting;
    const first = page.locator("td:first-child a").first();
    const head = page.getByRole("columnheader", { name: "Title" });
    await first.waitFor();
    expect(await first.textContent()).toBe("Soil cores, plot 53");
    await head.getByRole("button").click();
    await page.getByText("Soil cores, plot 1", { exact: true }).waitFor();
    expect([await first.textContent(), await head.getAttribute("aria-sort")]).toEqual([
      "Soil cores, plot 1",
      "ascending",
    ]);
    await head.getByRole("button").press("Enter");
    await page.getByText("Soil cores, plot 9", { exact: true }).waitFor();
    expect([await first.textContent(), await head.getAttribute("aria-sort")]).toEqual([
      "Soil cores, plot 9",
      "descending",
    ]);
    await expectNoViolations(page);
    await page.setViewportSize({ width: 390, height: 800 });
    const choice = page.getByLabel("Sort by");
    expect(await choice.inputValue()).toBe("-title");
    await choice.selectOption("Oldest first");
    await page.getByText("Soil cores, plot 1", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=cores&sort=created");
    await expectNoViolations(page);
  });

  test("limits the search text to the length that the service accepts", { tags: "extended" }, async () => {
    await using visiting = await open(`/?q=${"x".repeat(5_000)}`);
    const { page } = visiting;
    await page.getByText("No matching submissions").waitFor();
    expect((await page.getByRole("searchbox").inputValue()).length).toBe(1_000);
    expect(await page.getByRole("searchbox").getAttribute("maxlength")).toBe("1000");
  });

  test("opens a submission after a click anywhere in its row", { tags: "extended" }, async () => {
    await using visiting = await open("/?q=barley");
    const { page } = visiting;
    await row(page, "Barley roots").locator("td").nth(3).click({ force: true });
    await page.getByRole("heading", { level: 1, name: "Barley roots under drought" }).waitFor();
    expect(page.url()).toMatch(/\/app\/submissions\/[0-9a-f-]{36}$/);
  });

  test("shows cards on a phone, and is accessible in both themes", { tags: "extended" }, async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using visiting = await open("/?q=early", { colorScheme, width: 390 });
      const { page } = visiting;
      const card = page.getByRole("listitem").filter({ hasText: "Sent too early" });
      expect(await card.innerText()).toMatch(/Withdrawn\s+Version 1\s+4 objects\s+3\.91\sKiB\s+\d/);
      await expectNoViolations(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await row(page, "Sent too early").waitFor();
      await expectNoViolations(page);
      await page.setViewportSize({ width: 320, height: 800 });
      await card.waitFor();
      const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
  });

  test("loads without layout shifts", { tags: "extended" }, async () => {
    await using visiting = await open();
    await visiting.page.getByText("Sent too early").waitFor();
    expect(await layoutShifts(visiting.page)).toEqual([]);
  });

  test.each([390, 1280])(
    "and the pages of submissions load without layout shifts at %i px",
    { tags: "extended" },
    async (width) => {
      const { id } = await submit("A title of many words, ".repeat(20).trim());
      await service.api.until(id, ["completed"]);
      for (const path of ["/new", `/submissions/${id}`, "/no/such/page"]) {
        await using visiting = await open(path, { width, height: 844 });
        await visiting.page.locator("[aria-busy=true], .mantine-Skeleton-root").first().waitFor({ state: "detached" });
        await visiting.page.getByText("Accession", { exact: false }).last().waitFor();
        expect(await layoutShifts(visiting.page), path).toEqual([]);
      }
    },
  );

  describe("with a running submission", () => {
    let release: () => void;
    beforeEach(() => {
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const run = () => held;
      const removeFault = s3.addFault({ match: { operation: "get", bucket: "slow", key: /[cd]/ }, fault: { run } });
      return () => {
        release();
        removeFault();
      };
    });

    test("requests updates until the submission has ended, and then stops", { tags: "extended" }, async () => {
      const { id } = await submit("Under way in the list", "slow");
      await using visiting = await open("/?q=under+way+in+the+list");
      const { page } = visiting;
      let asked = 0;
      page.on("request", (request) => {
        if (request.url().includes("/submission?")) asked++;
      });
      await page.clock.install();
      await page.reload();
      await page.getByRole("progressbar", { name: "2 of 4 objects stored" }).waitFor();
      await badge(page, "Transferring").waitFor();
      await expectNoViolations(page);
      const before = asked;
      await page.clock.runFor(5_000);
      await expect.poll(() => asked).toBeGreaterThan(before);
      release();
      await service.api.until(id, ["completed"]);
      await page.clock.runFor(5_000);
      await badge(page, "Completed").waitFor();
      const after = asked;
      await page.clock.runFor(60_000);
      // Any earlier request of the page is counted before this one ends.
      await page.evaluate("fetch('service')");
      expect(asked).toBe(after);
    });

    test("the submission page is updated by its event stream, without polling", { tags: "extended" }, async () => {
      const { id } = await submit("Told by a stream", "slow");
      await using visiting = await open(`/submissions/${id}`, { expected: [/ERR_FAILED/] });
      const { page } = visiting;
      await badge(page, "Transferring").waitFor();
      await page.route(`**/submission/${id}`, (route) => route.abort());
      release();
      await badge(page, "Completed").waitFor();
    });

    test("the submission page polls if event streams do not arrive", { tags: "extended" }, async () => {
      const { id } = await submit("Read attempts", "slow");
      await using visiting = await open("/", { expected: [/ERR_FAILED/] });
      const { page } = visiting;
      // The stream delivers nothing, as behind a proxy that buffers complete responses.
      await page.route(`**/submission/${id}/events`, () => undefined);
      await page.getByRole("link", { name: "Read attempts" }).click();
      await badge(page, "Transferring").waitFor();
      release();
      await badge(page, "Completed").waitFor();
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });

    test("the submission page reconnects to a broken event stream after the last received event", {
      tags: "extended",
    }, async () => {
      const { id } = await submit("Reconnected", "slow");
      await using visiting = await open("/", {
        expected: [/ERR_(FAILED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING)/],
      });
      const { page } = visiting;
      const asked: (string | undefined)[] = [];
      await page.route(`**/submission/${id}/events`, async (route) => {
        asked.push(route.request().headers()["last-event-id"]);
        if (asked.length > 1) return route.continue();
        const first = (await service.api.events(id)).slice(0, 2);
        const body = first.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join("");
        return route.fulfill({ contentType: "text/event-stream", body });
      });
      await page.getByRole("link", { name: "Reconnected" }).click();
      await badge(page, "Transferring").waitFor();
      await expect.poll(() => asked).toEqual(["0", "2"]);
      release();
      await badge(page, "Completed").waitFor();
    });
  });
});
