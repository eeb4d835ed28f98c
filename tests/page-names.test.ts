import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goodMetadata, type Submission } from "./support/api.ts";
import { ifSkipped, noChromium, startBrowser, visit } from "./support/browser.ts";
import { oddKeys } from "./support/odd-keys.ts";
import { type S3Server, startS3Server } from "./support/s3/server.ts";
import { startTestService, type TestService } from "./support/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "a-secret-that-nobody-sees" };
const TITLE = "Roots \u202ednuor denrut";
const SHOWN = "Roots ␦dnuor denrut";
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u200b\u202a-\u202e]/;

describe.skipIf(noChromium)(`names in which something hides are shown as they are ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let submission: Submission;

  beforeAll(async () => {
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(), startBrowser()]);
    s3.addAccount(keys);
    s3.createBucket("odd");
    for (const key of oddKeys) s3.put("odd", key, "odd");
    const s3Access = { endpoint: s3.endpoint, bucket: "odd", ...keys };
    const accepted = await service.api.submit(s3Access, { metadata: { ...goodMetadata, title: TITLE } });
    submission = await service.api.until(accepted.id, ["completed"]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await s3?.close();
  });

  const open = (path: string) => visit(browser, `${service.url}/app${path}`);
  const shown = (page: Page) => page.evaluate<string>("document.title + document.body.innerText");

  test("in the list and the submission", async () => {
    await using visiting = await open("/");
    const { page } = visiting;
    await page.getByRole("link", { name: SHOWN }).click();
    await page.getByRole("heading", { level: 1, name: SHOWN }).waitFor();
    await page.getByLabel("Begins with").fill("data/right");
    const row = page.getByRole("row", { name: "right␦to-left" });
    await row.waitFor();
    await row.click();
    await page.getByRole("dialog", { name: "File" }).getByText("right␦to-left").last().waitFor();
    expect(await shown(page)).not.toMatch(HIDDEN);
  });

  test("in the dataset and its citations", async () => {
    await using visiting = await open(`/datasets/${submission.dataset?.id}`);
    const { page } = visiting;
    await page.getByRole("heading", { level: 1, name: SHOWN }).waitFor();
    const cite = page.getByRole("region", { name: "Cite" });
    await cite.getByText(SHOWN).waitFor();
    expect(await shown(page)).not.toMatch(HIDDEN);
    await cite.getByText("RIS", { exact: true }).click();
    await cite.locator("pre").getByText(SHOWN).waitFor();
  });

  test.each([
    "line\nfeed",
    "question?mark#hash",
    "back\\slash",
    '<tag>&amp;"quotes"\'',
    "trailing dot.",
    ".leading dot",
    " leading space",
  ])("and %j is checked under the name that it is saved by", async (key) => {
    const { json: files } = await service.api.get(`/dataset/${submission.dataset?.id}/files?limit=1000`);
    const { path, sha512 } = files.find((one: { path: string }) => one.path === `data/${key}`);
    await using visiting = await open(`/datasets/${submission.dataset?.id}?${new URLSearchParams({ file: path })}`);
    const { page } = visiting;
    const dialog = page.getByRole("dialog");
    const saving = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    const name = (await saving).suggestedFilename();
    const command = (await dialog.locator("code").last().textContent()) ?? "";
    expect(command).toBe(`echo '${sha512}  ${name.replaceAll("'", "'\\''")}' | sha512sum --check`);
  });
});
