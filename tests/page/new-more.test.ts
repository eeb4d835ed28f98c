/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../packages/s3-test-server/src/index.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** The place of a field, by its pointer below `/metadata`. */
const field = (page: Page, pointer: string) => page.locator(`[id="field-metadata-${pointer.replaceAll("/", "-")}"]`);
const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const groupOf = (page: Page, name: string) => page.locator("details > summary", { hasText: name });

/** The groups with the number of their entries after {@link fillGroups}. */
const GROUPS = {
  "Titles and descriptions": 3,
  "Related publications and data": 2,
  Funding: 1,
  "Time and place": 2,
  "Subjects from vocabularies": 1,
  "Kind, version and identifiers": 4,
  Contact: 1,
  "Licences of parts": 1,
};

async function fill(page: Page, entries: Record<string, string>) {
  for (const [pointer, text] of Object.entries(entries)) await field(page, pointer).fill(text);
}

async function openGroups(page: Page) {
  for (const name of Object.keys(GROUPS)) await groupOf(page, name).first().click();
}

/** Expands all entries of the visible lists. */
async function openEntries(page: Page) {
  const collapsed = page.locator("ol button[aria-expanded=false]");
  while ((await collapsed.count()) > 0) await collapsed.first().click();
}

/** Makes an entry in each group. */
async function fillGroups(page: Page) {
  await button(page, "Add title").click();
  await fill(page, { "titles/0/title": "Gerstenwurzelbilder", "titles/0/language": "German" });
  await field(page, "titles/0/titleType").selectOption("Translated title");
  await button(page, "Add methods").click();
  await fill(page, {
    "descriptions/0/description": "Photographed weekly.",
    acknowledgements: "We thank the gardeners.",
  });
  await button(page, "Add publication or data").click();
  await fill(page, { "relatedIdentifiers/0/relatedIdentifier": "https://doi.org/10.1234/ROOTS.2026" });
  await button(page, "Add publication or data").click();
  await fill(page, { "relatedIdentifiers/1/citation": "Curator A (1998): Soil and light." });
  await field(page, "relatedIdentifiers/1/relationType").selectOption("cites");
  await button(page, "Add funding").click();
  await fill(page, {
    "fundingReferences/0/funderName": "European Commission",
    "fundingReferences/0/funderIdentifier": "10.13039/501100000780",
    "fundingReferences/0/awardNumber": "101017502",
    "fundingReferences/0/awardUri": "https://cordis.europa.eu/project/id/101017502",
  });
  await button(page, "Add date or period").click();
  await fill(page, { "dates/0/date": "4.5.2026", "dates/0/until": "2026-07" });
  await button(page, "Add place").click();
  await fill(page, {
    "geoLocations/0": "Gatersleben",
    "geoLocations/0/geoLocationPoint/pointLatitude": "51° 49′ 36″ N",
    "geoLocations/0/geoLocationPoint/pointLongitude": "11,28",
  });
  await button(page, "Add subject").click();
  await fill(page, { "subjectTerms/0/subject": "Hordeum vulgare", "subjectTerms/0/subjectScheme": "AGROVOC" });
  await field(page, "resourceTypeGeneral").selectOption("Images");
  await fill(page, { resourceType: "Root photographs", versionLabel: "2026.1" });
  await button(page, "Add identifier").click();
  await fill(page, { "alternateIdentifiers/0/alternateIdentifier": "PRJEB12345" });
  await fill(page, { "contact/name": "Data office", "contact/email": "data@example.org" });
  await page.getByRole("checkbox", { name: "The contact may be published" }).check();
  await button(page, "Add licence").click();
  await fill(page, { "licenses/0/license": "MIT", "licenses/0/appliesTo": "code" });
  // An entry without texts is not sent.
  await button(page, "Add funding").click();
}

