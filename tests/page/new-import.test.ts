/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { samples } from "../support/metadata-files/samples.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

describe.skipIf(noChromium)(`metadata files in the submission form ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    s3.addAccount(keys);
    s3.createBucket("described");
    for (const [name, content] of Object.entries({ ...samples, "plot-1.csv": "1,2\n" })) {
      s3.put("described", name, content);
    }
    s3.put("described", "i_<img src=x>\u202e.txt", "INVESTIGATION\nInvestigation Title\t<b>Bold</b>\n");
    s3.createBucket("damaged");
    s3.put("damaged", "datacite.json", "{");
    s3.put("damaged", "README", "Four words are here.\n");
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = (visitor = {}) => visit(browser, `${service.url}/app/new`, visitor);
  const at = (page: Page, pointer: string) => page.locator(`[id="field-${pointer.replaceAll("/", "-")}"]`);
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const go = (page: Page, part: RegExp) => page.locator("nav ol").getByRole("button", { name: part }).click();
  const dialogIn = (page: Page) => page.getByRole("dialog", { name: "Fill the form from files" });

  async function testConnection(page: Page, bucket: string) {
    await at(page, "s3Access/endpoint").fill(s3.endpoint);
    await at(page, "s3Access/bucket").fill(bucket);
    await at(page, "s3Access/accessKey").fill(keys.accessKey);
    await at(page, "s3Access/secretKey").fill(keys.secretKey);
    await button(page, "Test connection").click();
  }

  /** Drops files on an element, as from the file manager. */
  async function drop(page: Page, files: Record<string, string>) {
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const [name, content] of ${JSON.stringify(Object.entries(files))}) {
        transfer.items.add(new File([content], name));
      }
      return transfer;
    })()`);
    // The page loads the code for this after the form.
    const invitation = page.getByText("Drop metadata files to fill in the form");
    await expect
      .poll(async () => {
        await page.dispatchEvent("main", "dragover", { dataTransfer: data });
        return invitation.isVisible();
      })
      .toBe(true);
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
  }

  test("the form is filled from the bucket; what was typed is kept, and each field states its source", async () => {
    await using visiting = await open();
    const { page } = visiting;
    await go(page, /^Description/);
    await at(page, "metadata/title").fill("A title of my own");
    await go(page, /^Data source/);
    await testConnection(page, "described");
    const offer = page.getByRole("region", { name: "This bucket contains metadata files" });
    await offer.getByText("CITATION.cff").waitFor();
    await expectNoViolations(page);
    await button(page, "Fill the form from these files").press("Enter");
    const dialog = dialogIn(page);
    const kept = dialog.getByRole("region", { name: "Fields that you have filled in" });
    await kept.getByText("Your entry (kept)").waitFor();
    await kept.getByText("A title of my own").waitFor();
    await kept.getByText("Soil moisture of 24 wheat plots").waitFor();
    expect(await kept.getByRole("checkbox").count()).toBe(1);
    const empty = dialog.getByRole("region", { name: "Values for empty fields" });
    const author = empty.getByRole("checkbox", { name: "Authors and contributors" });
    expect(await author.isChecked()).toBe(true);
    await empty.getByText("Josiah Carberry").waitFor();
    await dialog.getByText("1 value cannot be used").click();
    await dialog.getByText(/datacite\.json \(\/creators\/1\) “orcid”/).waitFor();
    await empty.getByRole("checkbox", { name: "Acknowledgements" }).uncheck();
    await expectNoViolations(page);
    await button(page, "Fill in 9 fields").click();
    await dialog.waitFor({ state: "hidden" });
    await offer.getByText("9 fields were filled in. Check them in the next sections.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Fill the form from these files");

    await go(page, /^Description/);
    expect(await at(page, "metadata/title").inputValue()).toBe("A title of my own");
    expect(await at(page, "metadata/subjects").inputValue()).toBe("wheat, soil");
    expect(await at(page, "metadata/language").inputValue()).toBe("en");
    expect(await at(page, "metadata/acknowledgements").inputValue()).toBe("");
    const from = (name: string) => page.getByText(`From ${name}`, { exact: true });
    await from("codemeta.json").waitFor();
    await from("README.md").waitFor();
    await page.getByRole("radio", { name: "CC BY 4.0", checked: true }).waitFor();
    await from("CITATION.cff").waitFor();
    await page.locator("summary", { hasText: "Funders and grants" }).click();
    await page.locator("summary", { hasText: "Dates and periods" }).click();
    expect(await from("datacite.json").filter({ visible: true }).count()).toBe(2);
    await expectNoViolations(page);
    await at(page, "metadata/subjects").fill("wheat, soil, irrigation");
    await from("codemeta.json").waitFor({ state: "hidden" });
    await page.locator("button[aria-expanded]", { hasText: "Barley Foundation" }).click();
    await at(page, "metadata/fundingReferences/0/awardNumber").fill("BF-13");
    await expect.poll(() => from("datacite.json").filter({ visible: true }).count()).toBe(1);
    await go(page, /^Authors/);
    await from("datacite.json").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "Jane Doe" }).count()).toBe(1);

    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const id = page.url().split("/").at(-1) ?? "";
    await service.api.until(id, ["completed"]);
    const { metadata } = (await service.api.get(`/submission/${id}`)).json;
    expect(metadata).toMatchObject({
      title: "A title of my own",
      license: "CC-BY-4.0",
      authors: [{ lastName: "Carberry", orcid: "0000-0002-1825-0097" }, { lastName: "Doe" }],
      fundingReferences: [{ funderName: "Barley Foundation", awardNumber: "BF-13" }],
      dates: [{ date: "2026-03-01/2026-07-31", dateType: "Collected" }],
      versionLabel: "1.0 from XML",
      contact: { email: "jane@example.org", public: false },
    });
  });

  test("the user can take a value of the file instead of the own one", { tags: "extended" }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await go(page, /^Description/);
    await at(page, "metadata/title").fill("A title of my own");
    await drop(page, { "CITATION.cff": samples["CITATION.cff"] ?? "", README: "Four words are here.\n" });
    const dialog = dialogIn(page);
    await dialog.getByRole("checkbox", { name: "Replace: Title" }).check();
    await dialog.getByText("Your entry (will be replaced)").waitFor();
    await button(page, "Fill in 4 fields").click();
    await expect.poll(() => at(page, "metadata/title").inputValue()).toBe("Title from CFF");
    await page.getByText("4 fields were filled in.").waitFor();
    // The closing dialog has the same texts.
    const from = page.getByText("From CITATION.cff", { exact: true });
    await expect.poll(() => from.count()).toBe(2);
    // The file is part of the description of the field, and still known when the page was loaded again.
    await page.reload();
    await from.first().waitFor();
    const described = (await at(page, "metadata/title").getAttribute("aria-describedby")) ?? "";
    expect(described.split(" ")).toContain(await from.first().getAttribute("id"));
    expect(described.split(" ").length).toBeGreaterThan(1);
    await drop(page, { "CITATION.cff": samples["CITATION.cff"] ?? "" });
    await dialog.getByText("The files contain no values that are not already in the form.").waitFor();
    await expectNoViolations(page);
  });

  test("a file can be chosen with the keyboard, also in German and on a narrow screen", {
    tags: "extended",
  }, async () => {
    await using visiting = await open({ locale: "de-DE", width: 360, colorScheme: "dark" });
    const { page } = visiting;
    await go(page, /^Beschreibung/);
    const choosing = page.waitForEvent("filechooser");
    await button(page, "Metadatendateien auswählen").press("Enter");
    const files = [
      { name: "i_<img src=x>.txt", mimeType: "text/plain", buffer: Buffer.from(samples["i_trial.txt"] ?? "") },
    ];
    await (await choosing).setFiles(files);
    const dialog = page.getByRole("dialog", { name: "Formular aus Dateien ausfüllen" });
    await dialog.getByText("Aus i_<img src=x>.txt").first().waitFor();
    await expectFocusInSight(page);
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await at(page, "metadata/title").inputValue()).toBe("");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("files that cannot be used are explained", { tags: "extended" }, async () => {
    await using visiting = await open();
    const { page } = visiting;
    await drop(page, { "data.csv": "1,2\n" });
    const dialog = dialogIn(page);
    await dialog.getByText(/is not recognised as a metadata file/).waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await drop(page, { "README.md": "a".repeat(2 * 2 ** 20 + 1) });
    await dialog.getByText("“README.md” is larger than 2 MiB.").waitFor();
    await page.keyboard.press("Escape");
    await testConnection(page, "damaged");
    await button(page, "Fill the form from these files").click();
    await dialog.getByText("A metadata file of the dataset cannot be read").waitFor();
    await dialog.getByText(/The DataCite JSON file cannot be read \(line 1, column 2\)/).waitFor();
    await expectNoViolations(page);
    await button(page, "Fill in 1 field").click();
    await go(page, /^Description/);
    await expect.poll(() => at(page, "metadata/description").inputValue()).toBe("Four words are here.");
  });
});
