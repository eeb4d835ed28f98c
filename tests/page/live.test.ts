/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Submission } from "../support/api/api.ts";
import { startSuspendableProxy } from "../support/network/suspendable-proxy.ts";
import { startTcpProxy } from "../support/network/tcp-proxy.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

describe.skipIf(noChromium)(`the submission page during interruptions ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let proxyPort: number;

  beforeAll(async () => {
    // Tests open the page through a proxy on this port. The service refuses requests from that origin unless it is configured.
    await using place = await startTcpProxy(0, () => undefined);
    proxyPort = place.port;
    const settings = { ACCESSION_CORS_ORIGINS: `http://127.0.0.1:${proxyPort}` };
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(settings), sharedBrowser()]);
    s3.addAccount(keys);
  });
  // Reads that are still blocked would occupy readers in the next test, also after a failure.
  afterEach(() => {
    s3?.clearFaults();
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = ({ id }: Submission, visitor: Visitor = {}, origin = service.url) =>
    visit(browser, `${origin}/app/submissions/${id}`, visitor);
  const badge = (page: Page, status: string) => page.locator("h1 + [data-tone]", { hasText: status });

  function fill(bucket: string, objects = 12): object {
    s3.createBucket(bucket);
    for (let n = 0; n < objects; n++)
      s3.put(bucket, `plots/${String(n).padStart(3, "0")}.csv`, { seed: `${n}`, size: 2_000 });
    return { endpoint: s3.endpoint, bucket, ...keys };
  }

  test("resumes after its event stream is interrupted, and shows every event exactly once", async () => {
    const access = fill("interrupted");
    const { release } = s3.hold({ operation: "get", bucket: "interrupted", key: /011/ });
    const submission = await service.api.submit(access);
    const port = Number(new URL(service.url).port);
    const proxy = await startTcpProxy(port, () => undefined, proxyPort);
    const origin = `http://127.0.0.1:${proxyPort}`;
    await using visiting = await open(submission, { expected: [/ERR_/] }, origin);
    const { page } = visiting;
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("11 of 12").waitFor();
    await proxy.close();
    await page.getByText("No live connection").waitFor();
    await page.getByText("The service cannot be reached").waitFor();
    release();
    await service.api.until(submission.id, ["completed"]);
    await using _again = await startTcpProxy(port, () => undefined, proxyPort);
    await badge(page, "Completed").waitFor();
    await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Log" }).click();
    const log = page.getByRole("list", { name: "Log, newest first" }).getByRole("listitem");
    await log.filter({ hasText: "Completed; the receipt is available" }).waitFor();
    expect(await log.count()).toBe((await service.api.events(submission.id)).length);
    expect(await log.first().innerText()).toMatch(/Completed/);
    expect(await log.last().innerText()).toMatch(/Accepted: the data source is readable/);
    await expectAccessible(page);
  });

  test("is updated when a laptop wakes up, even if the browser does not notice that the connection is dead", {
    tags: "extended",
  }, async () => {
    const access = fill("asleep");
    const { release } = s3.hold({ operation: "get", bucket: "asleep", key: /011/ });
    const submission = await service.api.submit(access);
    await using proxy = await startSuspendableProxy(service.url, proxyPort);
    await using visiting = await open(submission, {}, proxy.origin);
    const { page } = visiting;
    await page.clock.install();
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("11 of 12").waitFor();
    proxy.suspend();
    release();
    await service.api.until(submission.id, ["completed"]);
    // Simulates a lid that is closed and opened: overdue timers fire once, and the page becomes visible.
    await page.clock.fastForward("02:00:00");
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.clock.runFor(5_000);
    await badge(page, "Completed").waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    const log = page.getByRole("list", { name: "Log, newest first" }).getByRole("listitem");
    await log.filter({ hasText: "Completed; the receipt is available" }).waitFor();
    expect(await log.count()).toBe((await service.api.events(submission.id)).length);
  });

  test("states since when a source has sent no data, and when the service will stop reading", {
    tags: "extended",
  }, async () => {
    const access = fill("stalled");
    s3.hold({ operation: "get", bucket: "stalled", key: /011/ });
    const submission = await service.api.submit(access);
    await using visiting = await open(submission);
    const { page } = visiting;
    await page.getByText("11 of 12").waitFor();
    const time = String.raw`\d{1,2}:\d{2}:\d{2}(?:\s?[AP]M)?`;
    const words = `The source has sent no data since ${time}. If no data arrives by ${time}, the submission is paused`;
    await page.getByText(new RegExp(words)).waitFor();
    const left = page.locator("dl", { hasText: "Time remaining" });
    expect(await left.innerText()).toContain("Unknown");
    expect(await left.innerText()).not.toContain("About");
    await expectAccessible(page);
  });

  test("does not show “Live” while the service cannot be reached", { tags: "extended" }, async () => {
    const access = fill("cut-off");
    s3.hold({ operation: "get", bucket: "cut-off", key: /011/ });
    const submission = await service.api.submit(access);
    await using visiting = await open(submission, { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    await page.clock.install();
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    // All requests fail, because any response would show that the service can be reached.
    await page.route("**/*", (route) => route.abort());
    const isAway = async () => {
      await page.clock.runFor(35_000);
      return page.getByText("The service cannot be reached").isVisible();
    };
    await expect.poll(isAway).toBe(true);
    await page.getByText("Offline; this information may be out of date").waitFor();
    expect(await page.getByText("Live", { exact: true }).count()).toBe(0);
  });

  test("works in many tabs, because only the visible one keeps an event stream open", {
    tags: "extended",
  }, async () => {
    const access = fill("tabs");
    s3.hold({ operation: "get", bucket: "tabs", key: /011/ });
    const submission = await service.api.submit(access);
    await using visiting = await open(submission);
    const { page: first, context } = visiting;
    // A headless browser reports all pages as visible, so the test sets the visibility.
    await context.addInitScript(`
      Object.defineProperty(document, "visibilityState", { get: () => (globalThis.isAway ? "hidden" : "visible") });
      Object.defineProperty(document, "hidden", { get: () => globalThis.isAway === true });
    `);
    const setVisibility = (page: Page, isAway: boolean) =>
      page.evaluate(`globalThis.isAway = ${isAway}; document.dispatchEvent(new Event("visibilitychange"))`);
    const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor();
    await first.reload();
    await live(first);
    await setVisibility(first, true);
    for (let tab = 2; tab <= 8; tab++) {
      const page = await context.newPage();
      await page.goto(first.url());
      await live(page);
      await setVisibility(page, true);
    }
    await setVisibility(first, false);
    await live(first);
  });

  test("lists changes of the bucket after it was read, and advises not to delete the source data", {
    tags: "extended",
  }, async () => {
    const access = fill("drifting");
    const { release } = s3.hold({ operation: "get", bucket: "drifting", key: /011/ });
    const submission = await service.api.submit(access);
    await using visiting = await open(submission);
    const { page } = visiting;
    await page.getByText("11 of 12").waitFor();
    s3.put("drifting", "plots/000.csv", "written over");
    s3.put("drifting", "plots/new.csv", "just come");
    s3.remove("drifting", "plots/001.csv");
    release();
    await page.getByText("Do not delete the source data.").waitFor();
    await page.getByText("3 objects were changed, removed or added after the data source was read").waitFor();
    for (const [key, change] of Object.entries({ "000": "changed", "001": "removed", new: "added" })) {
      await page
        .getByRole("listitem")
        .filter({ hasText: `plots/${key}.csv` })
        .filter({ hasText: change })
        .waitFor();
    }
    await expectAccessible(page);
  });

  describe("is accessible while the submission is", { tags: "extended" }, () => {
    test("listing", async () => {
      const access = fill("listing");
      const { release } = s3.hold({ operation: "list", bucket: "listing", nth: 2 });
      const submission = await service.api.submit(access);
      await using visiting = await open(submission);
      await badge(visiting.page, "Listing").waitFor();
      await expectAccessible(visiting.page);
      release();
      await badge(visiting.page, "Completed").waitFor();
    });

    test("verifying", async () => {
      const access = fill("verifying");
      const reading = s3.hold({ operation: "get", bucket: "verifying", key: /011/ });
      const submission = await service.api.submit(access);
      await using visiting = await open(submission);
      await badge(visiting.page, "Transferring").waitFor();
      await visiting.page.getByText("11 of 12").waitFor();
      const { release } = s3.hold({ operation: "list", bucket: "verifying" });
      reading.release();
      await badge(visiting.page, "Checking for changes").waitFor();
      await expectAccessible(visiting.page);
      release();
      await badge(visiting.page, "Completed").waitFor();
    });
  });
});
