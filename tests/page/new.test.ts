import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../packages/s3-test-server/src/index.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`the submission form ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  let demo: DemoBucket;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    demo = fillDemoBucket(s3);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = (visitor = {}, query = "") => visit(browser, `${service.url}/app/new${query}`, visitor);
  const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });
  /** A password field does not have the role `textbox`. */
  const secret = (page: Page) => page.getByLabel(/^Secret key/).and(page.locator("input"));
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole("button", { name, exact: typeof name === "string" });
  const go = (page: Page, part: RegExp) =>
    page.getByRole("navigation", { name: "Sections of the form" }).getByRole("button", { name: part }).click();
  const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");

  async function typeBucket(page: Page, bucket = demo.bucket, secretKey = demo.secretKey) {
    await field(page, "Endpoint").fill(s3.endpoint);
    await field(page, "Bucket").fill(bucket);
    await field(page, "Access key").fill(demo.accessKey);
    await secret(page).fill(secretKey);
  }

  async function typeRest(page: Page, title: string) {
    await go(page, /^Description/);
    await field(page, "Title").fill(title);
    await field(page, "Description").fill("Hourly soil moisture of 24 wheat plots under two irrigation regimes.");
    await page.getByRole("radio", { name: "CC BY 4.0" }).check();
    await go(page, /^Authors/);
    await field(page, "First name").fill("Josiah");
    await field(page, "Last name").fill("Carberry");
    await go(page, /^Review/);
  }

  const submissionsOf = async (title: string) =>
    (await service.api.get(`/submission?q=${encodeURIComponent(title)}`)).json as { id: string }[];

  /** Expects that the action downloads the signed receipt of this submission. */
  async function expectReceipt(page: Page, id: string, press: () => Promise<void>) {
    await page.getByRole("heading", { name: "Dataset archived" }).waitFor();
    await page.getByText("You can delete the source data.").waitFor();
    const download = page.waitForEvent("download");
    await press();
    const receipt = await service.api.get(`/submission/${id}/receipt`);
    expect(await readFile(await (await download).path(), "utf8")).toBe(receipt.text);
  }

  test("leads from an empty page to the receipt, with a connection test, a preview and a review", async () => {
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await page.getByRole("link", { name: "New submission" }).first().click();
    await page.getByText("4 entries missing").waitFor();
    await typeBucket(page);
    await button(page, "Test connection").click();
    const steps = page.getByRole("region", { name: "Connection test" }).getByRole("listitem");
    await page.getByRole("heading", { name: "Connection successful" }).waitFor();
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringContaining("Find the server\nPassed"),
      expect.stringContaining("Connect to the server\nPassed"),
      expect.stringContaining("Establish encryption (TLS)\nSkipped"),
      expect.stringContaining("Compare the time of the service and the server\nPassed"),
      expect.stringContaining("Check the access key\nPassed"),
      expect.stringContaining("Find the bucket\nPassed"),
      expect.stringContaining("List objects\nPassed"),
      expect.stringContaining("Read an object\nPassed"),
    ]);

    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText(`${demo.objects} objects`, { exact: true }).waitFor();
    await preview.getByText("3 file names are not valid file paths").waitFor();
    await preview.getByRole("button", { name: "images/", exact: true }).click();
    await preview.getByText("scans/", { exact: true }).waitFor();
    expect(await preview.getByRole("checkbox", { name: "scans/", exact: true }).isChecked()).toBe(true);
    await preview.getByRole("row", { name: /^\.dat / }).waitFor();

    await typeRest(page, "Wheat, from an empty page");
    expect(await page.getByText(/^Complete or correct \d+ entr/).count()).toBe(0);
    await page.getByRole("region", { name: "Data source" }).getByText(demo.bucket).waitFor();
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const [submission] = await submissionsOf("Wheat, from an empty page");
    expect(page.url()).toContain(submission?.id);
    const { json: whole } = await service.api.get(`/submission/${submission?.id}`);
    expect(whole.metadata).toEqual({
      title: "Wheat, from an empty page",
      description: "Hourly soil moisture of 24 wheat plots under two irrigation regimes.",
      license: "CC-BY-4.0",
      authors: [{ role: "Creator", firstName: "Josiah", lastName: "Carberry" }],
    });
    expect(await page.evaluate("localStorage.getItem('accession.draft')")).toBeNull();
    await expectReceipt(page, submission?.id ?? "", () => button(page, "Download signed receipt").click());
  });

  test("leads to the receipt by keyboard alone", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    const { keyboard } = page;
    /** Presses Tab until the element with this accessible name has the focus. */
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 80; presses++) {
        await keyboard.press("Tab");
        const said = await page.evaluate<string>(
          "(document.activeElement.labels?.[0] ?? document.activeElement).getAttribute('aria-label') ?? (document.activeElement.labels?.[0] ?? document.activeElement).innerText",
        );
        if (said.replace(/\s*\*$/, "").split("\n")[0] === name) return;
      }
      throw new Error(`Tab does not reach “${name}”`);
    };
    const type = async (name: string, text: string) => {
      await tabTo(name);
      await keyboard.type(text);
    };
    await tabTo("New submission");
    await keyboard.press("Enter");
    await page.getByText("4 entries missing").waitFor();
    await type("Endpoint", s3.endpoint);
    await type("Bucket", demo.bucket);
    await type("Access key", demo.accessKey);
    await type("Secret key", demo.secretKey);
    await tabTo("Show Secret key");
    await keyboard.press("Enter");
    await keyboard.press("Tab");
    expect(await secret(page).getAttribute("type")).toBe("text");
    await tabTo("Test connection");
    await keyboard.press("Enter");
    await page.getByRole("region", { name: "Preview" }).waitFor();
    await tabTo("Next");
    await keyboard.press("Enter");
    await type("Title", "Wheat, by keyboard");
    await tabTo("Next");
    await keyboard.press("Enter");
    await type("First name", "Josiah");
    await tabTo("Next");
    await keyboard.press("Enter");
    await tabTo("Submit dataset");
    await keyboard.press("Enter");
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const submissions = await submissionsOf("Wheat, by keyboard");
    expect(submissions).toHaveLength(1);
    await expectReceipt(page, submissions[0]?.id ?? "", async () => {
      await tabTo("Download signed receipt");
      await keyboard.press("Enter");
    });
  });

  test("an incomplete form lists the missing entries, with a link to each field", { tags: "extended" }, async () => {
    await using visiting = await open({}, "?part=review");
    const { page } = visiting;
    await button(page, "Submit dataset").click();
    const errors = page.getByRole("region", { name: "Complete or correct 6 entries before you submit" });
    expect(await errors.getByRole("listitem").allInnerTexts()).toEqual([
      "Endpoint: Enter the endpoint.",
      "Bucket: Enter the bucket name.",
      "Access key: Enter the access key.",
      "Secret key: Enter the secret key.",
      "Title: Enter a title.",
      "Authors and contributors 1: Enter a first or a last name for this creator.",
    ]);
    await expectNoViolations(page);
    await errors.getByRole("button", { name: "Title" }).click();
    await page.getByText("Enter a title.").waitFor();
    await expect.poll(() => focused(page)).toBe("field-metadata-title");
    await go(page, /^Review/);
    await page.getByRole("button", { name: "Authors and contributors 1", exact: true }).click();
    await page.getByText("Enter a first or a last name for this creator.").waitFor();
    await expect.poll(() => focused(page)).toBe("field-metadata-authors-0");
    expect(await submissionsOf("")).not.toContainEqual(expect.objectContaining({ title: "" }));
  });

  test("a failed connection test shows cause and remedy, and a policy to copy if a permission is missing", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page, context } = visiting;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await typeBucket(page, demo.bucket, "not the secret");
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection test failed" }).waitFor();
    const failed = page.getByRole("listitem").filter({ hasText: "Check the access key" });
    expect(await failed.innerText()).toMatch(/Failed\n.*secret.*\n.+\./i);
    expect(await page.getByRole("listitem").filter({ hasText: "Read an object" }).innerText()).toContain("Not tested");
    // No permission is missing, so a policy would be misleading.
    expect(await button(page, "Copy Policy").isVisible()).toBe(false);
    s3.addAccount({ accessKey: "AKBLIND", secretKey: "blind", rights: (operation) => operation !== "list" });
    await field(page, "Access key").fill("AKBLIND");
    await secret(page).fill("blind");
    await button(page, "Test connection").click();
    await page.getByRole("listitem").filter({ hasText: "List objects" }).getByText("Failed").waitFor();
    await button(page, "Copy Policy").click();
    await page.getByText("Copied: Policy").waitFor();
    const policy = JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()"));
    expect(policy.Statement[0]).toMatchObject({ Action: ["s3:ListBucket"], Resource: [`arn:aws:s3:::${demo.bucket}`] });

    await field(page, "Access key").fill(demo.accessKey);
    await secret(page).fill(demo.secretKey);
    await page.getByText("You have changed the form since this test").waitFor();
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection successful" }).waitFor();
  });

  test.each([
    [
      "en-GB",
      "What is an endpoint?",
      "What is a bucket?",
      "What is an access key, and how do I get one?",
      "University storage",
    ],
    [
      "de-DE",
      "Was ist ein Endpunkt?",
      "Was ist ein Bucket?",
      "Was ist ein Zugriffsschlüssel, und woher bekomme ich ihn?",
      "Hochschulspeicher",
    ],
  ])(
    "endpoint, bucket and access key are explained next to their fields, also by keyboard (%s)",
    { tags: "extended" },
    async (locale, ...texts) => {
      await using visiting = await open({ locale, width: 360 });
      const { page } = visiting;
      const [endpoint = "", bucket = "", keys = "", centre = ""] = texts;
      await page.getByText(endpoint).waitFor();
      expect(await page.getByText("s3://barley-roots/2026/scan.tif").isVisible()).toBe(false);
      for (const question of [endpoint, bucket, keys])
        await page.locator("summary", { hasText: question }).press("Enter");
      await page.getByText("s3://barley-roots/2026/scan.tif").waitFor();
      expect(await page.locator("details").getByText(centre, { exact: true }).count()).toBe(2);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      await expectNoViolations(page);
    },
  );

  test("cause and remedy are shown in German, with the service’s English message on request", {
    tags: "extended",
  }, async () => {
    await using visiting = await open({ locale: "de-DE" });
    const { page } = visiting;
    await page.locator("#field-s3Access-endpoint").fill(s3.endpoint);
    await page.locator("#field-s3Access-bucket").fill(demo.bucket);
    await page.locator("#field-s3Access-accessKey").fill(demo.accessKey);
    await page.locator("#field-s3Access-secretKey").fill("not the secret");
    await button(page, "Verbindung testen").click();
    const failed = page.locator("li[data-status=failed]");
    await failed.getByText("Der geheime Schlüssel passt nicht zum Zugriffsschlüssel").waitFor();
    await failed.getByText("Kopieren Sie den geheimen Schlüssel erneut.").waitFor();
    await failed.getByText("Der Speicherserver meldet den Fehler SignatureDoesNotMatch.").waitFor();
    expect(await failed.innerText()).not.toMatch(/secret/);
    await failed.locator("summary").click();
    expect(await failed.locator("[lang=en]").innerText()).toMatch(/secret/);
    await expectNoViolations(page);
    await page.locator("#field-s3Access-endpoint").fill("gopher://x");
    await button(page, "Verbindung testen").click();
    await page.getByText("Dies ist keine gültige Adresse eines S3-Endpunkts").first().waitFor();
  });

  test("each step of the connection test is shown as soon as it has passed, while the next one is running", {
    tags: "extended",
  }, async () => {
    const held = s3.hold({ operation: "list" });
    await using visiting = await open();
    const { page } = visiting;
    const step = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await typeBucket(page);
    await button(page, "Test connection").click();
    await step("Connect to the server").getByText("Passed").waitFor();
    await page.getByRole("heading", { name: "Testing the connection" }).waitFor();
    expect(await step("List objects").innerText()).toBe("List objects");
    await expectNoViolations(page);
    held.release();
    await step("List objects").getByText("Passed").waitFor();
    await page.getByRole("heading", { name: "Connection successful" }).waitFor();
  });

  test("a server that prepares its listing for long is shown as such, and the test can be cancelled", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    const held = s3.hold({ operation: "list" });
    await typeBucket(page);
    await button(page, "Test connection").click();
    const line = page.getByRole("listitem").filter({ hasText: "List objects" });
    await line.getByText("The test waits up to 120 seconds.").waitFor();
    await expectNoViolations(page);
    await button(page, "Cancel").click();
    await button(page, "Cancel").waitFor({ state: "detached" });
    held.release();
    await button(page, "Test connection").click();
    await page.getByText("Connection successful").first().waitFor();
  });

  test("an error that the service reports is shown at its field, and disappears when the entry is corrected", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page, "field/plots");
    await button(page, "Test connection").click();
    const bucket = field(page, "Bucket");
    await page
      .getByRole("region", { name: "Complete or correct 1 entry" })
      .getByRole("button", { name: "Bucket" })
      .waitFor();
    await expect.poll(() => focused(page)).toBe("field-s3Access-bucket");
    expect(await bucket.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("1 error").waitFor();
    await bucket.fill(demo.bucket);
    await expect.poll(() => bucket.getAttribute("aria-invalid")).not.toBe("true");
    await page.getByText("Select part of the bucket").click();
    await page.getByLabel("Include").fill("[a-z]\\");
    await typeRest(page, "Wheat, with errors");
    await button(page, "Submit dataset").click();
    await button(page, "Include").click();
    await expect.poll(() => focused(page)).toBe("field-selection-include");
    expect(await page.getByLabel("Include").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Include").fill("**.csv");
    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\//);
  });

  test("a collapsed section opens if one of its fields has an error, and the field gets the focus", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page);
    await page.getByText("Region and addressing style").click();
    await field(page, "Region").fill("not a region!");
    await page.getByText("Region and addressing style").click();
    await button(page, "Test connection").click();
    await expect.poll(() => focused(page)).toBe("field-s3Access-region");
    expect(await field(page, "Region").isVisible()).toBe(true);
    await expectNoViolations(page);
  });

  test("a bucket for which requesters pay is read after the submitter has agreed to pay", {
    tags: "extended",
  }, async () => {
    s3.createBucket("paid", { requesterPays: true });
    s3.put("paid", "table.csv", "1,2");
    s3.addAccount({ accessKey: "AKPAYER", secretKey: "secret-of-the-payer" });
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page, "paid", "secret-of-the-payer");
    await field(page, "Access key").fill("AKPAYER");
    await button(page, "Test connection").click();
    await page.getByText("If requesters pay for the bucket", { exact: false }).first().waitFor();
    await page.getByText("Costs of reading").click();
    await page.getByRole("checkbox", { name: "I pay for reading the bucket" }).check();
    await expectNoViolations(page);
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection successful" }).waitFor();
  });

  test("a failed connection test is an error of its section, with a link to the field, until a test passes", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page, demo.bucket, "not the secret");
    await button(page, "Test connection").click();
    await page.getByRole("heading", { name: "Connection test failed" }).waitFor();
    await page
      .getByRole("button", { name: /^Data source/ })
      .getByText("1 error")
      .waitFor();
    await typeRest(page, "Wheat, not tested well");
    await page
      .getByRole("button", { name: /^Review/ })
      .getByText("Incomplete")
      .waitFor();
    const error = page.getByRole("listitem").filter({ hasText: "The last connection test failed." });
    await error.getByRole("button", { name: "Secret key" }).click();
    await expect.poll(() => focused(page)).toBe("field-s3Access-secretKey");
    await secret(page).fill(demo.secretKey);
    await button(page, "Test connection").click();
    await page
      .getByRole("button", { name: /^Data source/ })
      .getByText("Complete", { exact: true })
      .waitFor();
  });

  test("a selection without objects is an error, and its section stays open when the field is cleared", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page);
    await page.getByText("Select part of the bucket").click();
    await field(page, "Prefix").fill("no/such/folder/");
    await button(page, "Test connection").click();
    await page.getByText("No objects found.").waitFor();
    await page
      .getByRole("button", { name: /^Data source/ })
      .getByText("1 error")
      .waitFor();
    await button(page, "Test connection").click();
    await page.getByText("No objects found.").waitFor();
    await field(page, "Prefix").fill("");
    await page.waitForTimeout(50);
    expect(await field(page, "Prefix").isVisible()).toBe(true);
  });

  test("a submission that is refused because of its bucket shows the steps of the connection test", {
    tags: "extended",
  }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page, "no-such-bucket");
    await typeRest(page, "Wheat, nowhere");
    await button(page, "Submit dataset").click();
    await page.getByRole("alert").getByText("source_check_failed").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Find the bucket" }).getByText("Failed").waitFor();
    expect(await submissionsOf("Wheat, nowhere")).toEqual([]);
  });

  test("creates one submission, even if the response is lost and the button is pressed twice", {
    tags: "extended",
  }, async () => {
    await using visiting = await open({ expected: [/net::ERR_FAILED/] });
    const { page, context } = visiting;
    await typeBucket(page);
    await typeRest(page, "Wheat, once");
    let lost = 0;
    const pressedTwice = Promise.withResolvers<void>();
    await context.route("**/s3upload", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await pressedTwice.promise;
      await route.abort();
    });
    await button(page, "Submit dataset").dblclick();
    pressedTwice.resolve();
    await page.getByRole("alert").waitFor();
    expect(lost).toBe(1);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\//);
    expect(await submissionsOf("Wheat, once")).toHaveLength(1);
  });

  test("a draft survives a reload, without access keys, until the form is cleared", { tags: "extended" }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await typeBucket(page);
    await page.getByText("Temporary credentials with a session token").click();
    await page
      .getByLabel(/^Session token/)
      .and(page.locator("input"))
      .fill("a-session-token");
    await go(page, /^Description/);
    await field(page, "Title").fill("Wheat, begun");
    await page.getByText("Your entries are saved in this browser, except the access key and the secret key.").waitFor();
    await page.reload();
    expect(await field(page, "Title").inputValue()).toBe("Wheat, begun");
    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])",
    );
    expect(kept).toContain("Wheat, begun");
    for (const secret of [demo.accessKey, demo.secretKey, "a-session-token"]) expect(kept).not.toContain(secret);
    await go(page, /^Data source/);
    expect(await field(page, "Bucket").inputValue()).toBe(demo.bucket);
    expect(await field(page, "Access key").inputValue()).toBe("");

    await button(page, "Clear form").click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear form" }).click();
    await expect.poll(() => field(page, "Bucket").inputValue()).toBe("");
    expect(await page.evaluate("localStorage.getItem('accession.draft')")).toBeNull();
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("INPUT");
  });

  test("a preset fills in typical values, and states which placeholders to replace", { tags: "extended" }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await button(page, "MinIO").click();
    expect(await field(page, "Endpoint").inputValue()).toBe("https://<server>:9000");
    await page.getByText("Replace <server>, and the port if it is not 9000.").waitFor();
    await field(page, "Bucket").fill(demo.bucket);
    await page.getByRole("checkbox", { name: "The bucket is public" }).check();
    await button(page, "Test connection").click();
    await page.getByText("Replace the placeholder").waitFor();
    await expect.poll(() => focused(page)).toBe("field-s3Access-endpoint");
  });
});
