import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { PRINCIPAL, type StsServer, startStsServer } from "../support/data-source/sts-server.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const ARN = "arn:aws:iam::123456789012:role/barley-roots-reader";

describe.skipIf(noChromium)(`a role in the form for a new submission ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  let sts: StsServer;
  beforeAll(async () => {
    [browser, s3] = await Promise.all([sharedBrowser(), startS3Server()]);
    sts = await startStsServer(s3);
    service = await startTestService(sts.settings);
    s3.createBucket("roots");
    s3.put("roots", "plot.csv", "1,2\n");
  });
  afterAll(async () => {
    await service?.stop();
    await sts?.close();
    await s3?.close();
  });

  const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const go = (page: Page, part: RegExp) =>
    page.getByRole("navigation", { name: "Sections of the form" }).getByRole("button", { name: part }).click();
  const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");

  test("reads the bucket instead of an access key, after its trust policy requires the external id that the form states", async () => {
    const { externalId } = (await service.api.get("/caller")).json.roleAccess;
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page, context } = visiting;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await field(page, "Endpoint").fill(s3.endpoint);
    await field(page, "Bucket").fill("roots");
    await page.locator("summary", { hasText: "A role instead of an access key" }).press("Enter");
    await page.getByText(PRINCIPAL, { exact: true }).waitFor();
    await page.getByText(externalId, { exact: true }).waitFor();
    await button(page, "Copy Your external id (sts:ExternalId)").press("Enter");
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(externalId);
    await button(page, "Test connection").click();
    expect(await focused(page)).toBe("field-s3Access-accessKey");
    await field(page, "Role (ARN)").fill("barley-roots-reader");
    expect(await field(page, "Access key").isDisabled()).toBe(true);
    await expectAccessible(page);
    await button(page, "Test connection").click();
    await expect.poll(() => focused(page)).toBe("field-s3Access-roleArn");
    await page.getByText("The value is not the ARN of a role.").first().waitFor();
    await field(page, "Role (ARN)").fill(ARN);
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection test failed" }).waitFor();
    expect(await field(page, "Role (ARN)").getAttribute("aria-invalid")).toBe("true");
    sts.roles.set(ARN, { externalId });
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection successful" }).waitFor();
    await go(page, /^Description/);
    await field(page, "Title").fill("Read with a role");
    await go(page, /^Authors/);
    await field(page, "First name").fill("Josiah");
    await field(page, "Last name").fill("Carberry");
    // The role is part of the draft, which the browser stores, and opens its part of the form.
    await page.reload();
    await go(page, /^Data source/);
    expect(await field(page, "Role (ARN)").inputValue()).toBe(ARN);
    await go(page, /^Review/);
    await page.getByText("A role", { exact: true }).waitFor();
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    await service.api.until(page.url().split("/").at(-1) ?? "", ["completed"]);
  });

  test("is offered in German on a phone, and without an identity of the service only to clear it", async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`, {
      ...{ locale: "de-DE", width: 390, height: 844 },
    });
    const { page } = visiting;
    await page.locator("summary", { hasText: "Eine Rolle statt eines Zugriffsschlüssels" }).press("Enter");
    await page.getByText("Ihre externe ID (sts:ExternalId)", { exact: true }).waitFor();
    await field(page, "Rolle (ARN)").fill(ARN);
    await expectAccessible(page);
    await page.locator("summary", { hasText: "Kosten des Lesens" }).press("Enter");
    await page.getByRole("checkbox", { name: "Ich zahle für das Lesen des Buckets" }).check();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    // The operator removes the identity of the service while the draft names a role.
    await page.route("**/caller", async (route) => {
      const caller = await (await route.fetch()).json();
      await route.fulfill({ json: { ...caller, roleAccess: null } });
    });
    await page.reload();
    await page.getByText("Dieser Dienst kann keine Rollen übernehmen.").waitFor();
    await field(page, "Rolle (ARN)").fill("");
    expect(await field(page, "Zugriffsschlüssel (Access Key)").isEnabled()).toBe(true);
    expect(await focused(page)).toBe("field-s3Access-roleArn");
  });

  test("is not offered by a service that cannot assume roles", async () => {
    await using open = await startTestService();
    await using visiting = await visit(browser, `${open.url}/app/new`);
    const { page } = visiting;
    // Its answer may have arrived before it is awaited.
    await page.goto("about:blank");
    const called = page.waitForResponse((response) => response.url().endsWith("/caller"));
    await page.goto(`${open.url}/app/new`);
    expect((await (await called).json()).roleAccess).toBeNull();
    await page.getByText("Costs of reading").waitFor();
    expect(await page.getByText("A role instead of an access key").count()).toBe(0);
  });
});
