/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const section = (page: Page) => page.getByRole("region", { name: "Publication", exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(noChromium)(`the guide for authors in the page ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let account: DataciteAccount;
  let service: TestService;

  beforeAll(async () => {
    [browser, s3, account] = await Promise.all([sharedBrowser(), startS3Server(), openDatacite()]);
    const mail = { ACCESSION_SMTP_URL: "smtp://127.0.0.1:9", ACCESSION_MAIL_FROM: "accession@example.org" };
    service = await startTestService({ ...TOKENS, ...account.settings(), ...mail, ACCESSION_PUBLICATION: "review" });
  });
  afterAll(async () => {
    await service?.stop();
    await account?.close();
    await s3?.close();
  });

  // The steps of docs/how-to/authors.md.
  test("each step is where the guide says", async () => {
    const tokens = await Tokens.open(service);
    const ada = (await tokens.create("ada", "submitter")).token;
    const cleo = (await tokens.create("cleo", "curator")).token;
    const { dataset } = await archiveAs(service, s3, ada);
    const one = new PublicationClient(service, dataset);
    await using visiting = await visit(browser, `${service.url}/app/datasets`);
    const { page } = visiting;
    const press = (name: string | RegExp, within: Page | ReturnType<Page["getByRole"]> = section(page)) =>
      within.getByRole("button", { name, exact: true }).first().press("Enter");
    await page.locator("input[type=password]").fill(ada);
    await page.keyboard.press("Enter");
    await page.getByRole("listitem").getByRole("link").first().press("Enter");

    await press("Reserve a DOI");
    await page.getByRole("region", { name: "Cite" }).getByText("You can use the reserved DOI").waitFor();
    await press("Create reviewer link", page);
    await dialog(page).getByRole("radio", { name: "With names" }).check();
    await dialog(page).getByRole("radio", { name: "Anonymous" }).check();
    await press("Create reviewer link", dialog(page));
    await press("Done", dialog(page));

    await section(page).getByText("Automatic checks").waitFor();
    await press("Request publication");
    await dialog(page).getByRole("radiogroup", { name: "Access to files" }).getByLabel("Restricted").check();
    await dialog(page).getByLabel("Reason").fill("Personal data");
    await dialog(page).getByRole("radiogroup", { name: "Time of publication" }).getByLabel("I choose the time").check();
    await dialog(page).getByLabel("E-mail address for notifications (optional)").fill("ada@lab.example.org");
    await dialog(page).getByLabel("I accept the deposit agreement").check();
    await press("Request publication", dialog(page));
    await section(page).getByRole("button", { name: "Take request back" }).waitFor();

    await one.done(cleo, "comment", { comment: "Which depth?", place: { field: "/description" } });
    await press(/^Reply to the comment of cleo/);
    await section(page).getByLabel("Reply to cleo").fill("20 cm");
    await press("Add reply");
    await press(/^Resolve the comment of cleo/);
    await section(page).getByText("1 of 1 comment resolved").waitFor();
    await one.done(cleo, "request-changes", { comment: "Please state it" });
    await section(page).getByText("Changes requested", { exact: true }).waitFor();
    await press("Request publication again");
    await dialog(page).getByLabel("I accept the deposit agreement").check();
    await press("Request publication", dialog(page));
    await section(page).getByText("In review", { exact: true }).waitFor();
    await one.done(cleo, "approve");
    await press("Publish");
    await press("Publish", dialog(page));
    await section(page).getByText("Published", { exact: true }).first().waitFor();

    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    await page.locator("summary", { hasText: "Related publications and data" }).press("Enter");
    await press("Add publication or data", page);
    await page.locator('[id="field-metadata-relatedIdentifiers-0-relatedIdentifier"]').fill("10.1234/roots.2026");
    await press("Save changes", page);
    await page.getByRole("region", { name: "Related works" }).getByText("10.1234/roots.2026").waitFor();
    await press(/^Revoke the link/, page);
    await press("Revoke", dialog(page));
    const closed = page.getByRole("region", { name: "Access to closed files" });
    await closed.getByRole("button", { name: "Grant access" }).waitFor();
    const wish = { name: "Grace", email: "grace@example.org", reason: "Comparison" };
    expect((await service.api.post(`/dataset/${dataset}/access-request`, wish)).status).toBe(202);
    await page.reload();
    await closed.getByRole("button", { name: "Answer the request of Grace" }).waitFor();
    await section(page).getByRole("button", { name: "Change access" }).waitFor();
    await page.getByRole("region", { name: "Versions" }).getByRole("link", { name: "New version" }).waitFor();
    await section(page).getByRole("button", { name: "Add comment" }).waitFor();
    expect(await section(page).getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    await page.getByRole("link", { name: "E-mail settings" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "E-mail settings" }).waitFor();
  });
});
