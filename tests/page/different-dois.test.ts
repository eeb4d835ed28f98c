/** @module-tag extended */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`DOIs that differ from the archive ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let account: DataciteAccount;
  let service: TestService;
  let tokens: Tokens;
  let ada: string;
  let cleo: string;

  beforeAll(async () => {
    [browser, s3, account] = await Promise.all([sharedBrowser(), startS3Server(), openDatacite()]);
    service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "direct", ...account.settings() });
    tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    cleo = (await tokens.create("cleo", "curator")).token;
  });
  afterAll(async () => {
    await service?.stop();
    await account?.close();
    await s3?.close();
  });

  async function as(token: string, path: string, visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app${path}`, visitor);
    await visiting.page.locator("input[type=password]").fill(token);
    await visiting.page.keyboard.press("Enter");
    return visiting;
  }

  test("curators find them and see what differs; an admin corrects them; the owner does not see them", async () => {
    const { dataset } = await archiveAs(service, s3, ada);
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", { agreement: true, access: "open" });
    const { doi } = await one.until(ada, "published");
    await using calm = await as(cleo, "/publications");
    await calm.page.getByRole("link", { name: "Barley roots under drought" }).waitFor();
    expect(await calm.page.getByText("differs from the archive").count()).toBe(0);

    const record = account.server.dois.get(doi);
    if (record === undefined) throw new Error("The DOI is not registered");
    account.server.put({ ...record, attributes: { ...record.attributes, url: "https://elsewhere.example.org/" } });
    await service.api.post("/doi/check", { dataset }, bearer(tokens.admin));
    const differences = async () => (await service.api.get(`/doi?dataset=${dataset}`, bearer(cleo))).json[0];
    await expect.poll(async () => (await differences()).differences).toEqual(["url"]);

    await using desk = await as(cleo, "/publications");
    const { page } = desk;
    const summary = page.getByText("1 DOI differs from the archive");
    await summary.waitFor();
    await expectAccessible(page);
    await summary.press("Enter");
    await page.getByText(`${doi} · Version 1 · At DataCite: address of the landing page`).waitFor();
    await expectAccessible(page);
    await page.getByRole("group").getByRole("link", { name: "Barley roots under drought" }).press("Enter");
    await page.getByText("DataCite differs from the archive").waitFor();
    await page.getByText(`accession doi check --repair ${dataset}`).waitFor();
    expect(await page.getByRole("button", { name: "Correct at DataCite" }).count()).toBe(0);
    await expectAccessible(page);

    await using author = await as(ada, `/datasets/${dataset}`);
    await author.page.getByRole("region", { name: "Publication", exact: true }).waitFor();
    await author.page.getByRole("heading", { name: "History" }).waitFor();
    expect(await author.page.getByText("differs from the archive").count()).toBe(0);

    await using admin = await as(tokens.admin, `/datasets/${dataset}`, { locale: "de-DE" });
    const german = admin.page;
    await german.getByText("Version 1 · Bei DataCite: Adresse der Landingpage").waitFor();
    await expectAccessible(german);
    await german.getByRole("button", { name: "Bei DataCite korrigieren" }).press("Enter");
    await german.getByText("DataCite stimmt mit dem Archiv überein.").waitFor();
    await expectAccessible(german);
    expect(account.server.dois.get(doi)?.attributes.url).toBe(`${service.url}/dataset/${dataset}?version=1`);
    await page.reload();
    await page.getByRole("heading", { name: "History" }).waitFor();
    await expect.poll(() => page.getByText("differs from the archive").count()).toBe(0);
  });
});
