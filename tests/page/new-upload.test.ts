import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { LocalFolders, pathsIn, problem, UploadForm } from "../support/page/upload-form.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FILES = {
  "README.md": "# Barley roots\n",
  "plots/2024.csv": "plot;depth\n1;20\n",
  "plots/2025.csv": "plot;depth\n1;25\n",
  "plots/empty.csv": "",
};

describe.skipIf(noChromium)(`an upload in the submission form ${ifSkipped}`, () => {
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

  async function open() {
    const visiting = await visit(browser, `${service.url}/app/new`);
    await visiting.page.getByRole("radio", { name: "Upload from this computer" }).check();
    return Object.assign(visiting, { form: new UploadForm(visiting.page) });
  }

  async function archived(id: string): Promise<string[]> {
    const { dataset } = await service.api.until(id, ["completed"]);
    const files = await service.api.get(`/dataset/${dataset?.id}/files`);
    return files.json.map(({ path }: { path: string }) => path);
  }

  test("sends a folder while the form is filled in, and is submitted and archived", async () => {
    const chosen = await folders.write("first", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    await form.choose(chosen);
    await form.status("All files have arrived");
    await page.getByText("4 of 4 files").waitFor();
    await expectAccessible(page);
    await form.go(/^Review/);
    await page.getByRole("region", { name: "Data source" }).getByText("4 files").waitFor();
    const id = await form.submit("Barley roots, uploaded");
    expect((await archived(id)).filter((path) => path.startsWith("data/"))).toEqual(
      Object.keys(FILES).map((path) => `data/${path}`),
    );
    expect((await service.api.get("/uploads")).json).toEqual([]);
    expect(await page.evaluate("localStorage.getItem('accession.draft')")).toBeNull();
  });

  test("continues after a reload with what is missing, replaces a changed file, and names files that were not chosen", async () => {
    const big = Buffer.alloc(5 << 20, "roots");
    const chosen = await folders.write("reloaded", { ...FILES, "scan.bin": big, "gone.csv": "1;2\n" });
    await using visiting = await open();
    const { page, form } = visiting;
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      return dialog.accept();
    });
    const release = await form.intercept(["plots/2025.csv", "scan.bin"], () => undefined);
    await form.choose(chosen);
    await page.getByText("4 of 6 files").waitFor();
    const [upload = expect.fail("none")] = (await service.api.get("/uploads")).json;
    const { at } = await tus.file(upload.files, "scan.bin", big);
    await tus.patch(at, 0, big.subarray(0, 3 << 20));
    await page.reload();
    expect(dialogs).toEqual(["beforeunload"]);
    await release();
    await form.status("Choose the same folder again to continue");
    await form.go(/^Review/);
    await form.button("Submit dataset").click();
    await page.getByText("Choose the same folder again in the section “Data source”").first().waitFor();
    await form.go(/^Data source/);

    await folders.write("reloaded", { "README.md": "# Barley roots, changed\n" });
    await rm(join(chosen, "gone.csv"));
    const sent = form.note();
    await form.choose(chosen);
    await page.getByText("1 file of the upload is not in what you chose.").waitFor();
    await page.getByText("6 of 6 files").waitFor();
    // Perhaps another folder was chosen, and files of this one were never sent.
    await form.status("Choose the same folder again to continue");
    expect(sent.sort()).toEqual(["DELETE", `PATCH ${3 << 20}`, "POST README.md", "POST plots/2025.csv"]);
    await form.button("Remove from the upload").click();
    await page.getByText("5 of 5 files").waitFor();
    await form.status("All files have arrived");

    const id = await form.submit("Barley roots, after a reload");
    expect(await archived(id)).not.toContain("data/gone.csv");
    const { dataset } = await service.api.until(id, ["completed"]);
    const { json } = await service.api.get(`/dataset/${dataset?.id}/files`);
    const digests = new Map(json.map((file: { path: string; sha512: string }) => [file.path, file.sha512]));
    expect(digests.get("data/README.md")).toBe(sha512(Buffer.from("# Barley roots, changed\n")));
    expect(digests.get("data/scan.bin")).toBe(sha512(big));
  });

  test("a folder and a file can be dropped, and empty folders are named", async () => {
    const plots = await folders.write("dropped/plots", { "2025.csv": "1", "sub/2024.csv": "2" });
    await mkdir(join(plots, "nothing"));
    const readme = join(await folders.write("dropped", { "README.md": "#" }), "README.md");
    await using visiting = await open();
    const { page, form } = visiting;
    await form.drop([plots, readme]);
    await form.status("All files have arrived");
    await page.getByText("1 empty folder is not uploaded").waitFor();
    await form.row("plots/nothing").waitFor();
    await form.drop([plots]);
    await page.getByText("5 of 5 files").waitFor();
    const [upload = expect.fail("none")] = (await service.api.get("/uploads")).json;
    const { files } = (await service.api.get(`/uploads/${upload.id}/files`)).json;
    expect(files.map(({ path }: { path: string }) => path)).toEqual([
      "2025.csv",
      "README.md",
      "plots/2025.csv",
      "plots/sub/2024.csv",
      "sub/2024.csv",
    ]);
  });

  test("a file that cannot be sent is explained, and is tried again, removed or chosen again", async () => {
    const chosen = await folders.write("failing", { ...FILES, "a.csv": "1", "b.csv": "2", "c.csv": "3", "d.csv": "4" });
    await using visiting = await open();
    const { page, form } = visiting;
    let release = await form.intercept(["a.csv"], problem(460, "upload_digest_wrong"));
    await form.choose(chosen);
    await form.status("Some files are not complete");
    await page.getByText("1 file could not be sent").waitFor();
    await form.row("a.csv").getByText("The bytes that arrived differ from the file.").waitFor();
    await expectAccessible(page);
    await release();
    await form.button("Try again: a.csv").click();
    await form.status("All files have arrived");

    // Four files that are too large for batches are sent at a time, so the fifth is read after it was changed.
    const held: Route[] = [];
    const names = ["1", "2", "3", "4", "5"].map((name) => `late-${name}.csv`);
    const late = await folders.write(
      "late",
      Object.fromEntries(names.map((name) => [name, Buffer.alloc((1 << 20) + 1, name)])),
    );
    release = await form.intercept(names, (route) => held.push(route));
    await form.choose(late);
    await expect.poll(() => held.length).toBe(4);
    await folders.write("late", { "late-5.csv": "longer than before" });
    await release();
    await form.row("late-5.csv").getByText("The browser can no longer read this file.").waitFor();
    await form.choose(late);
    await form.status("All files have arrived");
    await page.getByText("13 of 13 files").waitFor();

    // The page is loaded again while it compares the rest with the upload.
    const comparing: Route[] = [];
    await page.route(/\/uploads\/[^/]+$/, (route) => comparing.push(route), { times: 1 });
    await form.button("Remove late-5.csv").press("Enter");
    await page.getByText("12 of 12 files").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Remove late-4.csv");
    await expect.poll(() => comparing.length).toBe(1);
    await expect.poll(() => page.evaluate("Object.values({ ...localStorage }).join()")).toContain('"uploadFiles":12');
    await page.reload();
    await form.status("All files have arrived");
  });

  test("a problem of the service stops the upload with words for the person who must act, and it can be discarded", async () => {
    const chosen = await folders.write("stopped", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    const release = await form.intercept(Object.keys(FILES), problem(507, "no_space"));
    await form.choose(chosen);
    await form.status("Sending has stopped");
    await page.getByRole("alert").getByRole("code").getByText("no_space").waitFor();
    await release();
    await form.button("Retry").click();
    await form.status("All files have arrived");

    const plots = await folders.write("other-plots", { "other.csv": "1" });
    for (const [answer, words] of [
      [problem(423, "upload_taken_over"), "upload_taken_over"],
      [(route: Route) => route.fulfill({ status: 413, body: "<html>" }), "refused a request (status 413)"],
    ] as const) {
      const restore = await form.intercept(["other.csv"], answer);
      await form.choose(plots);
      await page.getByRole("alert").getByText(words).first().waitFor();
      await restore();
      await form.button(/^(Retry|Try again)$/).click();
      await form.status("All files have arrived");
      await form.button("Remove other.csv").click();
      await page.getByText("4 of 4 files").waitFor();
    }
    const before = (await service.api.get("/uploads")).json.length;
    await form.button("Discard upload").click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard upload" }).press("Enter");
    await page.getByText("Drop a folder or files here").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('#field-upload') !== null")).toBe(true);
    expect((await service.api.get("/uploads")).json).toHaveLength(before - 1);
  });

  test("sending is paused and continued, and an upload that others have deleted is explained", async () => {
    const chosen = await folders.write("paused", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    const release = await form.intercept(["README.md"], () => undefined);
    await form.choose(chosen);
    await page.getByText("3 of 4 files").waitFor();
    await form.go(/^Description/);
    await form.go(/^Data source Files are being sent/);
    await form.button("Pause").click();
    await form.status("Sending is paused");
    await release();
    await form.button("Continue").click();
    await form.status("All files have arrived");
    for (const { id } of (await service.api.get("/uploads")).json)
      await service.api.send(`/uploads/${id}`, { method: "DELETE" });
    await form.choose(await folders.write("paused-more", { "more.csv": "1" }));
    await page.getByText("This upload no longer exists").waitFor();
    await form.button("Send the chosen files to a new upload").click();
    await page.getByText("5 of 5 files").waitFor();
    await form.status("All files have arrived");
    for (const { id } of (await service.api.get("/uploads")).json)
      await service.api.send(`/uploads/${id}`, { method: "DELETE" });
    await page.reload();
    await page.getByText("This upload no longer exists").waitFor();
    await expectAccessible(page);
    await form.button("Start a new upload").click();
    await page.getByText("Drop a folder or files here").waitFor();
  });

  test("5,000 files are sent once each, with a reload in the middle, and one that has changed is sent again", {
    tags: "extended",
  }, async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `plot-${index % 50}/${index}.csv`);
    const many = await folders.write("many", Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    await using visiting = await open();
    const { page, form } = visiting;
    const sent = form.note();
    // Six batches arrive, and four do not.
    const held: number[] = [];
    const interrupted = Promise.withResolvers<void>();
    let arrived = 0;
    await page.route(/\/batch$/, (route) => {
      arrived += 1;
      if (arrived <= 6) return route.continue();
      held.push(pathsIn(route.request()).length);
      if (held.length === 4) interrupted.resolve();
    });
    await form.choose(many);
    await interrupted.promise;
    await page.reload();
    await page.unroute(/\/batch$/);
    await form.status("Choose the same folder again to continue");
    await folders.write("many", { "plot-0/0.csv": "changed\n" });
    await form.choose(many);
    await page.getByText("5,000 of 5,000 files").waitFor({ timeout: 0 });
    await form.status("All files have arrived");
    expect(sent.filter((request) => request === "DELETE")).toHaveLength(1);
    expect(sent.filter((request) => request === "POST plot-0/0.csv")).toHaveLength(2);
    // What the reload has interrupted, and the changed file, are sent again.
    expect(sent).toHaveLength(5_000 + held.reduce((sum, files) => sum + files, 0) + 2);
    const id = await form.submit("Many small files");
    const { progress } = await service.api.until(id, ["completed"]);
    expect(progress).toMatchObject({ objectsStored: 5_000 });
  });
});
