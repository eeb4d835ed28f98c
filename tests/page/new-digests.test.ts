import { createHash } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const FILES = { "run/a.csv": "a", "run/b.csv": "bb" };
const sums = (files: Record<string, string>) =>
  Object.entries(files)
    .map(([path, body]) => `${createHash("sha256").update(body).digest("hex")}  ${path}\n`)
    .join("");

describe.skipIf(noChromium)(`checksum lists of a new submission ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    s3.addAccount(keys);
    s3.createBucket("listed");
    for (const [key, body] of Object.entries({ ...FILES, extra: "x" })) s3.put("listed", key, body);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const list = (text: string, name = "SHA256SUMS") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const go = (page: Page, part: RegExp) => page.locator("nav ol").getByRole("button", { name: part }).click();

  /** The lines of an entry in the review. */
  const factsOf = async (part: Locator, name: string) =>
    (
      await part
        .locator("dl > div", { has: part.page().getByText(name, { exact: true }) })
        .locator("dd")
        .innerText()
    )
      .split("\n")
      .filter((line) => line !== "");

  /** Chooses a list by keyboard. */
  async function choose(page: Page, ...lists: ReturnType<typeof list>[]): Promise<void> {
    const chosen = page.waitForEvent("filechooser");
    await button(page, "Choose lists").press("Enter");
    await (await chosen).setFiles(lists);
  }

  test("are previewed, compared, and shown with the dataset; wrong lines are named at the field", async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    await field(page, "Endpoint").fill(s3.endpoint);
    await field(page, "Bucket").fill("listed");
    await field(page, "Access key").fill(keys.accessKey);
    await page
      .getByLabel(/^Secret key/)
      .and(page.locator("input"))
      .fill(keys.secretKey);
    const summary = page.locator("summary", { hasText: "Checksum lists (optional)" });
    await summary.press("Enter");
    await choose(page, list(`${sums(FILES)}no checksum\n`));
    await page.getByText("Checksum lists: 1 chosen").waitFor();
    await button(page, "Test connection").click();
    await page.getByText("SHA256SUMS, line 3:").waitFor();
    await expectNoViolations(page);
    await choose(page, list(sums({ ...FILES, "run/gone.csv": "g" })));
    await button(page, "Test connection").click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("1 file of the checksum lists is missing: run/gone.csv").waitFor();
    expect(await preview.getByText("the preview found no obstacles").count()).toBe(0);
    await preview.getByText("1 object is in no list; it is archived, too.").waitFor();
    expect(await page.getByText("SHA256SUMS, line 3:").count()).toBe(0);
    await choose(page, list(sums(FILES)));
    await expectNoViolations(page);
    await go(page, /^Description/);
    await field(page, "Title").fill("With checksum lists");
    await go(page, /^Authors/);
    await field(page, "First name").fill("Josiah");
    await field(page, "Last name").fill("Carberry");
    await go(page, /^Review/);
    const source = page.getByRole("region", { name: "Data source" });
    // The test was of another list.
    expect(await factsOf(source, "Checksum lists")).toEqual(["SHA256SUMS"]);
    expect(await factsOf(source, "Base folder")).toEqual(["The whole bucket"]);
    // Browsers do not keep chosen files.
    await page.reload();
    await source.getByText("Choose this file again").waitFor();
    await button(page, "Checksum lists").click();
    await page.getByText("SHA256SUMS: choose the file again.").waitFor();
    await choose(page, list(sums(FILES)));
    await field(page, "Access key").fill(keys.accessKey);
    await page
      .getByLabel(/^Secret key/)
      .and(page.locator("input"))
      .fill(keys.secretKey);
    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const id = page.url().split("/").at(-1) ?? "";
    await service.api.until(id, ["completed"]);
    expect((await service.api.submission(id)).digests).toMatchObject({
      lists: [{ name: "SHA256SUMS", entries: 2 }],
      comparison: { additional: { total: 1 } },
    });
    await page.getByText("2 objects by the checksum lists of the submission").waitFor();
    await expectNoViolations(page);
  });

  test("whose paths are relative to another folder are previewed and compared with it", async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    await field(page, "Endpoint").fill(s3.endpoint);
    await field(page, "Bucket").fill("listed");
    await field(page, "Access key").fill(keys.accessKey);
    await page
      .getByLabel(/^Secret key/)
      .and(page.locator("input"))
      .fill(keys.secretKey);
    await page.locator("summary", { hasText: "Checksum lists (optional)" }).press("Enter");
    expect(await field(page, "Base folder").count()).toBe(0);
    await choose(page, list(sums({ "a.csv": "a", "b.csv": "bb" })));
    await page.locator("summary", { hasText: "Select part of the bucket" }).press("Enter");
    await field(page, "Prefix").fill("run/");
    await field(page, "Base folder").fill("/");
    await button(page, "Test connection").click();
    const refused = page.getByText("SHA256SUMS:").and(page.getByText("The list names no selected file."));
    await refused.waitFor();
    // Another folder may be the right one, so that the error ends with the change.
    await field(page, "Base folder").fill("run");
    await refused.waitFor({ state: "detached" });
    await button(page, "Test connection").click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("2 files are compared with the checksum lists.").waitFor();
    await field(page, "Base folder").fill("runs");
    await page.getByText("You have changed the form since this test.").waitFor();
    await field(page, "Base folder").fill("run");
    await page.getByText("You have changed the form since this test.").waitFor({ state: "detached" });
    await go(page, /^Description/);
    await field(page, "Title").fill("With lists of a folder");
    await go(page, /^Authors/);
    await field(page, "First name").fill("Josiah");
    await field(page, "Last name").fill("Carberry");
    await go(page, /^Review/);
    const source = page.getByRole("region", { name: "Data source" });
    await source.getByText("SHA256SUMS").waitFor();
    expect(await factsOf(source, "Checksum lists")).toEqual(["SHA256SUMS", "2 checksums"]);
    expect(await factsOf(source, "Base folder")).toEqual(["run"]);
    await expectNoViolations(page);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const { digests } = await service.api.until(page.url().split("/").at(-1) ?? "", ["completed"]);
    expect(digests).toMatchObject({ comparison: { files: 2, missing: { total: 0 } } });
  });

  test("and manifests are reviewed with their numbers only if all were read, with problems, and with the folder of the paths", async () => {
    const declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
    for (const bucket of ["large-bag", "wrong-bag"]) {
      s3.createBucket(bucket);
      s3.put(bucket, "bagit.txt", declaration);
      s3.put(bucket, "data/a.csv", "a");
    }
    s3.put("large-bag", "manifest-sha256.txt", { seed: "m", size: 65 * 1024 * 1024 });
    s3.put("wrong-bag", "manifest-sha256.txt", "no checksum\n");
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    await field(page, "Endpoint").fill(s3.endpoint);
    await field(page, "Access key").fill(keys.accessKey);
    await page
      .getByLabel(/^Secret key/)
      .and(page.locator("input"))
      .fill(keys.secretKey);
    await page.locator("summary", { hasText: "Checksum lists (optional)" }).press("Enter");
    await choose(page, list(sums({ "data/a.csv": "a" })));
    const source = page.getByRole("region", { name: "Data source" });
    const review = async (bucket: string, previewed: string | RegExp) => {
      await go(page, /^Data source/);
      await field(page, "Bucket").fill(bucket);
      await button(page, "Test connection").click();
      await page.getByRole("region", { name: "Preview" }).getByText(previewed).first().waitFor();
      await go(page, /^Review/);
      await source.getByText("manifest-sha256.txt").first().waitFor();
      return factsOf(source, "Checksum lists");
    };
    expect(await review("large-bag", "the preview found no obstacles")).toEqual([
      "SHA256SUMS",
      "manifest-sha256.txt",
      "Manifest of a bag",
    ]);
    expect(await review("wrong-bag", /line 1: The line must/)).toEqual([
      "SHA256SUMS",
      "manifest-sha256.txt",
      expect.stringMatching(/^line 1: The line must have a checksum/),
    ]);
    expect(await factsOf(source, "Base folder")).toEqual(["The whole bucket"]);
    await expectNoViolations(page);
    for (const [prefix, folder] of [
      ["run", "The whole bucket"],
      ["run/plot-1", "run/"],
    ] as const) {
      await go(page, /^Data source/);
      const select = page.locator("summary", { hasText: "Select part of the bucket" });
      if (!(await field(page, "Prefix").isVisible())) await select.press("Enter");
      await field(page, "Prefix").fill(prefix);
      await go(page, /^Review/);
      await source.getByText("SHA256SUMS").waitFor();
      expect(await factsOf(source, "Base folder")).toEqual([folder]);
    }
  });

  test("can be removed, and have German texts", async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`, { locale: "de-DE", width: 390 });
    const { page } = visiting;
    await page.locator("summary", { hasText: "Prüfsummenlisten (optional)" }).press("Enter");
    const chosen = page.waitForEvent("filechooser");
    await button(page, "Listen auswählen").press("Enter");
    await (await chosen).setFiles([list("a"), list("b", "MD5SUMS")]);
    await field(page, "Basisordner (base)").fill("lauf-7/");
    await button(page, "MD5SUMS entfernen").press("Enter");
    await page.getByText("Prüfsummenlisten: 1 ausgewählt").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Listen auswählen");
    await go(page, /^Übersicht/);
    const source = page.getByRole("region", { name: "Datenquelle" });
    await source.getByText("lauf-7/").waitFor();
    expect(await factsOf(source, "Prüfsummenlisten")).toEqual(["SHA256SUMS"]);
    await expectNoViolations(page);
    await go(page, /^Datenquelle/);
    const large = page.waitForEvent("filechooser");
    await button(page, "Listen auswählen").press("Enter");
    await (await large).setFiles([list("x".repeat(7 * 1024 * 1024 + 1), "large")]);
    await page.getByText("Die Listen sind zusammen größer als 7 MiB.").waitFor();
  });
});
