import { randomBytes } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { sendBatch } from "../support/api/upload-batch.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
import { LocalFolders, problem, UploadForm } from "../support/page/upload-form.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FILES = { "README.md": "# Barley roots\n", "2024.csv": "plot;depth\n1;20\n", "2025.csv": "plot;depth\n1;25\n" };

describe.skipIf(noChromium)(`an upload that other tabs and programs use ${ifSkipped}`, () => {
  let service: TestService;
  let browser: Browser;
  let folders: LocalFolders;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    [service, browser, folders] = await Promise.all([startTestService(), sharedBrowser(), LocalFolders.open()]);
  });
  afterAll(async () => {
    await service?.stop();
    await folders?.[Symbol.asyncDispose]();
  });

  async function open(visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app/new`, visitor);
    await visiting.page
      .getByRole("radio", { name: /^(Upload from this computer|Von diesem Computer hochladen)/ })
      .check();
    return Object.assign(visiting, { form: new UploadForm(visiting.page) });
  }

  async function newest(): Promise<{ id: string; files: string }> {
    const [upload = expect.fail("no upload")] = (await service.api.get("/uploads")).json;
    return upload;
  }

  async function fileOf({ files }: { files: string }, path: string): Promise<string> {
    const { json } = await service.api.get(files);
    return json.files.find((one: { path: string }) => one.path === path)?.url ?? expect.fail(`no ${path}`);
  }

  async function clearForm(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Clear form" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear form" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  test("a form that is cleared in another tab does not stop the upload", async () => {
    const chosen = await folders.write("cleared", FILES);
    await using visiting = await open();
    const { page, form, context } = visiting;
    let release = await form.intercept(["2025.csv"], () => undefined);
    await form.choose(chosen);
    await page.getByText("2 of 3 files").waitFor();
    const other = await context.newPage();
    await other.goto(`${service.url}/app/new`);
    await new UploadForm(other).status("Choose the same folder again to continue");
    await clearForm(other);
    await page.getByText("Draft not saved: it was changed in another tab.").waitFor();
    await form.status("Sending files");
    await form.button("Pause").click();
    await release();
    await form.button("Continue").click();
    await form.status("All files have arrived");

    // While the first tab shows another page.
    await page.getByRole("button", { name: "Load the other draft and discard this one" }).click();
    await page.getByRole("radio", { name: "Upload from this computer" }).check();
    await page.getByText("Drop a folder or files here").waitFor();
    release = await form.intercept(["2025.csv"], () => undefined);
    await form.choose(chosen);
    await page.getByText("2 of 3 files").waitFor();
    await page.getByRole("link", { name: "Datasets" }).click();
    // It may have opened the upload before the first files arrived.
    await other.getByRole("button", { name: "Discard upload" }).waitFor();
    await clearForm(other);
    await page.getByRole("link", { name: "New submission" }).first().click();
    // The list of before, without this upload, is not shown again.
    const listing: Route[] = [];
    await page.route(/\/uploads$/, (route) => listing.push(route), { times: 1 });
    await page.getByRole("radio", { name: "Upload from this computer" }).check();
    await expect.poll(() => listing.length).toBe(1);
    expect(await page.getByText("Uploads that were not submitted").count()).toBe(0);
    await listing[0]?.continue();
    await page
      .getByRole("button", { name: /^Continue the upload of / })
      .first()
      .click();
    await page.getByText("2 of 3 files").waitFor();
    await form.button("Pause").click();
    await release();
    await form.button("Continue").click();
    await form.status("All files have arrived");
  });

  test("files that others remove, replace or add are noticed, and are not submitted unseen", async () => {
    const chosen = await folders.write("changed", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    const release = await form.intercept(["2025.csv"], () => undefined);
    await form.choose(chosen);
    await page.getByText("2 of 3 files").waitFor();
    const upload = await newest();
    await tus.request("DELETE", await fileOf(upload, "README.md"));
    await form.button("Pause").click();
    await release();
    await form.button("Continue").click();
    await form.status("Some files are not complete");
    await form.row("README.md").getByText("has removed this file from the upload").waitFor();
    await expectAccessible(page);
    await form.button("Try again: README.md").click();
    await form.status("All files have arrived");

    await tus.request("DELETE", await fileOf(upload, "2024.csv"));
    await sendBatch(service.api, upload.id, [{ path: "2024.csv", bytes: Buffer.from("other") }]);
    await form.send("Barley roots, changed by others");
    await page.getByRole("alert").getByText("upload_changed").waitFor();
    await form.go(/^Data source/);
    await form.status("Some files are not complete");
    await form.row("2024.csv").getByText("has replaced this file in the upload").waitFor();
    await form.button("Try again: 2024.csv").click();
    await form.status("All files have arrived");

    await sendBatch(service.api, upload.id, [{ path: "more.csv", bytes: Buffer.from("1") }]);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByText("1 file of the upload is not in what you chose.").waitFor();
    await form.button("Remove more.csv").click();
    // Before that, all files have arrived, too.
    await form.button("Remove more.csv").waitFor({ state: "detached" });
    await form.status("All files have arrived");
    const id = await form.submit("Barley roots, as chosen");
    const { dataset } = await service.api.until(id, ["completed"]);
    const { json } = await service.api.get(`/dataset/${dataset?.id}/files`);
    const archived = json.map(({ path }: { path: string }) => path).filter((path: string) => path.startsWith("data/"));
    expect(archived).toEqual(["data/2024.csv", "data/2025.csv", "data/README.md"]);
  });

  test("a file that others have replaced is not taken for the chosen one when the page is loaded again", async () => {
    const chosen = await folders.write("replaced", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    page.on("dialog", (dialog) => dialog.accept());
    await form.choose(chosen);
    await form.status("All files have arrived");
    const upload = await newest();
    await tus.request("DELETE", await fileOf(upload, "2024.csv"));
    await sendBatch(service.api, upload.id, [{ path: "2024.csv", bytes: Buffer.from("other") }]);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await form.status("Some files are not complete");
    await expect.poll(() => page.evaluate("Object.values({ ...localStorage }).join()")).toContain('"uploadFiles":0');
    await page.reload();
    await form.status("Choose the same folder again to continue");
    await form.choose(chosen);
    await form.status("All files have arrived");
  });

  test("the browser asks before the page is left while chosen files have not arrived, and not afterwards", async () => {
    const chosen = await folders.write("left", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    /** Whether the browser asks when the page is left. */
    const isAsked = async () => {
      const before = asked.length;
      await page.evaluate("setTimeout(() => location.assign('../app/datasets'))");
      await expect.poll(() => asked.length > before || !page.url().endsWith("/app/new")).toBe(true);
      return asked.length > before;
    };
    const release = await form.intercept(["2025.csv"], problem(507, "no_space"));
    await form.choose(chosen);
    await form.status("Sending has stopped");
    expect(await isAsked()).toBe(true);
    await release();
    const hold = await form.intercept(["2025.csv"], () => undefined);
    await form.button("Retry").click();
    await form.status("Sending files");
    await form.button("Pause").click();
    await form.status("Sending is paused");
    expect(await isAsked()).toBe(true);
    await hold();
    await form.button("Continue").click();
    await form.status("All files have arrived");
    expect(await isAsked()).toBe(false);
  });

  test("files that are added to an upload that was whole do not ask for its folder again", async () => {
    await using visiting = await open();
    const { page, form } = visiting;
    await form.choose(await folders.write("whole", FILES));
    await form.status("All files have arrived");
    await page.reload();
    await form.status("All files have arrived");
    await form.choose(await folders.write("whole-more", { "2026.csv": "plot;depth\n1;30\n" }));
    await page.getByText("4 of 4 files").waitFor();
    await form.status("All files have arrived");
    await page.getByText("compared each file with the checksum that was sent with it").waitFor();
  });

  test("German texts say what was compared, and what to do with a path that is taken", async () => {
    const { id } = await tus.upload();
    const named = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `${n}.csv`, bytes: Buffer.from("1") }));
    await sendBatch(service.api, id, [...named(50), { path: "bare.csv", bytes: Buffer.from("1"), sha512: null }]);
    await using visiting = await open({ locale: "de-DE" });
    const { page, form } = visiting;
    await page
      .getByRole("button", { name: /^Upload vom .* fortsetzen$/ })
      .first()
      .click();
    const release = await form.intercept(["2025.csv"], problem(409, "upload_path_taken"));
    await form.choose(await folders.write("german", { "2025.csv": "1" }));
    await page.getByText("51 Dateien des Uploads sind nicht in Ihrer Auswahl.").waitFor();
    await page.getByText("Anzeigen", { exact: true }).click();
    await page.getByText("… und 1 weiterer Name").waitFor();
    await form.button("Nicht gesendet (1)").click();
    await form
      .row("2025.csv")
      .getByText("Um sie durch Ihre Datei zu ersetzen, wählen Sie „Erneut versuchen“.")
      .waitFor();
    await release();
    await form.button("Erneut versuchen: 2025.csv").click();
    await form.button("Nur verwenden, was angekommen ist").click();
    await form.status("Alle Dateien sind angekommen");
    await page.getByText("1 Datei wurde ohne Prüfsumme gesendet, sodass nur ihre Größe bekannt ist.").waitFor();
    await expectAccessible(page);
  });

  test("files of the command, which states digests when all has arrived, are continued and not replaced", async () => {
    const large = randomBytes(9 << 20);
    const chosen = await folders.write("of the command", {
      "begun.bin": "",
      "whole.bin": "",
      "other.bin": "",
      ...FILES,
    });
    for (const name of ["begun.bin", "whole.bin", "other.bin"]) await writeFile(join(chosen, name), large);
    const { mtimeMs } = await stat(join(chosen, "begun.bin"));
    const upload = await tus.upload();
    const lastModified = String(Math.trunc(mtimeMs));
    const addresses: Record<string, string> = {};
    for (const path of ["begun.bin", "whole.bin", "other.bin"]) {
      const created = await tus.create(upload.files, path, large.length, { lastModified });
      addresses[path] = created.headers.get("location") ?? "";
    }
    await tus.patch(addresses["begun.bin"] ?? "", 0, large.subarray(0, 5 << 20));
    await tus.patch(addresses["whole.bin"] ?? "", 0, large);
    // Other bytes are found by the digest at the end.
    await tus.patch(addresses["other.bin"] ?? "", 0, Buffer.alloc(5 << 20));
    await using visiting = await open();
    const { page, form } = visiting;
    await page
      .getByRole("button", { name: /Continue/ })
      .first()
      .click();
    const noted = form.note();
    await form.choose(chosen);
    await form.status("All files have arrived");
    expect(noted.filter((one) => one.startsWith("DELETE"))).toHaveLength(1);
    expect(noted).toContain(`PATCH ${5 << 20}`);
    const { json } = await service.api.get(upload.files);
    const stated = json.files.map((file: { path: string; sha512: string }) => [file.path, file.sha512]);
    for (const path of Object.keys(addresses)) expect(stated).toContainEqual([path, sha512(large)]);
    expect(await fileOf(upload, "begun.bin")).toBe(addresses["begun.bin"]);
    expect(await fileOf(upload, "whole.bin")).toBe(addresses["whole.bin"]);
    expect(await fileOf(upload, "other.bin")).not.toBe(addresses["other.bin"]);
  });
});
