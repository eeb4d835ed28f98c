/** @module-tag extended */
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DemoBucket,
  fillDemoBucket,
  type S3Server,
  startS3Server,
} from "../../packages/s3-test-server/src/index.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { importVocabularies } from "../support/vocabulary/import-vocabularies.ts";
import { crossrefFunders, ror, rorRecord, skosExpanded } from "../support/vocabulary/samples.ts";

const field = (page: Page, pointer: string) => page.locator(`[id="field-metadata-${pointer.replaceAll("/", "-")}"]`);
const valuesOf = async (page: Page, pointers: string[]) =>
  Promise.all(pointers.map((pointer) => field(page, pointer).inputValue()));
// Select boxes have options, too.
const options = (page: Page) => page.getByRole("listbox", { name: /^(Suggestions|Vorschläge) f/ }).getByRole("option");
const activeOption = (page: Page) =>
  page.evaluate<string | undefined>(
    "document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.firstChild.textContent",
  );

/** The searches that a page requests. */
function searchesOf(page: Page): string[] {
  const queries: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.startsWith("/vocabulary/")) queries.push(url.searchParams.get("q") ?? "");
  });
  return queries;
}

const AFFILIATION = "authors/0/affiliation";
const RORID = "authors/0/rorid";
const BARLEY = "Institut für Gerstenforschung";
const BARLEY_ID = "https://ror.org/01aaaaa85";

