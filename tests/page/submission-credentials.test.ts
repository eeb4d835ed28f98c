import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type StsServer, startStsServer } from "../support/data-source/sts-server.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { expectFocusInSight } from "../support/page/focus.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const old = { accessKey: "AKREVOKED", secretKey: "soon-of-no-use" };
const payer = { accessKey: "AKPAYER", secretKey: "secret-of-the-payer" };

describe.skipIf(noChromium)(`new credentials for a submission ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  let sts: StsServer;
  beforeAll(async () => {
    [browser, s3] = await Promise.all([sharedBrowser(), startS3Server()]);
    sts = await startStsServer(s3);
    service = await startTestService(sts.settings);
    s3.addAccount(payer);
  });
  afterAll(async () => {
    await service?.stop();
    await sts?.close();
    await s3?.close();
  });

  /** A submission that waits, because its access key was removed while the service read the bucket. */
  async function waiting(bucket: string): Promise<string> {
    s3.addAccount(old);
    s3.createBucket(bucket, { requesterPays: true });
    for (let n = 0; n < 12; n++) s3.put(bucket, `plots/${n}.csv`, { seed: `${n}`, size: 2_000 });
    s3.addFault({
      match: { operation: "get", bucket, key: /\/7/ },
      fault: { run: () => s3.removeAccount(old.accessKey) },
    });
    const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket, ...old, requesterPays: true });
    await service.api.until(id, ["waiting"]);
    return id;
  }

  test.each([
    ["en-GB", 1280, "Update credentials", "Access key", "Secret key", "I pay for reading the bucket", "Completed"],
    [
      "de-DE",
      390,
      "Zugangsdaten ändern",
      "Zugriffsschlüssel",
      "Geheimer Schlüssel",
      "Ich zahle für das Lesen des Buckets",
      "Abgeschlossen",
    ],
  ])(
    "read a bucket for which requesters pay only after the submitter has agreed to pay (%s)",
    async (locale, width, title, accessKey, secretKey, pays, completed) => {
      const id = await waiting(`paid-${width}`);
      await using visiting = await visit(browser, `${service.url}/app/submissions/${id}`, { locale, width });
      const { page } = visiting;
      await page.getByRole("button", { name: title }).press("Enter");
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByLabel(accessKey).fill(payer.accessKey);
      await dialog.getByRole("textbox", { name: secretKey }).fill(payer.secretKey);
      const checkbox = dialog.getByRole("checkbox", { name: pays });
      expect(await checkbox.isChecked()).toBe(false);
      await page.keyboard.press("Enter");
      await dialog.getByRole("alert").waitFor();
      await expectAccessible(page);
      await checkbox.press("Space");
      await dialog.getByRole("button", { name: title }).press("Enter");
      await page.locator("h1 + [data-tone]", { hasText: completed }).waitFor();
      await dialog.waitFor({ state: "detached" });
    },
  );

  test("can be a role instead of an access key", async () => {
    const arn = "arn:aws:iam::123456789012:role/barley-roots-reader";
    const { externalId } = (await service.api.get("/caller")).json.roleAccess;
    const id = await waiting("trusting");
    await using visiting = await visit(browser, `${service.url}/app/submissions/${id}`);
    const { page } = visiting;
    await page.getByRole("button", { name: "Update credentials" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Update credentials" });
    await dialog.locator("summary", { hasText: "A role instead of an access key" }).press("Enter");
    await dialog.getByText(externalId, { exact: true }).waitFor();
    await dialog.getByLabel("Role (ARN)").fill(arn);
    expect(await dialog.getByLabel("Access key", { exact: true }).isDisabled()).toBe(true);
    await expectFocusInSight(page);
    await dialog.getByRole("checkbox", { name: "I pay for reading the bucket" }).check();
    await dialog.getByLabel("Role (ARN)").press("Enter");
    await dialog.getByText("this service may not assume the role").waitFor();
    sts.roles.set(arn, { externalId });
    await dialog.getByLabel("Role (ARN)").press("Enter");
    await page.locator("h1 + [data-tone]", { hasText: "Completed" }).waitFor();
  });
});
