/** @module-tag extended */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { UploadForm } from "../support/page/upload-form.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe.skipIf(noChromium)(`uploads of signed-in users ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let folder: string;
  let tokens: Tokens;

  beforeAll(async () => {
    [browser, service, folder] = await Promise.all([
      sharedBrowser(),
      startTestService(TOKENS),
      mkdtemp(join(tmpdir(), "accession-upload-signed-in-")),
    ]);
    tokens = await Tokens.open(service);
    for (const name of ["a.csv", "b.csv"]) await writeFile(join(folder, name), name);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel("Access token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("radio", { name: "Upload from this computer" }).check();
  }

  test("signing out stops the sending, and the upload is offered to its owner only", async () => {
    const ada = (await tokens.create("ada", "submitter")).token;
    const bob = (await tokens.create("bob", "submitter")).token;
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    await signIn(page, ada);
    const aborted: string[] = [];
    page.on("requestfailed", (request) => aborted.push(request.method()));
    const stopped = page.waitForEvent("requestfailed");
    const release = await new UploadForm(page).intercept(["a.csv"], () => undefined);
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    await page.getByText("1 of 2 files").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await stopped;
    expect(aborted).toEqual(["POST"]);
    await release();

    await signIn(page, bob);
    await page.getByText("Drop a folder or files here").waitFor();
    expect(await page.getByText("Uploads that were not submitted").count()).toBe(0);
    await page.getByRole("button", { name: "Sign out" }).click();

    await signIn(page, ada);
    await page.getByText("Uploads that were not submitted").waitFor();
    await expectAccessible(page);
    // Another program has sent a part of a file.
    const [open] = (await service.api.get("/uploads", bearer(ada))).json;
    const tus = new TusClient(() => service.api);
    const headers = { ...bearer(ada), "upload-concat": "partial", "upload-length": "0" };
    const part = await tus.request("POST", open.files, headers);
    await page.reload();
    await page.getByText("1 part of a file that is not joined").waitFor();
    await tus.request("DELETE", part.headers.get("location") ?? "", bearer(ada));
    await page.getByRole("button", { name: /^Continue the upload of / }).click();
    await page.getByRole("heading", { name: "Choose the same folder again to continue" }).waitFor();
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    await page.getByRole("heading", { name: "All files have arrived" }).waitFor();
    const { json } = await service.api.get("/uploads", bearer(ada));
    expect(json).toEqual([expect.objectContaining({ fileCount: 2, incompleteFiles: 0 })]);
    expect((await service.api.get("/uploads", bearer(bob))).json).toEqual([]);
  });

  test("a token that is rejected in the middle pauses the upload, which continues when its owner has signed in again", async () => {
    const [first, second] = [await tokens.create("eva", "submitter"), await tokens.create("eva", "submitter")];
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    const form = new UploadForm(page);
    await signIn(page, first.token);
    const held: Route[] = [];
    const release = await form.intercept(["b.csv"], (route) => held.push(route));
    await form.choose(folder);
    await page.getByText("1 of 2 files").waitFor();
    await tokens.revoke(first.id);
    for (const route of held) await route.continue();
    await page.getByText("Files of your upload wait in this window.").waitFor();
    await expectAccessible(page);
    await release();
    await page.getByLabel("Access token", { exact: true }).fill(second.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await form.status("All files have arrived");
    expect((await service.api.get("/uploads", bearer(second.token))).json).toMatchObject([{ fileCount: 2 }]);

    // Before the upload was created.
    await form.button("Discard upload").click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard upload" }).click();
    await page.getByText("Drop a folder or files here").waitFor();
    await tokens.revoke(second.id);
    await form.choose(folder);
    await page.getByText("Files of your upload wait in this window.").waitFor();
    const third = (await tokens.create("eva", "submitter")).token;
    await page.getByLabel("Access token", { exact: true }).fill(third);
    await page.getByRole("button", { name: "Sign in" }).click();
    await form.status("All files have arrived");
  });

  test("another user who signs in after a rejected token sends nothing, and sees no files", async () => {
    const carl = await tokens.create("carl", "submitter");
    const dora = (await tokens.create("dora", "submitter")).token;
    await using visiting = await visit(browser, `${service.url}/app/new`);
    const { page } = visiting;
    const form = new UploadForm(page);
    await signIn(page, carl.token);
    const held: Route[] = [];
    const release = await form.intercept(["b.csv"], (route) => held.push(route));
    await form.choose(folder);
    await page.getByText("1 of 2 files").waitFor();
    await tokens.revoke(carl.id);
    for (const route of held) await route.continue();
    await page.getByText("Files of your upload wait in this window.").waitFor();
    await release();
    const sent = form.note();
    await signIn(page, dora);
    await page.getByText("Drop a folder or files here").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, (await tokens.create("carl", "submitter")).token);
    await page.getByRole("heading", { name: "Choose the same folder again to continue" }).waitFor();
    expect(sent).toEqual([]);
    expect((await service.api.get("/uploads", bearer(dora))).json).toEqual([]);
  });

  test("are not offered by a service that accepts none", async () => {
    await using other = await startTestService({ ACCESSION_UPLOADS: "off" });
    await using visiting = await visit(browser, `${other.url}/app/new`);
    const { page } = visiting;
    await page.getByRole("textbox", { name: "Endpoint" }).waitFor();
    expect(await page.getByRole("radio", { name: "Upload from this computer" }).count()).toBe(0);
    expect((await other.api.get("/service")).json).toMatchObject({ acceptsUploads: false });
  });
});
