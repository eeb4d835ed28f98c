/** @module-tag extended */
import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs } from "../support/api/publications.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`reserved DOIs and concept DOIs in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let account: DataciteAccount;
  let datacite: DataciteServer;
  let service: TestService;

  beforeAll(async () => {
    browser = await sharedBrowser();
    s3 = await startS3Server();
    account = await openDatacite();
    datacite = account.server;
    service = await startTestService({
      ACCESSION_PUBLICATION: "direct",
      ACCESSION_CONCEPT_DOI: "on",
      ...account.settings(),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await account?.close();
    await s3?.close();
  });

  test("the owner reserves a DOI, finds it at the citation, and publishes the dataset under it", async () => {
    const { dataset } = await archiveAs(service, s3, undefined);
    await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`);
    const { page } = visiting;
    const section = page.getByRole("region", { name: "Publication", exact: true });
    await page.getByText("Reserve a DOI first").waitFor();
    await section.getByRole("button", { name: "Reserve a DOI" }).press("Enter");
    const doi = await section.getByText(/^10\.5072\/[a-z0-9]{8}$/).textContent();
    await section.getByText("Reserved. You can cite it in a manuscript.").first().waitFor();
    const cite = page.getByRole("region", { name: "Cite" });
    await cite.getByText(`You can use the reserved DOI ${doi} in your manuscript.`).waitFor();
    await cite.locator("#citation").getByText(`[Unpublished data set]. Accession. https://doi.org/${doi}`).waitFor();
    expect(await section.getByRole("button", { name: "Reserve a DOI" }).count()).toBe(0);
    expect(datacite.dois.get(doi ?? "")?.state).toBe("draft");
    await expectAccessible(page);

    await service.api.post(`/dataset/${dataset}/publication/request`, { agreement: true, access: "open" });
    await page.reload();
    await section.getByText("DOI of all versions").waitFor();
    await section.getByRole("link", { name: `https://doi.org/${doi}` }).waitFor();
    const landing = await section.getByRole("link", { name: "Landing page" }).getAttribute("href");
    expect(
      await (await fetch(new URL(landing ?? "", page.url()), { headers: { accept: "text/html" } })).text(),
    ).toContain("<h1");
    expect(await page.getByText("You can use the reserved DOI").count()).toBe(0);
    // The identifier of the dataset, and the revision with which the archive names it.
    const about = page.getByRole("region", { name: "Details", exact: true });
    const identifier = about.getByRole("link", { name: doi ?? "none", exact: true });
    await expect.poll(() => identifier.getAttribute("href")).toBe(`https://doi.org/${doi}`);
    const revisions = page.getByRole("region", { name: "Metadata revisions", exact: true });
    const own = revisions.getByRole("listitem").filter({ hasText: `Published under https://doi.org/${doi}` });
    await own.getByText("Service").waitFor();
    await expectAccessible(page);
    {
      await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`, { locale: "de-DE" });
      const list = visiting.page.getByRole("region", { name: "Metadaten-Revisionen", exact: true });
      await list.getByText(`Veröffentlicht unter https://doi.org/${doi}`).waitFor();
    }
  });

  test("a registration whose cause of failure can pass looks calm for 15 minutes, and is an incident afterwards", async () => {
    const { dataset } = await archiveAs(service, s3, undefined);
    datacite.addFault({ match: { method: "POST" }, times: Number.POSITIVE_INFINITY, fault: { status: 503 } });
    await service.api.post(`/dataset/${dataset}/publication/request`, { agreement: true, access: "open" });
    {
      await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`);
      const section = visiting.page.getByRole("region", { name: "Publication", exact: true });
      await section.getByText("Registering the DOI").waitFor();
      await section.getByText("The last attempt did not succeed. The service tries again").waitFor();
      expect(await section.getByRole("alert").count()).toBe(0);
      expect(await section.getByText("datacite_unreachable").count()).toBe(0);
      expect(await section.getByRole("button", { name: "Try again now" }).count()).toBe(0);
      await expectAccessible(visiting.page);
    }
    await service.restart(async () => {
      const { queries, close } = await service.database();
      const since = new Date(Date.now() - 15 * 60_000).toISOString();
      await sql`update publication set problem = problem || ${JSON.stringify({ since })}::jsonb`.execute(queries);
      await close();
    });
    await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset}`);
    const section = visiting.page.getByRole("region", { name: "Publication", exact: true });
    await section.getByText("The publication is delayed").first().waitFor();
    await section.getByText("datacite_unreachable").waitFor();
    await section.getByText("Waiting for the operator of this service").waitFor();
    await expectAccessible(visiting.page);
    datacite.clearFaults();
    await section.getByRole("button", { name: "Try again now" }).press("Enter");
    await section
      .getByRole("link", { name: /^https:\/\/doi.org\/10\.5072\// })
      .first()
      .waitFor();
  });

  test("the form for a submission offers a reserved DOI, and keeps the choice after a reload", {
    tags: "extended",
  }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/new?part=review`);
    const { page } = visiting;
    const box = page.getByRole("checkbox", { name: "Reserve a DOI now" });
    await box.press("Space");
    await expectAccessible(page);
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
  });
});
