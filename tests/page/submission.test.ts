import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Submission } from "../support/api/api.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

describe.skipIf(noChromium)(`the submission page ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(), sharedBrowser()]);
    s3.addAccount(keys);
  });
  // Reads that are still blocked would occupy readers in the next test, also after a failure.
  afterEach(() => s3?.clearFaults());
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = ({ id }: Submission, visitor: Visitor = {}) =>
    visit(browser, `${service.url}/app/submissions/${id}`, visitor);
  const badge = (page: Page, status: string) => page.locator("h1 + [data-tone]", { hasText: status });
  const current = (page: Page) => page.locator("[aria-current=step]").innerText();

  const headed = (page: Page) => page.evaluate<boolean>("document.activeElement === document.querySelector('main h1')");
  const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

  function fill(bucket: string, objects = 12, size = 2_000): object {
    s3.createBucket(bucket);
    for (let n = 0; n < objects; n++) s3.put(bucket, `plots/${String(n).padStart(3, "0")}.csv`, { seed: `${n}`, size });
    return { endpoint: s3.endpoint, bucket, ...keys };
  }

  /** The connection test reads one of the first objects. */
  const hold = (bucket: string, key: RegExp) => s3.hold({ operation: "get", bucket, key });

  test("shows the progress from the transfer to the receipt, also after a reload", async () => {
    const access = fill("watched", 40, 100_000);
    const { release } = hold("watched", /plots\/03/);
    const submission = await service.api.submit(access);
    await using visiting = await open(submission);
    const { page } = visiting;
    await badge(page, "Transferring").waitFor();
    expect(await current(page)).toMatch(/Transferring/);
    await page.getByText("30 of 40").waitFor();
    await page.getByText("2.86 MiB of 3.81 MiB").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("img", { name: /^Transfer rate over time.*average/ }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole("img", { name: /^Transfer rate over time.*average/ }).waitFor();
    release();
    await page.getByRole("heading", { name: "Dataset archived" }).waitFor();
    await page.getByText("You can delete the source data.").waitFor();
    await page.getByText("this archive holds one copy").waitFor();
    await page.getByText("40 objects by their MD5 checksums").waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download signed receipt" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`receipt-${submission.id}.jws`);
    const receipt = await service.api.get(`/submission/${submission.id}/receipt`);
    expect(await readFile(await file.path(), "utf8")).toBe(receipt.text);
    await page.getByRole("link", { name: "View dataset" }).click();
    await page.waitForURL(/\/app\/datasets\//);
  });

  test("accepts new credentials after the old ones are revoked, and does not store them", {
    tags: "extended",
  }, async () => {
    const old = { accessKey: "AKREVOKED", secretKey: "soon-of-no-use" };
    s3.addAccount(old);
    const access = fill("revoked");
    s3.addFault({
      match: { operation: "get", bucket: "revoked", key: /005/ },
      fault: { run: () => s3.removeAccount(old.accessKey) },
    });
    const submission = await service.api.submit({ ...access, ...old });
    await using visiting = await open(submission);
    const { page } = visiting;
    await badge(page, "Waiting").waitFor();
    await page.getByText("Action required by you").waitFor();
    await page.getByText("credentials_rejected").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Update credentials" }).click();
    const dialog = page.getByRole("dialog", { name: "Update credentials" });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Update credentials");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Update credentials" }).click();
    expect(await dialog.getByText("This field is required.").count()).toBe(2);
    await expectFocusInSight(page);
    await dialog.getByLabel("Access key").fill(keys.accessKey);
    await dialog.getByRole("textbox", { name: "Secret key" }).fill("a wrong one");
    await dialog.getByRole("button", { name: "Update credentials" }).click();
    await dialog.getByText("secret_key_wrong").or(dialog.getByText("source_check_failed")).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("textbox", { name: "Secret key" }).fill(keys.secretKey);
    await page.keyboard.press("Enter");
    await badge(page, "Completed").waitFor();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => headed(page), { message: "the heading gets the focus when the button disappears" })
      .toBe(true);
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])");
    expect(kept).not.toContain(keys.secretKey);
    expect(kept).not.toContain(keys.accessKey);
  });

  test("cancels a submission after a confirmation", { tags: "extended" }, async () => {
    const access = fill("cancelled");
    hold("cancelled", /01/);
    const submission = await service.api.submit(access);
    await using visiting = await open(submission, { locale: "de-DE" });
    const { page } = visiting;
    await badge(page, "Übertragung").waitFor();
    await page.getByRole("button", { name: "Einreichung abbrechen" }).click();
    const dialog = page.getByRole("dialog", { name: "Diese Einreichung abbrechen?" });
    await expectAccessible(page);
    // Enter selects the safe answer.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect((await service.api.submission(submission.id)).status).toBe("transferring");
    await page.getByRole("button", { name: "Einreichung abbrechen" }).click();
    await dialog.getByRole("button", { name: "Einreichung abbrechen" }).click();
    await badge(page, "Abgebrochen").waitFor();
    await page.getByText("Die Datenquelle wurde nicht verändert.").waitFor();
    await expect.poll(() => headed(page)).toBe(true);
    expect(await page.getByRole("button", { name: "Einreichung abbrechen" }).count()).toBe(0);
    await expectAccessible(page);
  });

  test("lists unreadable objects, and excludes selected ones with a reason", {
    tags: "extended",
  }, async () => {
    const access = fill("unreadable");
    for (const key of ["plots/003.csv", "plots/007.csv"]) {
      s3.addFault({
        match: { operation: "get", bucket: "unreadable", key },
        fault: { status: 403, code: "AccessDenied" },
      });
    }
    const submission = await service.api.submit(access);
    await using visiting = await open(submission);
    const { page } = visiting;
    await page.getByText("2 objects cannot be read", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show unreadable objects" }).click();
    expect(await page.getByLabel("Status").inputValue()).toBe("failed");
    await page.getByText(/^2 files/).waitFor();
    await page.getByRole("row", { name: /plots\/007/ }).click();
    await page.getByRole("dialog", { name: "File" }).getByText("object_denied").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Exclude objects" }).click();
    const dialog = page.getByRole("dialog", { name: "Exclude objects" });
    await dialog.getByRole("checkbox", { name: "plots/003.csv" }).waitFor();
    await expectFocusInSight(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("Exclude objects");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Exclude 2 objects" }).click();
    await dialog.getByText("Enter a reason.").waitFor();
    await dialog.getByRole("checkbox", { name: "plots/003.csv" }).uncheck();
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The sensor was broken");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Exclude 1 object" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("1 object cannot be read", { exact: true }).waitFor();
    await page.getByText("1 object excluded", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Exclude objects" }).click();
    await dialog.getByRole("textbox", { name: "Reason" }).fill("This one, too");
    await dialog.getByRole("button", { name: "Exclude 1 object" }).click();
    await page.getByText("Do not delete the source data.").waitFor();
    await page.getByText("2 objects excluded").waitFor();
    await page.getByText("The sensor was broken").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Language").selectOption("Deutsch");
    await page.getByRole("tab", { name: "Protokoll" }).click();
    const log = page.getByRole("list", { name: "Protokoll, neueste Einträge zuerst" });
    await log.getByText("Begründung: The sensor was broken").waitFor();
    await log.getByText("Wartet: Nicht alle Objekte sind lesbar").waitFor();
    const unreadable = log.getByRole("listitem").filter({ hasText: "2 Objekte nicht lesbar" }).first();
    await unreadable.locator("summary").click();
    expect(await unreadable.locator("[lang=en]").innerText()).toContain("plots/00");
  });

  test("asks for credentials when a failed submission is retried, because the service has erased them", {
    tags: "extended",
  }, async () => {
    const access = fill("failed");
    const end = s3.addFault({ match: { operation: "get", bucket: "failed", key: /004/ }, fault: { status: 403 } });
    const submission = await service.api.submit(access);
    const { waiting } = await service.api.until(submission.id, ["waiting"]);
    await service.restart(async () => {
      const database = await service.database();
      const over = { status: "failed", waiting: null, resume_status: null, credentials: null, finished_at: new Date() };
      await database.queries
        .updateTable("submission")
        .set({ ...over, failure: JSON.stringify({ ...waiting, until: null }) } as never)
        .where("id", "=", submission.id)
        .execute();
      await database.close();
    });
    end();
    await using visiting = await open(submission);
    const { page } = visiting;
    await badge(page, "Failed").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Retry" }).click();
    const dialog = page.getByRole("dialog", { name: "Enter the credentials and retry" });
    await dialog.getByLabel("Access key").fill(keys.accessKey);
    await dialog.getByRole("textbox", { name: "Secret key" }).fill(keys.secretKey);
    await dialog.getByRole("button", { name: "Retry" }).click();
    await badge(page, "Completed").waitFor();
    await page.getByText("attempt 2").waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await page.getByText("Attempt 2: Retried").waitFor();
  });

  test("shows that the dataset was withdrawn, and does not say that the source data may be deleted", {
    tags: "extended",
  }, async () => {
    const submission = await service.api.submit(fill("withdrawn"));
    const { dataset } = await service.api.until(submission.id, ["completed"]);
    await service.api.post(`/dataset/${dataset?.id}/withdraw`, { reason: "sent too early" });
    await using visiting = await open(submission);
    const { page } = visiting;
    await badge(page, "Withdrawn").waitFor();
    await page.getByText(/by .*\. Reason: sent too early/).waitFor();
    await page.getByRole("button", { name: "Download signed receipt" }).waitFor();
    expect(await page.getByText("You can delete the source data").count()).toBe(0);
    await expectAccessible(page);
  });

  test("reports a submission that does not exist", { tags: "extended" }, async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    await using visiting = await open({ id } as Submission);
    await visiting.page.getByText("not_found").waitFor();
    await expectAccessible(visiting.page);
  });
});
