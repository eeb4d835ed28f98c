import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/metadata.ts";
import { submitAndArchive } from "../support/archive/archived-versions.ts";
import { expectAccessible, ifSkipped, noChromium, startBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

vi.setConfig({ testTimeout: 60_000 });
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** A member that the form does not have. */
const unknown = { laboratoryNotebook: { page: 12 } };

describe.skipIf(noChromium)(`the pages for changes of metadata ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([startBrowser(), startS3Server(), startTestService()]);
    s3.addAccount(keys);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await s3.close();
  });

  async function archived(bucket: string): Promise<string> {
    s3.createBucket(bucket);
    s3.put(bucket, "a.csv", "one");
    const { dataset } = await submitAndArchive(
      service.api,
      { endpoint: s3.endpoint, bucket, ...keys },
      { metadata: { ...DEMO_METADATA, ...unknown } },
    );
    return dataset.id;
  }
  const address = (id: string, more = "") => `${service.url}/app/datasets/${id}${more}`;
  const title = (page: Page) => page.getByRole("textbox", { name: /^Title/ });
  const changes = (page: Page) => page.getByRole("region", { name: "Changes" });
  const save = (page: Page) => page.getByRole("button", { name: "Save changes" });
  const stateOf = async (id: string) => (await service.api.get(`/dataset/${id}/metadata`)).json;
  async function changeTitle(id: string, text: string, more: object = {}) {
    const before = await service.api.get(`/dataset/${id}/metadata`);
    const body = JSON.stringify({ metadata: { ...before.json.metadata, title: text, ...more } });
    const headers = { "content-type": "application/json", "if-match": before.headers.get("etag") ?? "" };
    const answer = await service.api.send(`/dataset/${id}/metadata`, { method: "PUT", body, headers });
    expect(answer.status).toBe(200);
  }

  test("an archived dataset is edited, and the revisions are listed and compared", async () => {
    const id = await archived("edited");
    await using visiting = await visit(browser, address(id));
    const { page } = visiting;
    await page.getByRole("link", { name: "Edit metadata" }).click();
    await page.getByRole("heading", { level: 1, name: "Edit metadata" }).waitFor();
    await changes(page).getByText("You have not changed anything yet").waitFor();
    expect(await save(page).isDisabled()).toBe(true);

    await title(page).fill("Barley roots, corrected");
    await page.locator("summary", { hasText: "Related publications and data" }).press("Enter");
    await page.getByRole("button", { name: "Add publication or data" }).press("Enter");
    await page.locator('[id="field-metadata-relatedIdentifiers-0-relatedIdentifier"]').fill("10.1234/roots.2026");
    await changes(page).getByText(DEMO_METADATA.title).waitFor();
    await changes(page).getByText("is described by the article").waitFor();
    await changes(page).getByLabel("Reason for the change").fill("The article has appeared");
    await expectAccessible(page);

    await page.reload();
    await changes(page).getByText("Barley roots, corrected").waitFor();
    expect(await changes(page).getByLabel("Reason for the change").inputValue()).toBe("The article has appeared");
    await save(page).click();
    await page.getByRole("heading", { level: 1, name: "Barley roots, corrected" }).waitFor();
    const { metadata, revision } = await stateOf(id);
    expect({ metadata, revision }).toEqual({
      metadata: {
        ...DEMO_METADATA,
        ...unknown,
        title: "Barley roots, corrected",
        relatedIdentifiers: [{ relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots.2026" }],
      },
      revision: 2,
    });

    const revisions = page.getByRole("region", { name: "Metadata revisions" });
    await revisions.getByText("The article has appeared").waitFor();
    await revisions.getByRole("link", { name: "Compare revisions" }).click();
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText("10.1234/roots.2026").waitFor();
    await comparison.getByText(DEMO_METADATA.title).waitFor();
    await expectAccessible(page);
    await comparison.getByLabel("From").selectOption("Revision 2");
    await comparison.getByText("These revisions have the same metadata.").waitFor();
    expect(new URL(page.url()).search).toBe("?version=1&from=2&to=2");
  });

  test("invalid metadata are not saved, and each error leads to its field", async () => {
    const id = await archived("invalid");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).fill("");
    await save(page).click();
    await page.getByRole("button", { name: "Title", exact: true }).click();
    expect(await page.evaluate<string>("document.activeElement.id")).toBe("field-metadata-title");
    expect((await stateOf(id)).revision).toBe(1);
  });

  test("changes of somebody else in the meantime are shown, and the user’s own are applied to them", async () => {
    const id = await archived("conflict");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).fill("Title of this user");
    await changeTitle(id, "Title of somebody else", { versionLabel: "2026.2" });
    await save(page).click();
    const notice = page.getByRole("alert").filter({ hasText: "The metadata have changed since you began" });
    await notice.getByText("Title of somebody else").waitFor();
    await expectAccessible(page);
    await notice.getByRole("button", { name: "Apply my changes" }).click();
    await page.getByText("You and somebody else have changed: Title.").waitFor();
    await changes(page).getByText("Title of somebody else").waitFor();
    await save(page).click();
    await page.getByRole("heading", { level: 1, name: "Title of this user" }).waitFor();
    expect((await stateOf(id)).metadata).toEqual({
      ...DEMO_METADATA,
      ...unknown,
      title: "Title of this user",
      versionLabel: "2026.2",
    });
  });
});
