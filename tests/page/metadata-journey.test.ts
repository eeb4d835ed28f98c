import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { samples } from "../support/metadata-files/samples.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

describe.skipIf(noChromium)(`metadata from the bucket to the comparison of revisions ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    s3.addAccount(keys);
    s3.createBucket("described");
    s3.put("described", "CITATION.cff", samples["CITATION.cff"] ?? "");
    s3.put("described", "datacite.json", samples["datacite.json"] ?? "");
    s3.put("described", "plot-1.csv", "1,2\n");
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const at = (page: Page, pointer: string) => page.locator(`[id="field-${pointer.replaceAll("/", "-")}"]`);
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
  const part = (page: Page, name: RegExp) => page.locator("nav ol").getByRole("button", { name }).press("Enter");

  test("a user fills the form from the bucket, submits, corrects the archived metadata and compares", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    await at(page, "s3Access/endpoint").fill(s3.endpoint);
    await at(page, "s3Access/bucket").fill("described");
    await at(page, "s3Access/accessKey").fill(keys.accessKey);
    await at(page, "s3Access/secretKey").fill(keys.secretKey);
    await press(page, "Test connection");
    await press(page, "Fill the form from these files");
    const dialog = page.getByRole("dialog", { name: "Fill the form from files" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: /^Fill in \d+ fields$/ }).press("Enter");
    await dialog.waitFor({ state: "hidden" });

    await part(page, /^Description/);
    await expect.poll(() => at(page, "metadata/title").inputValue()).toBe("Soil moisture of 24 wheat plots");
    await expectAccessible(page);
    await part(page, /^Review/);
    await expectAccessible(page);
    await press(page, "Submit dataset");
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const archived = await service.api.until(page.url().split("/").at(-1) ?? "", ["completed"]);

    await page.getByRole("link", { name: "View dataset" }).press("Enter");
    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByText("You have not changed anything yet").waitFor();
    await at(page, "metadata/title").fill("Soil moisture of 25 wheat plots");
    await changes.getByText("Soil moisture of 25 wheat plots").waitFor();
    await expectAccessible(page);
    await press(page, "Save changes");
    await page.getByRole("heading", { level: 1, name: "Soil moisture of 25 wheat plots" }).waitFor();
    await expectAccessible(page);

    await page.getByRole("link", { name: "Compare revisions" }).press("Enter");
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText("Soil moisture of 24 wheat plots").waitFor();
    await comparison.getByText("Soil moisture of 25 wheat plots").waitFor();
    await expectAccessible(page);
    const { json } = await service.api.get(`/dataset/${archived.dataset?.id}/revisions`);
    expect(json.map(({ revision }: { revision: number }) => revision)).toEqual([2, 1]);
  });
});
