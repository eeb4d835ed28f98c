/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`the sections of the submission form ${ifSkipped}`, () => {
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

  const open = (query: string, visitor = {}) => visit(browser, `${service.url}/app/new${query}`, visitor);
  const names = (page: Page) => page.locator("ol li button[aria-expanded]").allInnerTexts();

  const list = [
    "Carberry, Josiah; 0000-0002-1825-0097; Brown University",
    "Second Author",
    "Third Author; data curator",
  ];

  async function importList(page: Page) {
    await page.getByRole("button", { name: "Import people" }).click();
    await page.getByRole("textbox", { name: "Names or table" }).fill(list.join("\n"));
    await page.getByRole("row", { name: "Josiah Carberry Creator 0000-0002-1825-0097 Brown University" }).waitFor();
    await page.getByRole("row", { name: "Third Author Data curator" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Import 3 people" }).click();
    await page.getByText("3 people were added").waitFor();
  }

  test("authors are imported from a list, and reordered with buttons and by keyboard", async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await importList(page);
    const inOrder = async () => (await names(page)).map((text) => text.replace(/\s+/g, " "));
    expect(await inOrder()).toEqual([
      "1. Josiah Carberry Creator",
      "2. Second Author Creator",
      "3. Third Author Data curator",
    ]);
    await page.getByRole("button", { name: "Move Third Author up" }).click();
    await page.getByText("Third Author is now entry 2 of 3").waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe("Move Third Author up");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText("Third Author is now entry 2 of 3").waitFor();
    expect((await inOrder())[1]).toBe("2. Third Author Data curator");
    await page.getByRole("button", { name: "Remove Second Author" }).click();
    expect(await inOrder()).toHaveLength(2);
  });

  test("an ORCID iD is checked while it is typed, and the affiliation is copied from another author", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await importList(page);
    await page
      .getByRole("button", { name: /Second Author/ })
      .first()
      .click();
    const orcid = page.getByRole("textbox", { name: "ORCID iD" });
    await orcid.pressSequentially("0000-0002-1825-009");
    expect(await orcid.getAttribute("aria-invalid")).not.toBe("true");
    await orcid.press("8");
    await page.getByText("This is not a valid ORCID iD").waitFor();
    expect(await orcid.getAttribute("aria-invalid")).toBe("true");
    await orcid.press("Backspace");
    await orcid.press("7");
    await page.getByText("The ORCID iD has a valid form.").waitFor();
    await page.getByRole("button", { name: "Copy affiliation and address" }).click();
    expect(await page.getByRole("textbox", { name: "Affiliation" }).inputValue()).toBe("Brown University");
  });

  test("the import dialog returns the focus when it is closed, and quotes text that it did not recognise", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    const importing = page.getByRole("button", { name: "Import people" });
    for (const way of ["Escape", "Cancel"]) {
      await importing.focus();
      await page.keyboard.press("Enter");
      const paste = page.getByRole("textbox", { name: "Names or table" });
      await paste.fill("Doe, Jane; Smith, John\nAnn Miller; CERN; ann@example.org");
      await page.getByRole("row", { name: "John Smith Creator" }).waitFor();
      await page.getByText("This text was not recognised and is not imported:").waitFor();
      expect(await page.getByRole("listitem").filter({ hasText: "ann@example.org" }).count()).toBe(1);
      await expectNoViolations(page);
      if (way === "Escape") await page.keyboard.press("Escape");
      else await page.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Import people");
    }
  });

  test("the shortcut that reorders authors does not apply within a selection field", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await importList(page);
    await page
      .getByRole("button", { name: /Josiah Carberry/ })
      .first()
      .click();
    await page.getByRole("combobox", { name: "Role" }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Escape");
    expect((await names(page))[0]).toContain("Josiah Carberry");
  });

  test("the review shows all entries of an author", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await page.getByRole("button", { name: "Import people" }).click();
    const table =
      "Name;ROR;Street;PLZ;City;Country\nJane Doe;https://ror.org/05gq02987;Angell St 1;02912;Providence;US";
    await page.getByRole("textbox", { name: "Names or table" }).fill(table);
    await page.getByRole("button", { name: "Import 1 person" }).click();
    await page.getByRole("button", { name: /^Review/ }).click();
    const said = page.getByRole("region", { name: "Authors" });
    const text = await said.innerText();
    expect(text).toContain("https://ror.org/05gq02987\nAngell St 1 · 02912 Providence · United States");
  });

  test("a new version of a dataset is announced, and can start with the entries of the previous version", {
    tags: "extended",
  }, async () => {
    const { bucket, accessKey, secretKey } = demo;
    const s3Access = { endpoint: s3.endpoint, bucket, accessKey, secretKey };
    const { json } = await service.api.post("/submission/upload/s3upload", { metadata: DEMO_METADATA, s3Access });
    const { dataset } = await service.api.until(json.id, ["completed"]);
    await using visiting = await open(`?dataset=${dataset?.id}`);
    const { page } = visiting;
    await page.getByRole("heading", { level: 1, name: "New version of a dataset" }).waitFor();
    await page.getByText("This submission creates version 2 of").waitFor();
    await page.getByRole("button", { name: "Copy the entries of version 1" }).waitFor();
    await expectAccessible(page);
    await page.locator("#field-s3Access-bucket").fill("typed-before");
    await page.getByRole("button", { name: "Copy the entries of version 1" }).click();
    await page.getByRole("dialog", { name: "Replace the contents of the form?" }).waitFor();
    await expectNoViolations(page);
    expect(await page.locator("#field-s3Access-bucket").inputValue()).toBe("typed-before");
    await page.getByRole("button", { name: "Replace contents" }).click();
    await expect.poll(() => page.locator("#field-s3Access-bucket").inputValue()).toBe(bucket);
    await page.getByRole("textbox", { name: "Access key" }).fill(accessKey);
    await page.locator("#field-s3Access-secretKey").fill(secretKey);
    await page.getByRole("button", { name: /^Review/ }).click();
    await page.getByRole("button", { name: "Submit new version" }).click();
    await page.waitForURL(/\/app\/submissions\/(?!.*new)/);
    const id = page.url().split("/").at(-1) ?? "";
    const done = await service.api.until(id, ["completed"]);
    expect(done.dataset).toMatchObject({ id: dataset?.id, version: 2 });
    expect(done.title).toBe(DEMO_METADATA.title);
  });

  test.each([
    ["light", "en-GB", 1280],
    ["dark", "de-DE", 390],
  ] as const)(
    "every section is accessible and fits on the screen: %s, %s, %d px",
    { tags: "extended" },
    async (colorScheme, locale, width) => {
      await using visiting = await open("", { colorScheme, locale, width });
      const { page } = visiting;
      const look = async () => {
        await expectNoViolations(page);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      };
      const [endpoint, name] = [page.locator("#field-s3Access-endpoint"), page.locator("#field-s3Access-bucket")];
      await endpoint.fill(s3.endpoint);
      await name.fill("no-such-bucket");
      await page.locator("#field-s3Access-accessKey").fill(demo.accessKey);
      await page.locator("#field-s3Access-secretKey").fill(demo.secretKey);
      const folds = page.locator("details > summary");
      for (const fold of await folds.all()) await fold.click();
      await page.locator("form button[type=submit]").click();
      await page.locator("li[data-status=failed]").waitFor();
      await look();
      await name.fill(demo.bucket);
      await page.locator("form button[type=submit]").click();
      await page.getByText("images/", { exact: true }).click();
      await page.getByText("scans/", { exact: true }).waitFor();
      await look();
      const parts = page.locator("nav ol button");
      await parts.nth(1).click();
      await page.locator("input[type=radio][value=other]").check();
      await page.locator("#licences").waitFor({ state: "attached" });
      await look();
      await parts.nth(2).click();
      await page.locator("#field-metadata-authors-0").waitFor();
      await page.locator("ol details > summary").click();
      await look();
      await parts.nth(3).click();
      await page.locator("#form-errors").waitFor();
      await page.locator("#warnings").waitFor();
      await look();
    },
  );
});