describe.skipIf(noChromium)(`suggestions from vocabularies ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  let demo: DemoBucket;
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    demo = fillDemoBucket(s3);
    const namesakes = ["07ggggg32", "08hhhhh07"].map((id) =>
      rorRecord(id, [["University of Namesakes", ["ror_display"], "en"]]),
    );
    await importVocabularies(service, {
      "ror.json": JSON.stringify([...ror, ...namesakes]),
      "funders.csv": crossrefFunders,
      "crops.jsonld": JSON.stringify(skosExpanded),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = (query: string, visitor = {}) => visit(browser, `${service.url}/app/new${query}`, visitor);

  async function openGroup(page: Page, group: RegExp, add: RegExp) {
    await page.locator("details > summary", { hasText: group }).first().click();
    await page.getByRole("button", { name: add }).click();
  }

  test("without a vocabulary, the fields are plain and nothing is requested", { tags: "extended" }, async () => {
    await using bare = await startTestService();
    await using visiting = await visit(browser, `${bare.url}/app/new?part=authors`);
    const { page } = visiting;
    const searches = searchesOf(page);
    await field(page, AFFILIATION).pressSequentially("Institut");
    await page.locator("nav ol button").nth(1).click();
    await openGroup(page, /^Funding/, /^Add funding/);
    await field(page, "fundingReferences/0/funderName").pressSequentially("Barley");
    await page.waitForTimeout(500);
    expect(searches).toEqual([]);
    expect(await page.getByRole("combobox", { name: "Affiliation" }).count()).toBe(0);
  });

  test("an affiliation is found, chosen and submitted by keyboard alone", async () => {
    await using visiting = await open("");
    const { page } = visiting;
    for (const [name, text] of Object.entries({
      endpoint: s3.endpoint,
      bucket: demo.bucket,
      accessKey: demo.accessKey,
      secretKey: demo.secretKey,
    })) {
      await page.locator(`#field-s3Access-${name}`).fill(text);
    }
    await page.locator("nav ol button").nth(1).press("Enter");
    await field(page, "title").fill("Chosen by keyboard");
    await page.locator("nav ol button").nth(2).press("Enter");
    await field(page, "authors/0/lastName").fill("Carberry");
    await field(page, AFFILIATION).focus();
    await page.keyboard.type("barley");
    await page.getByText("2 suggestions. Use the arrow keys to choose one.").waitFor();
    const box = page.getByRole("combobox", { name: "Affiliation", exact: true });
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    // The name that does not contain the query is explained by the one that does.
    expect(await options(page).allInnerTexts()).toEqual([
      "Łódź Institute of Barley\nGerstenau, Germany",
      `${BARLEY}\nGerstenau, Germany · IGF · also: Institute for Barley Research`,
    ]);
    expect(await page.locator("mark").allInnerTexts()).toEqual(["Barley", "Barley"]);
    // There was not enough space below the field. The page was scrolled, so that the list covers no errors above it.
    const highest = await options(page).first().boundingBox();
    expect(highest?.y ?? 0).toBeGreaterThan((await box.boundingBox())?.y ?? 800);
    const lowest = await options(page).last().boundingBox();
    expect((lowest?.y ?? 0) + (lowest?.height ?? 0)).toBeLessThanOrEqual(800);
    const steps: string[] = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "End"]) {
      await page.keyboard.press(key);
      steps.push((await activeOption(page)) ?? "");
    }
    const lodz = "Łódź Institute of Barley";
    expect(steps).toEqual([lodz, BARLEY, lodz, BARLEY, lodz, BARLEY]);
    // Back to the text: the keys move the cursor in it.
    await page.keyboard.press("ArrowLeft");
    expect(await activeOption(page)).toBeUndefined();
    await page.keyboard.press("Home");
    expect(await activeOption(page)).toBeUndefined();
    await page.keyboard.press("Escape");
    await expect.poll(() => options(page).count()).toBe(0);
    expect(await valuesOf(page, [AFFILIATION, RORID])).toEqual(["barley", ""]);
    await page.keyboard.press("ArrowDown");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    expect(await valuesOf(page, [AFFILIATION, RORID])).toEqual([BARLEY, BARLEY_ID]);
    await page.getByText(`${BARLEY} was chosen, and its identifier was filled in.`).waitFor();
    expect(await options(page).count()).toBe(0);
    expect(page.url()).toContain("part=authors");
    // Enter without an active suggestion keeps the text, too.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("field-metadata-authors-0-rorid");
    await page.locator("nav ol button").nth(3).press("Enter");
    await page.getByRole("button", { name: "Submit dataset" }).press("Enter");
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    const { json } = await service.api.get(`/submission/${page.url().split("/").at(-1)}`);
    expect(json.metadata.authors).toMatchObject([{ affiliation: BARLEY, rorid: BARLEY_ID }]);
  });

  test("text without a match is kept, and Tab chooses nothing", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await field(page, AFFILIATION).pressSequentially("Nowhere College");
    await page.getByText("No match. Your text is kept.").first().waitFor();
    expect(await page.getByRole("combobox", { name: "Affiliation", exact: true }).getAttribute("aria-expanded")).toBe(
      "false",
    );
    await expectNoViolations(page);
    await field(page, AFFILIATION).fill("igf");
    await options(page).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await expect.poll(() => options(page).count()).toBe(0);
    expect(await valuesOf(page, [AFFILIATION, RORID])).toEqual(["igf", ""]);
    // A text that is too long for a search is no error.
    const searches = searchesOf(page);
    await field(page, AFFILIATION).fill("igf ".repeat(60));
    await page.waitForTimeout(400);
    expect(searches).toEqual([]);
  });

  test("an identifier is removed with the name to which it belongs, and can be restored", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await page.getByRole("radio", { name: "Organisation" }).check();
    const [name, rorid] = ["authors/0/name", "authors/0/rorid"];
    await field(page, name).pressSequentially("IGF");
    await options(page).filter({ hasText: BARLEY }).click();
    expect(await valuesOf(page, [name, rorid])).toEqual([BARLEY, BARLEY_ID]);
    // An addition to the name does not replace it.
    await field(page, name).press("End");
    await page.keyboard.type(", Abteilung 3");
    expect(await valuesOf(page, [rorid])).toEqual([BARLEY_ID]);
    await field(page, name).fill("Root Consortium");
    const notice = page.getByText(`The identifier of “${BARLEY}” was removed`).first();
    await notice.waitFor();
    expect(await valuesOf(page, [rorid])).toEqual([""]);
    await field(page, name).fill(BARLEY);
    expect(await valuesOf(page, [rorid])).toEqual([BARLEY_ID]);
    // The same after the section was left.
    await page.locator("nav ol button").nth(1).click();
    await page.locator("nav ol button").nth(2).click();
    await field(page, name).fill("Root Consortium");
    await notice.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Restore identifier" }).press("Enter");
    expect(await valuesOf(page, [name, rorid])).toEqual(["Root Consortium", BARLEY_ID]);
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
    expect(await notice.count()).toBe(0);
    // Entered first, the identifier stays while the name is typed.
    await field(page, name).fill("");
    await field(page, rorid).fill("https://ror.org/02bbbbb60");
    await field(page, name).pressSequentially("Gerstenau");
    expect(await valuesOf(page, [rorid])).toEqual(["https://ror.org/02bbbbb60"]);
  });

  test("funders and subjects fill in all that identifies them, also in German and on a phone", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=description", { locale: "de-DE", width: 390, height: 844 });
    const { page } = visiting;
    await openGroup(page, /^Förder/, /Förderung hinzufügen/);
    await field(page, "fundingReferences/0/funderName").pressSequentially("barl");
    await options(page).filter({ hasText: "Barley Foundation" }).click();
    const funder = ["funderName", "funderIdentifier", "funderIdentifierType"].map(
      (name) => `fundingReferences/0/${name}`,
    );
    expect(await valuesOf(page, funder)).toEqual([
      "Barley Foundation",
      "https://doi.org/10.13039/100000901",
      "Crossref Funder ID",
    ]);
    await page
      .getByText("Barley Foundation wurde ausgewählt und die Kennung eingetragen.")
      .waitFor({ state: "attached" });
    await openGroup(page, /^Schlagw/, /^Schlagwort hinzufügen/);
    await field(page, "subjectTerms/0/subject").pressSequentially("gerst");
    await page.getByRole("listbox", { name: /^Vorschläge für/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    const subject = ["subject", "subjectScheme", "valueUri", "schemeUri", "classificationCode", "language"];
    const pointers = subject.map((name) => `subjectTerms/0/${name}`);
    expect(await valuesOf(page, pointers)).toEqual([
      "barley",
      "Crops",
      "https://vocab.example.org/crops/1",
      "https://vocab.example.org/crops",
      "C.1",
      "en",
    ]);
    await field(page, "subjectTerms/0/subject").fill("Weizen");
    await page.getByText("Die Kennung von „barley“ wurde entfernt").first().waitFor();
    expect(await valuesOf(page, pointers)).toEqual(["Weizen", "", "", "", "", ""]);
  });

  test("entries of the same name and place are distinguished by their identifiers", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    await field(page, AFFILIATION).pressSequentially("namesakes");
    await options(page).first().waitFor();
    expect((await options(page).allInnerTexts()).map((text) => text.split(" · ").at(-1)).sort()).toEqual([
      "ror.org/07ggggg32",
      "ror.org/08hhhhh07",
    ]);
    await expectAccessible(page);
  });

  test("a slow answer to an earlier text is discarded", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    const held: Route[] = [];
    const aborted: string[] = [];
    page.on("requestfailed", (request) => aborted.push(new URL(request.url()).searchParams.get("q") ?? ""));
    await page.route(/\/vocabulary\/.*q=gersten$/, (route) => void held.push(route));
    await field(page, AFFILIATION).pressSequentially("gersten");
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.type("au");
    await options(page).filter({ hasText: "Gerstenau University" }).waitFor();
    await held[0]?.fulfill({ json: [] }).catch(() => undefined);
    await page.waitForTimeout(300);
    expect(await options(page).allInnerTexts()).toHaveLength(1);
    // If typing is slow, shorter texts have been sent and aborted, too.
    expect(aborted).toContain("gersten");
  });

  test("an entry that is active stays active when the list changes, and typing makes the text the choice again", {
    tags: "extended",
  }, async () => {
    await using visiting = await open("?part=authors");
    const { page } = visiting;
    const held: Route[] = [];
    await page.route(/\/vocabulary\/.*q=IGF$/, (route) => void held.push(route));
    await field(page, AFFILIATION).pressSequentially("I");
    await options(page).filter({ hasText: "IGF Bank" }).waitFor();
    const before = await options(page).allInnerTexts();
    await page.keyboard.type("GF");
    await expect.poll(() => held.length).toBe(1);
    while ((await activeOption(page)) !== "IGF Bank") await page.keyboard.press("ArrowDown");
    await held[0]?.continue();
    await expect.poll(() => options(page).allInnerTexts()).not.toEqual(before);
    expect(await activeOption(page)).toBe("IGF Bank");
    await page.keyboard.type(" B");
    expect(await activeOption(page)).toBeUndefined();
    await page.keyboard.press("Enter");
    expect(await valuesOf(page, [AFFILIATION, RORID])).toEqual(["IGF B", ""]);
  });

  test("a failed search is mentioned and blocks nothing, and the next one works", { tags: "extended" }, async () => {
    await using visiting = await open("?part=authors", { expected: [/ERR_FAILED/] });
    const { page } = visiting;
    let failures = 0;
    await page.route("**/vocabulary/**", (route) => {
      failures++;
      return failures === 1 ? route.fulfill({ status: 500, json: {} }) : route.abort();
    });
    await field(page, AFFILIATION).pressSequentially("Barley");
    const note = page.getByText("Suggestions are not available at the moment. Your text is kept.").first();
    await note.waitFor();
    await page.keyboard.type(" R");
    await expect.poll(() => failures).toBe(2);
    await note.waitFor();
    expect(await valuesOf(page, [AFFILIATION])).toEqual(["Barley R"]);
    await expectNoViolations(page);
    // The rest of the page is not affected.
    expect(await page.getByText("The service cannot be reached").count()).toBe(0);
    await page.unroute("**/vocabulary/**");
    await page.keyboard.type("esearch");
    await options(page).filter({ hasText: BARLEY }).click();
    expect(await valuesOf(page, [AFFILIATION, RORID])).toEqual([BARLEY, BARLEY_ID]);
  });
});