describe.skipIf(noChromium)(`the optional groups of the submission form ${ifSkipped}`, () => {
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
  const go = (page: Page, part: RegExp) => page.locator("nav ol").getByRole("button", { name: part }).click();

  async function fillEssentials(page: Page, title: string) {
    for (const [name, text] of Object.entries({
      endpoint: s3.endpoint,
      bucket: demo.bucket,
      accessKey: demo.accessKey,
      secretKey: demo.secretKey,
    })) {
      await page.locator(`#field-s3Access-${name}`).fill(text);
    }
    await go(page, /^Description/);
    await fill(page, { title });
  }

  test("entries of every group are sent, normalised, shown on the dataset page and copied to a new version", async () => {
    await using visiting = await open("");
    const { page } = visiting;
    await fillEssentials(page, "Roots with everything");
    await openGroups(page);
    await fillGroups(page);
    for (const [name, count] of Object.entries(GROUPS)) {
      const words = `${count} ${count === 1 ? "entry" : "entries"}`;
      expect(await groupOf(page, name).first().innerText()).toContain(words);
    }
    await page.reload();
    await go(page, /^Data source/);
    await page.locator("#field-s3Access-secretKey").fill(demo.secretKey);
    await page.locator("#field-s3Access-accessKey").fill(demo.accessKey);
    await go(page, /^Authors/);
    await fill(page, { "authors/0": "Josiah", "authors/0/lastName": "Carberry", "authors/0/affiliation": "Brown" });
    await button(page, "Add affiliation").click();
    await fill(page, { "authors/0/affiliations/0/name": "IPK", "authors/0/affiliations/0/rorid": "02skbsp27" });
    await button(page, "Move IPK up").press("Enter");
    await expect.poll(() => focused(page)).toMatch(/^up-.*-0$/);
    await button(page, "Add person or institution").click();
    await page.getByRole("radio", { name: "Organisation" }).last().check();
    await fill(page, { "authors/1/name": "Root Consortium", "authors/1/rorid": "https://ror.org/00k4n6c32" });
    await go(page, /^Review/);
    const review = page.getByRole("region", { name: "Description" });
    await review.getByText("is described by the article · https://doi.org/10.1234/ROOTS.2026").waitFor();
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const id = page.url().split("/").at(-1) ?? "";
    const done = await service.api.until(id, ["completed"]);
    const { metadata: sent } = (await service.api.get(`/submission/${id}`)).json;
    expect(sent.fundingReferences).toHaveLength(1);
    expect(sent.dates).toEqual([{ dateType: "Collected", date: "4.5.2026/2026-07" }]);
    expect(sent.authors).toEqual([
      {
        role: "Creator",
        firstName: "Josiah",
        lastName: "Carberry",
        affiliation: "IPK",
        rorid: "02skbsp27",
        affiliations: [{ name: "Brown" }],
      },
      {
        role: "Creator",
        nameType: "Organizational",
        name: "Root Consortium",
        rorid: "https://ror.org/00k4n6c32",
      },
    ]);
    const packaged = await service.api.get(`/dataset/${done.dataset?.id}/files/metadata/submission.json?version=1`);
    expect(packaged.json.metadata).toMatchObject({
      titles: [{ title: "Gerstenwurzelbilder", titleType: "TranslatedTitle", language: "de" }],
      descriptions: [{ description: "Photographed weekly.", descriptionType: "Methods" }],
      acknowledgements: "We thank the gardeners.",
      relatedIdentifiers: [
        { relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots.2026", relatedIdentifierType: "DOI" },
        { relationType: "Cites", citation: "Curator A (1998): Soil and light." },
      ],
      fundingReferences: [
        {
          funderName: "European Commission",
          funderIdentifier: "https://doi.org/10.13039/501100000780",
          funderIdentifierType: "Crossref Funder ID",
          awardNumber: "101017502",
          awardUri: "https://cordis.europa.eu/project/id/101017502",
        },
      ],
      dates: [{ date: "2026-05-04/2026-07", dateType: "Collected" }],
      geoLocations: [
        {
          geoLocationPlace: "Gatersleben",
          geoLocationPoint: { pointLatitude: 51.8266667, pointLongitude: 11.28 },
        },
      ],
      subjectTerms: [{ subject: "Hordeum vulgare", subjectScheme: "AGROVOC" }],
      resourceTypeGeneral: "Image",
      resourceType: "Root photographs",
      versionLabel: "2026.1",
      alternateIdentifiers: [{ alternateIdentifier: "PRJEB12345", alternateIdentifierType: "Local" }],
      contact: { name: "Data office", email: "data@example.org", public: true },
      licenses: [{ license: { spdx: "MIT" }, appliesTo: "code" }],
    });

    await page.goto(`${service.url}/app/datasets/${done.dataset?.id}`);
    const related = page.getByRole("region", { name: "Related works" });
    const doi = related.getByRole("link", { name: "10.1234/roots.2026" });
    expect(await doi.getAttribute("href")).toBe("https://doi.org/10.1234/roots.2026");
    await related.getByText("Curator A (1998): Soil and light.").waitFor();
    const funding = page.getByRole("region", { name: "Funding" });
    await funding.getByRole("link", { name: "Award 101017502" }).waitFor();
    await page.getByRole("region", { name: "Description" }).getByText("Photographed weekly.").waitFor();
    const about = page.getByRole("region", { name: "Details" });
    for (const text of ["4 May 2026 – July 2026", "data@example.org", "Root photographs"])
      await about.getByText(text).waitFor();
    await page.getByText("Images", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Places" }).getByText("51.8267° N, 11.28° E").waitFor();
    const ror = page.getByRole("link", { name: "ROR record of IPK" });
    expect(await ror.getAttribute("href")).toBe("https://ror.org/02skbsp27");
    await expectNoViolations(page);

    await page.goto(`${service.url}/app/new?dataset=${done.dataset?.id}&part=review`);
    await button(page, "Copy the entries of version 1").click();
    await review.getByText("4.5.2026 – 2026-07").waitFor();
    await review.getByText("Data office · data@example.org").waitFor();
    await page.getByText("Root Consortium").waitFor();
  });

  test("entries are reordered and removed by keyboard, and the focus stays in the list", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=description");
    const { page } = visiting;
    await groupOf(page, "Funding").first().click();
    await button(page, "Paste funders").click();
    const paste = page.getByRole("textbox", { name: "Funders and grant numbers" });
    await paste.fill("First; 1\nSecond\t2\nhttps://example.org/only-an-address\nThird; 3; A title");
    await page.getByText("This text was not recognised and is not imported:").waitFor();
    await expectNoViolations(page);
    await expectFocusInSight(page);
    await button(page, "Add 3 entries").click();
    const list = page.getByRole("list", { name: "Funding" });
    const names = async () =>
      (await list.locator("button[aria-expanded]").allInnerTexts()).map((text) => text.split(/\s/)[1]);
    await expect.poll(names).toEqual(["First", "Second", "Third"]);
    await button(page, "Move Third up").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Third is now entry 2 of 3").waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(names).toEqual(["Third", "First", "Second"]);
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Move Third up");
    await button(page, "Remove Third").press("Enter");
    await expect.poll(names).toEqual(["First", "Second"]);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("First");
    for (const name of ["First", "Second"]) await button(page, `Remove ${name}`).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Add funding");

    await groupOf(page, "Related publications").first().click();
    await button(page, "Paste DOIs").click();
    await page.getByLabel("This dataset …").selectOption("cites");
    await page
      .getByRole("textbox", { name: "DOIs or text with DOIs" })
      .fill("Carberry (2026), https://doi.org/10.1234/a; 10.1234/b.");
    await button(page, "Add 2 entries").click();
    const related = page.getByRole("list", { name: "Related publications and data" });
    await expect.poll(() => related.locator("button[aria-expanded]").allInnerTexts()).toHaveLength(2);
    expect((await related.innerText()).replace(/\s+/g, " ")).toContain("10.1234/b cites");
  });

  test("errors and missing entries lead to their fields, also behind an entry that is not sent", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=description");
    const { page } = visiting;
    await groupOf(page, "Funding").first().click();
    for (const _ of [1, 2]) await button(page, "Add funding").click();
    await fill(page, { "fundingReferences/1/funderName": "EC", "fundingReferences/1/awardUri": "no address" });
    await groupOf(page, "Time and place").first().click();
    await button(page, "Add place").click();
    await fill(page, { "geoLocations/0/geoLocationPoint/pointLatitude": "95" });
    await page.reload();
    await groupOf(page, "Funding").getByText("1 entry to check").waitFor();
    await go(page, /^Review/);
    const errors = page.getByRole("region", { name: /^Complete or correct/ });
    await errors.getByRole("button", { name: "Funding 2, Web address of the grant" }).click();
    await expect.poll(() => focused(page)).toBe("field-metadata-fundingReferences-1-awardUri");
    await page.getByText("The value is not a web address").waitFor();
    await go(page, /^Review/);
    await errors.getByRole("button", { name: "Places 1, Latitude" }).click();
    await expect.poll(() => focused(page)).toBe("field-metadata-geoLocations-0-geoLocationPoint-pointLatitude");
    await go(page, /^Review/);
    const hints = page.getByRole("region", { name: "Findability" });
    // The funding that was entered does not count, because its address is not valid.
    const stated = (state: string) => hints.getByRole("listitem").filter({ hasText: state }).allInnerTexts();
    expect([await stated("present"), await stated("to be corrected")]).toEqual([
      [],
      [expect.stringContaining("Funding")],
    ]);
    await hints.getByRole("button", { name: "Related publication" }).click();
    await expect.poll(() => focused(page)).toBe("field-metadata-relatedIdentifiers");
    await expect.poll(() => page.evaluate("document.activeElement.closest('details').open")).toBe(true);
  });

  test.each([
    ["light", "en-GB", 1280],
    ["dark", "de-DE", 360],
  ] as const)(
    "every group is accessible and fits on the screen with all entries: %s, %s, %d px",
    { tags: "extended" },
    async (colorScheme, locale, width) => {
      const keys = { accessKey: demo.accessKey, secretKey: demo.secretKey };
      const access = { endpoint: s3.endpoint, bucket: demo.bucket, ...keys };
      const title = `Everything at ${width} px`;
      const { id } = await service.api.submit(access, { metadata: { ...maximalMetadata, title } });
      const done = await service.api.until(id, ["completed"]);
      const look = async (page: Page) => {
        await expectNoViolations(page);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      };
      await using visiting = await open(`?dataset=${done.dataset?.id}&part=description`, {
        colorScheme,
        locale,
        width,
      });
      const { page } = visiting;
      await page.getByRole("button", { name: /Version 1 übernehmen|entries of version 1/ }).click();
      for (const fold of await page.locator("details > summary").all()) await fold.click();
      await openEntries(page);
      await look(page);
      await page.locator("nav ol button").nth(2).click();
      await openEntries(page);
      await look(page);
      await page.locator("nav ol button").nth(3).click();
      await page.locator("#hints").waitFor();
      await look(page);
      await page.goto(`${service.url}/app/datasets/${done.dataset?.id}`);
      await page.getByRole("link", { name: "data-office@example.org" }).waitFor();
      await look(page);
    },
  );
});
