import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs } from "../support/api/published.ts";
import { axe, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const authors = Array.from({ length: 200 }, (_, n) => ({
  role: "Creator",
  firstName: "Ada",
  lastName: `Author${n}`,
  affiliation: `Institute of Roots ${n % 40}`,
}));
const description = Array.from({ length: 200 }, (_, n) => `Line ${n} of the description.`).join("\n");

/** The numbers of institutions that are on another line than the end of the name, or of the beginning of the institution. */
const SEPARATED = `[...document.querySelectorAll(".people sup, .people + p sup")].filter((sup) => {
  const isOfPerson = sup.closest(".people") !== null;
  const beside = isOfPerson ? sup.previousSibling : sup.nextSibling;
  const range = document.createRange();
  range.selectNodeContents(beside);
  if (!isOfPerson) range.setEnd(beside, 3);
  const lines = range.getClientRects();
  const near = lines[isOfPerson ? lines.length - 1 : 0];
  const own = sup.getClientRects();
  return new Set(Array.from(own, ({ top }) => top)).size > 1 || (near !== undefined && own[0] !== undefined && own[0].top > near.bottom);
}).length`;

describe.skipIf(noChromium)(`a landing page with long lists and texts ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ACCESSION_PUBLICATION: "direct" }),
    ]);
    const { dataset } = await publishAs(service, s3, { metadata: { ...goodMetadata, authors, description } });
    address = `${service.url}/dataset/${dataset}`;
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  test("folds them, and is complete for programs and on paper", async () => {
    await using visiting = await visit(browser, address);
    const { page } = visiting;
    const names = page.getByRole("list", { name: "Authors" });
    await names.getByText("Author19").waitFor();
    const last = names.getByText("Author199");
    const end = page.locator(".lines", { hasText: "Line 199 of the description." });
    expect([await last.isVisible(), await end.isVisible()]).toEqual([false, false]);
    expect(await axe(page)).toEqual([]);
    await page.getByText("and 180 more").press("Enter");
    await last.waitFor();
    await page.getByText("Show the rest").press("Enter");
    await end.waitFor();
    await page.reload();
    await page.emulateMedia({ media: "print" });
    expect([await last.isVisible(), await end.isVisible()]).toEqual([true, true]);
    const text = await (await fetch(address, { headers: { accept: "text/html" } })).text();
    expect(text.match(/name="citation_author"/g)).toHaveLength(200);
    for (const { lastName } of authors) expect(text).toContain(`"familyName":"${lastName}"`);
  });

  test("keeps numbers of institutions with their names on every screen", async () => {
    await using visiting = await visit(browser, address);
    const { page } = visiting;
    for (let width = 320; width < 520; width += 8) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(SEPARATED)]).toEqual([width, 0]);
    }
  });

  test("copies the identifier and the entries for reference managers, and offers it again", async () => {
    await using visiting = await visit(browser, address);
    const { page, context } = visiting;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("Other citation styles").press("Enter");
    for (const [name, form] of [
      ["Copy the identifier", /^urn:uuid:/],
      ["Copy the BibTeX entry", /^@\w+\{/],
      ["Copy the RIS entry", /^TY {2}- DATA\r?\nAU {2}- Author0, Ada/],
    ] as const) {
      const button = page.getByRole("button", { name });
      await button.press("Enter");
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(form);
      await button.waitFor();
    }
  });
});
