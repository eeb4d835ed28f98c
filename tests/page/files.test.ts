/** @module-tag extended */
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Submission } from "../support/api/api.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const OBJECTS = 950;

describe.skipIf(noChromium)(`the file table of a submission ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let submission: Submission;

  beforeAll(async () => {
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(), sharedBrowser()]);
    s3.addAccount(keys);
    s3.createBucket("many");
    for (let n = 0; n < OBJECTS; n++) s3.put("many", keyOf(n), `object ${n}`);
    submission = await service.api.submit({ endpoint: s3.endpoint, bucket: "many", ...keys });
    submission = await service.api.until(submission.id, ["completed"]);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const keyOf = (n: number) => `${n < 900 ? "plots" : "scans"}/${String(n).padStart(4, "0")}.txt`;
  const open = (visitor = {}) => visit(browser, `${service.url}/app/submissions/${submission.id}`, visitor);
  const grid = (page: Page) => page.getByRole("grid", { name: "Files of this submission" });
  const active = (page: Page) => page.locator("[role=row][aria-selected=true]");

  test("shows every file when scrolled, with only a few rows in the document at a time", async () => {
    await using visiting = await open();
    const { page } = visiting;
    await page.getByRole("row", { name: /plots\/0000/ }).waitFor();
    expect(await grid(page).getAttribute("aria-rowcount")).toBe(String(OBJECTS + 1));
    const last = page.getByRole("row", { name: new RegExp(keyOf(OBJECTS - 1)) });
    await expect
      .poll(async () => {
        await grid(page).hover();
        await page.mouse.wheel(0, 20_000);
        return last.count();
      })
      .toBe(1);
    expect(await last.getAttribute("aria-rowindex")).toBe(String(OBJECTS + 1));
    expect(await page.getByRole("row").count()).toBeLessThan(60);
    await page.mouse.wheel(0, -200_000);
    await page.getByRole("row", { name: /plots\/0000/ }).waitFor();
  });

  test("can be navigated by keyboard, which also opens a file", async () => {
    await using visiting = await open();
    const { page } = visiting;
    await page.getByRole("row", { name: /plots\/0000/ }).waitFor();
    await page.getByRole("button", { name: "Download CSV" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await active(page).filter({ hasText: "plots/0000" }).waitFor();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowDown");
    await active(page).filter({ hasText: "plots/0011" }).waitFor();
    expect(await grid(page).getAttribute("aria-activedescendant")).toBe(await active(page).getAttribute("id"));
    await expectNoViolations(page);
    // The last row appears immediately: the page does not request the rows in between.
    await page.keyboard.press("End");
    await active(page)
      .filter({ hasText: keyOf(OBJECTS - 1) })
      .waitFor();
    await page.keyboard.press("Home");
    await active(page).filter({ hasText: "plots/0000" }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "File" });
    const [file] = await service.api.files(submission.id, "&prefix=data/plots/0000");
    await dialog.getByText(file?.sha512 ?? "no digest").waitFor();
    await dialog.getByText("MD5 checksum", { exact: true }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("[role=grid]:focus").waitFor();
  });

  test("is filtered by path and status, and downloaded as CSV", async () => {
    await using visiting = await open({ width: 390 });
    const { page } = visiting;
    await page.getByLabel("Path starts with").fill("data/scans/");
    await page.getByText("50 files").waitFor();
    await page.getByRole("row", { name: /scans\/0900/ }).waitFor();
    expect(await page.getByRole("row", { name: /plots/ }).count()).toBe(0);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).press("Enter");
    const file = await download;
    expect(file.suggestedFilename()).toBe(`files-${submission.id}.csv`);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(51);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Download CSV");
    expect(lines[0]).toMatch(/^path,key,bytes,sha512/);
    await page.getByLabel("Status").selectOption("Unreadable");
    await page.getByText("No matching files.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  });
});
