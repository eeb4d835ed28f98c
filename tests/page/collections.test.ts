/** @module-tag extended */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { untilCatalogued } from "../support/api/published.ts";
import {
  expectAccessible,
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...metadata } = goodMetadata as { embargoDate?: string };

describe.skipIf(noChromium)(`collections ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let ada: string;
  let cleo: string;
  let admin: string;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([
      sharedBrowser(),
      startS3Server(),
      startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" }),
    ]);
    const tokens = await Tokens.open(service);
    admin = tokens.admin;
    ada = (await tokens.create("ada", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
    await create("barley", {
      name: { en: "Barley trials", de: "Gerstenversuche" },
      description: {
        en: "<p>Field trials with <i>Hordeum vulgare</i> at twelve sites.</p>",
        de: "<p>Feldversuche mit <i>Hordeum vulgare</i> an zwölf Standorten.</p>",
      },
      curators: ["cleo"],
      licences: ["CC-BY-4.0"],
    });
    await create("soil", { name: { en: "Soil" } });
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  async function create(id: string, content: object): Promise<void> {
    const headers = { ...bearer(admin), "content-type": "application/json" };
    const body = JSON.stringify(content);
    const { status } = await service.api.send(`/collections/${id}`, { method: "PUT", headers, body });
    expect(status).toBe(201);
  }

  async function archived(title: string): Promise<PublicationClient> {
    const { dataset } = await archiveAs(service, s3, ada, { metadata: { ...metadata, title, license: "CC-BY-4.0" } });
    return new PublicationClient(service, dataset);
  }

  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    return visiting;
  }

  test("an owner asks for a collection, a curator of it finds the request, and readers find the dataset", async () => {
    const one = await archived("Roots of barley");
    const other = await archived("Something else");
    await other.done(ada, "request", { agreement: true, access: "open" });
    {
      await using visiting = await as(ada, `/datasets/${one.dataset}`);
      const { page } = visiting;
      await page.getByRole("button", { name: "Request publication" }).press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("checkbox", { name: "Barley trials" }).press("Space");
      await dialog.getByText("Licences: CC-BY-4.0").waitFor();
      await dialog.getByRole("checkbox", { name: "I accept" }).press("Space");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Request publication" }).press("Enter");
      await page.getByText("Requested collections").waitFor();
    }
    {
      await using visiting = await as(cleo, "/publications?queue=new");
      const { page } = visiting;
      const rows = page.getByRole("row").filter({ has: page.getByRole("link") });
      await expect.poll(() => rows.count()).toBe(2);
      await page.getByLabel("Collection").selectOption("My collections");
      await expect.poll(() => rows.count()).toBe(1);
      await expectAccessible(page);
      await rows.getByText("Roots of barley").waitFor();
      await page.getByLabel("Collection").selectOption("Soil");
      await page.getByText("No publications match the search").waitFor();
      expect(new URL(page.url()).search).toBe("?queue=new&collection=soil");
    }
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    await untilCatalogued(service, one.dataset);
    await using visiting = await visit(browser, `${service.url}/collections?lang=en`);
    const { page } = visiting;
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Barley trials" }).press("Enter");
    await page.getByRole("heading", { name: "Barley trials", level: 1 }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("main").getByRole("searchbox").fill("roots");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Roots of barley" }).press("Enter");
    const collections = page.getByRole("region", { name: "Part of the collection" });
    await expectNoViolations(page);
    await collections.getByRole("link", { name: "Barley trials" }).press("Enter");
    await page.waitForURL(/\/collections\/barley$/);
  });

  test("an owner removes a published dataset from a collection, and its readers no longer find it there", async () => {
    const one = await archived("Roots of rye");
    await one.done(ada, "request", { agreement: true, access: "open", collections: ["barley"] });
    await one.done(cleo, "approve");
    await one.until(ada, "published");
    await untilCatalogued(service, one.dataset);
    await using visiting = await as(ada, `/datasets/${one.dataset}`);
    const { page } = visiting;
    const landing = page.getByRole("link", { name: "Open the landing page" });
    expect(await landing.getAttribute("href")).toContain(`/dataset/${one.dataset}?version=1`);
    const shown = page.getByRole("region", { name: "Part of the collection" });
    await shown.getByRole("link", { name: "Barley trials" }).waitFor();
    await page.getByRole("button", { name: "Remove from the collection Barley trials" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The dataset stays published.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("removed the dataset from a collection").waitFor();
    await page.getByRole("list", { name: "Collections" }).waitFor({ state: "detached" });
    await shown.waitFor({ state: "detached" });
    // The button has disappeared, and the state of the publication is what its user wants to know.
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')")).toBe("status");
    const { json } = await service.api.get("/collections/barley/datasets?q=rye");
    expect(json.total).toBe(0);
  });

  test("an admin creates, edits and deletes a collection; curators see all of them", async () => {
    {
      await using visiting = await as(admin, "/publications");
      const { page } = visiting;
      await page.getByRole("main").getByRole("link", { name: "Collections" }).press("Enter");
      await page.getByRole("heading", { name: "Collections", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Soil", exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "New collection" }).press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Id").fill("soil");
      await dialog.getByRole("button", { name: "Create collection" }).press("Enter");
      await dialog.getByText("A collection with this id exists already.").waitFor();
      await dialog.getByText("Enter the English name.").waitFor();
      await dialog.getByLabel("Id").fill("wheat");
      await dialog.getByLabel("English name").fill("Wheat");
      await dialog.getByLabel("German name (optional)").fill("Weizen");
      await dialog.getByRole("checkbox", { name: "cleo" }).press("Space");
      await dialog.getByLabel("Accepted licences (optional)").fill("CC0-1.0\nMY-OWN");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Create collection" }).press("Enter");
      await dialog.getByLabel("Accepted licences (optional)").and(page.locator("[aria-invalid=true]")).waitFor();
      await dialog.getByLabel("Accepted licences (optional)").fill("CC0-1.0");
      await dialog.getByRole("button", { name: "Create collection" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("Curators: cleo · Licences: CC0-1.0").waitFor();
      await page.getByRole("button", { name: "Edit the collection Wheat" }).press("Enter");
      await dialog.getByLabel("English name").fill("Wheat trials");
      await dialog.getByRole("button", { name: "Save" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      const { json } = await service.api.get("/collections/wheat", bearer(admin));
      expect(json).toMatchObject({
        name: { en: "Wheat trials", de: "Weizen" },
        ...{ curators: ["cleo"], licences: ["CC0-1.0"] },
      });
    }
    {
      await using visiting = await as(cleo, "/collections");
      const { page } = visiting;
      await page.getByRole("link", { name: "Wheat trials" }).waitFor();
      expect(await page.getByRole("button", { name: /collection/ }).count()).toBe(0);
    }
    await using visiting = await as(admin, "/collections");
    const { page } = visiting;
    await page.getByRole("button", { name: "Delete the collection Wheat trials" }).press("Enter");
    await page.getByRole("dialog").getByText("It contains no published dataset.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete collection" }).press("Enter");
    await page.getByRole("link", { name: "Wheat trials" }).waitFor({ state: "detached" });
    expect((await service.api.get("/collections/wheat")).status).toBe(404);
  });
});
