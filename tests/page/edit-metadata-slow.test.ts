/** @module-tag extended */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { submitAndArchive } from "../support/archive/archived-versions.ts";
import { expectAccessible, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };

test.skipIf(noChromium)("a change that is archived late is followed until the dataset has it", async () => {
  await using s3 = await startS3Server();
  await using service = await startTestService();
  const browser = await sharedBrowser();
  s3.addAccount(keys);
  s3.createBucket("slow");
  s3.put("slow", "a.csv", "one");
  const { dataset } = await submitAndArchive(service.api, { endpoint: s3.endpoint, bucket: "slow", ...keys });
  await using visiting = await visit(browser, `${service.url}/app/datasets/${dataset.id}/edit`);
  const { page } = visiting;
  await page.getByRole("textbox", { name: /^Title/ }).fill("Archived late");
  // A file in place of the staging area: nothing can be archived.
  const staging = join(service.archive, "staging");
  await rename(staging, `${staging}-away`);
  await writeFile(staging, "");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("The change is recorded and is being archived.").waitFor();
  expect(await page.getByRole("textbox", { name: /^Title/ }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await rm(staging);
  await rename(`${staging}-away`, staging);
  await page.getByRole("heading", { level: 1, name: "Archived late" }).waitFor();
  expect((await service.api.get(`/dataset/${dataset.id}/metadata`)).json.revision).toBe(2);
});
