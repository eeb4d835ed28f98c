/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { submitAndArchive } from "../support/archive/archived-versions.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const SCHEMAS = { ACCESSION_METADATA_SCHEMAS: "docs/examples/miappe.json" };

describe.skipIf(noChromium)(`fields of the operator on the page ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(SCHEMAS), startS3Server()]);
    s3.addAccount(keys);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const field = (page: Page, pointer: string) => page.locator(`[id="field-metadata-fields-miappe-${pointer}"]`);
  const group = (page: Page) => page.locator("summary", { hasText: "Plant phenotyping (MIAPPE)" });
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
  const part = (page: Page, name: RegExp) => page.locator("nav ol").getByRole("button", { name }).press("Enter");
  const access = (bucket: string) => {
    s3.createBucket(bucket);
    s3.put(bucket, "a.csv", "one");
    return { endpoint: s3.endpoint, bucket, ...keys };
  };

  test("every kind of field is filled in by keyboard, checked, kept, submitted, shown and edited", {
    tags: "extended",
  }, async () => {
    const { endpoint } = access("with-fields");
    await using visiting = await visit(browser, `${service.url}/app/new?part=description`);
    const { page } = visiting;
    await page.locator("#field-metadata-title").fill("Barley in the greenhouse");
    await group(page).press("Enter");
    await field(page, "organisms").pressSequentially("Hordeum vulgare\nHordeum spontaneum");
    await field(page, "growthFacility").selectOption("Greenhouse");
    await field(page, "plants").fill("many");
    await field(page, "sowingDate").fill("2026-03-02");
    await field(page, "irrigated").selectOption("no");
    await field(page, "dayTemperature").pressSequentially("21,5");
    await field(page, "observedVariables").fill("Root length\n");
    await press(page, "Add entry to “Experimental factors”");
    await field(page, "factors-0-values").fill("wet\ndry");
    await field(page, "germplasm-accession").fill("hor");
    await field(page, "germplasm-source").fill("https://gbis.example.org/7428");
    await field(page, "germplasm-source").blur();
    // Errors of the service at their fields.
    await page.getByText("Enter a whole number of at least 1.").waitFor();
    await page.getByText("The entry is not allowed.").waitFor();
    await expectAccessible(page);

    await part(page, /^Review/);
    await page.getByRole("button", { name: /Experimental factors, Entry 1, Factor/ }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toMatch(/factors-0-name$/);
    await field(page, "factors-0-name").fill("Water");
    await field(page, "plants").fill("96");
    await field(page, "germplasm-accession").fill("HOR 7428");
    await page.reload();
    await group(page).press("Enter");
    await expect.poll(() => field(page, "dayTemperature").inputValue()).toBe("21.5");
    expect(await field(page, "organisms").inputValue()).toBe("Hordeum vulgare\nHordeum spontaneum");
    await expect.poll(() => group(page).innerText()).toMatch(/9 entries$/m);

    await part(page, /^Authors/);
    await page.locator("#field-metadata-authors-0-lastName").fill("Carberry");
    await part(page, /^Data source/);
    await page.locator("#field-s3Access-endpoint").fill(endpoint);
    await page.locator("#field-s3Access-bucket").fill("with-fields");
    await page.locator("#field-s3Access-accessKey").fill(keys.accessKey);
    await page.locator("#field-s3Access-secretKey").fill(keys.secretKey);
    await part(page, /^Review/);
    await page.getByText("Experimental factors: ").waitFor();
    await expectAccessible(page);
    await press(page, "Submit dataset");
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const { dataset } = await service.api.until(page.url().split("/").at(-1) ?? "", ["completed"]);
    const state = async () => (await service.api.get(`/dataset/${dataset?.id}/metadata`)).json;
    const sent = {
      organisms: ["Hordeum vulgare", "Hordeum spontaneum"],
      growthFacility: "greenhouse",
      plants: 96,
      sowingDate: "2026-03-02",
      irrigated: false,
      dayTemperature: 21.5,
      observedVariables: ["Root length"],
      factors: [{ name: "Water", values: ["wet", "dry"] }],
      germplasm: { accession: "HOR 7428", source: "https://gbis.example.org/7428" },
    };
    expect((await state()).metadata.fields).toEqual({ miappe: sent });

    await page.goto(`${service.url}/app/datasets/${dataset?.id}`);
    const shown = page.getByRole("region", { name: "Plant phenotyping (MIAPPE)" });
    await shown.getByText("21.5 °C").waitFor();
    await shown.getByText("Greenhouse", { exact: true }).waitFor();
    await shown.getByRole("link", { name: "https://gbis.example.org/7428" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    await group(page).press("Enter");
    await field(page, "plants").fill("97");
    await field(page, "dayTemperature").fill("22");
    await field(page, "factors-0-name").fill("Watering");
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByText("Number of plants").waitFor();
    await expectAccessible(page);
    await press(page, "Save changes");
    await shown.getByText("97", { exact: true }).waitFor();
    expect((await state()).metadata.fields).toEqual({
      miappe: { ...sent, plants: 97, dayTemperature: 22, factors: [{ name: "Watering", values: ["wet", "dry"] }] },
    });
    await page.getByRole("link", { name: "Compare revisions" }).press("Enter");
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText("Number of plants").waitFor();
    await comparison.getByText("96", { exact: true }).waitFor();
    await comparison.getByText("21.5 °C", { exact: true }).waitFor();
    await comparison.getByText("Factor: Watering, ").waitFor();
    expect(await comparison.getByText("Hordeum vulgare").count()).toBe(0);
    await expectAccessible(page);
  });

  test("the fields have German labels, also on a narrow screen", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/new?part=description`, {
      locale: "de-DE",
      width: 390,
    });
    const { page } = visiting;
    await page.locator("summary", { hasText: "Pflanzenphänotypisierung (MIAPPE)" }).press("Enter");
    await page.getByLabel("Anzahl der Pflanzen").waitFor();
    expect(await page.getByLabel("Anbauort").locator("option").allInnerTexts()).toContain("Gewächshaus");
    await page.getByRole("button", { name: "Eintrag zu „Versuchsfaktoren“ hinzufügen" }).press("Enter");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
  });

  test("values of fields that the operator has removed stay in an archived dataset, and can be removed", async () => {
    const fields = { miappe: { organisms: ["Zea mays"] } };
    const metadata = { ...goodMetadata, fields };
    const { dataset } = await submitAndArchive(service.api, access("retired"), { metadata });
    await service.restart(undefined, { ACCESSION_METADATA_SCHEMAS: "" });
    await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset.id}/edit`);
    const { page } = visiting;
    const changes = page.getByRole("region", { name: "Changes" });
    await page.locator("#field-metadata-title").fill("Another title");
    await changes.getByText("Another title").waitFor();
    await press(page, "Save changes");
    await page.getByRole("heading", { level: 1, name: "Another title" }).waitFor();
    await page.getByRole("region", { name: "Plant phenotyping (MIAPPE)" }).getByText("Zea mays").waitFor();
    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    await page.locator("summary", { hasText: "Former fields “miappe”" }).press("Enter");
    await page.getByText("Their values stay unchanged").waitFor();
    await expectAccessible(page);
    await press(page, "Remove the values of “miappe”");
    await press(page, "Save changes");
    await page.getByRole("link", { name: "Compare revisions" }).waitFor();
    await expect
      .poll(async () => (await service.api.get(`/dataset/${dataset.id}/metadata`)).json.metadata.fields)
      .toBeUndefined();
    await service.restart(undefined, SCHEMAS);
  });
});
