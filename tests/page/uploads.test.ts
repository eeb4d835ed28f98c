import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TusClient } from "../support/api/tus-client.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`submissions of uploads ${ifSkipped}`, () => {
  let service: TestService;
  let browser: Browser;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), sharedBrowser()]);
  });
  afterAll(() => service?.stop());

  test("are not shown as buckets, and only what was sent may be deleted", async () => {
    const { id, files } = await tus.upload();
    await tus.send(files, "plots/2025.csv", Buffer.from("plot;depth\n1;20\n"));
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    await using visiting = await visit(browser, `${service.url}/app/submissions/${json.id}`);
    const { page } = visiting;
    await page.getByText("Uploaded files").waitFor();
    await page.getByText("You can delete the files that were sent.").waitFor();
    await page.getByText("Files that were not sent are not covered").first().waitFor();
    await page.getByText("Every file that was sent was stored").first().waitFor();
    await page.getByText("ask the operator whether there is a second copy").waitFor();
    const about = await page.locator("main").innerText();
    expect(about).not.toContain(id);
    await page.goto(`${service.url}/app/receipts/${json.id}`);
    await page.getByText("Yes. You can delete the files that were sent.").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Bucket");
    await expectAccessible(page);
    await page.goto(`${service.url}/app/`);
    await page.getByText("Uploaded files").waitFor();
    expect(await page.locator("main").innerText()).not.toContain(id);
  });
});
