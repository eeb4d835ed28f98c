import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page, Request, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import {
  expectAccessible,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visitor,
  visit,
} from "../support/page/browser.ts";
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
  let folder: string;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    [service, browser, folder] = await Promise.all([
      startTestService(),
      sharedBrowser(),
      mkdtemp(join(tmpdir(), "accession-upload-page-")),
    ]);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function write(name: string, files: Record<string, string | Buffer>): Promise<string> {
    const at = join(folder, name);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(at, path)), { recursive: true });
      await writeFile(join(at, path), content);
    }
    return at;
  }

  async function open(visitor: Visitor = {}) {
    const visiting = await visit(browser, `${service.url}/app/new`, visitor);
    await visiting.page.getByRole("radio", { name: /Upload from this computer|Von diesem Computer/ }).check();
    return visiting;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const choose = (page: Page, path: string) => page.locator("input[webkitdirectory]").setInputFiles(path);
  const status = (page: Page, words: string) => page.getByRole("heading", { level: 3, name: words }).waitFor();
  const go = (page: Page, part: RegExp) =>
    page.getByRole("navigation", { name: "Sections of the form" }).getByRole("button", { name: part }).click();

  async function submit(page: Page, title: string): Promise<string> {
    await go(page, /^Description/);
    await page.getByRole("textbox", { name: "Title", exact: true }).fill(title);
    await go(page, /^Authors/);
    await page.getByRole("textbox", { name: "Last name", exact: true }).fill("Carberry");
    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.waitForURL(/\/app\/submissions\/[0-9a-f-]{36}$/);
    return page.url().split("/").at(-1) ?? "";
  }

  /** The path of the file that a request creates; undefined for other requests. */
  function pathIn(request: Request): string | undefined {
    const [, path] = /^path ([^,]*)/.exec(request.headers()["upload-metadata"] ?? "") ?? [];
    return path === undefined ? undefined : Buffer.from(path, "base64").toString("utf8");
  }

  /** Answers requests that create a file at one of these paths, until the returned function is called. */
  async function intercept(page: Page, paths: readonly string[], answer: (route: Route) => unknown) {
    const handler = (route: Route) => {
      const path = pathIn(route.request());
      return path !== undefined && paths.includes(path) ? void answer(route) : route.continue();
    };
    await page.route("**/uploads/*/files", handler);
    return () => page.unroute("**/uploads/*/files", handler);
  }

  /** Notes what is sent: `POST path` and `PATCH offset`. */
  function note(page: Page): string[] {
    const noted: string[] = [];
    page.on("request", (request) => {
      const path = pathIn(request);
      if (path !== undefined) noted.push(`POST ${path}`);
      if (request.method() === "PATCH") noted.push(`PATCH ${request.headers()["upload-offset"]}`);
      if (request.method() === "DELETE") noted.push("DELETE");
    });
    return noted;
  }

  const problem = (status: number, code: string) => (route: Route) =>
    route.fulfill({
      status,
      contentType: "application/problem+json",
      body: JSON.stringify({
        title: code,
        status,
        code,
        detail: code,
        action: "-",
        fault: "submitter",
        retryable: true,
      }),
    });

  /** Drops files and folders of this computer where the page asks for them. */
  async function drop(page: Page, files: string[]): Promise<void> {
    const zone = page.getByText(/^Drop .* here$/);
    await zone.scrollIntoViewIfNeeded();
    const { x, y } = (await zone.boundingBox()) ?? expect.fail("not shown");
    const browserSession = await page.context().newCDPSession(page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await browserSession.send("Input.dispatchDragEvent", { type, x: x + 5, y: y + 5, data });
  }

  const row = (page: Page, path: string) => page.getByRole("listitem").filter({ hasText: path });

  async function archived(id: string): Promise<string[]> {
    const { dataset } = await service.api.until(id, ["completed"]);
    const files = await service.api.get(`/dataset/${dataset?.id}/files`);
    return files.json.map(({ path }: { path: string }) => path);
  }

  test("sends a folder while the form is filled in, and is submitted and archived", async () => {
    const chosen = await write("first", FILES);
    await using visiting = await open();
    const { page } = visiting;
    await choose(page, chosen);
    await status(page, "All files have arrived");
    await page.getByText("4 of 4 files").waitFor();
    await expectAccessible(page);
    await go(page, /^Review/);
    await page.getByRole("region", { name: "Data source" }).getByText("4 files").waitFor();
    const id = await submit(page, "Barley roots, uploaded");
    expect((await archived(id)).filter((path) => path.startsWith("data/"))).toEqual(
      Object.keys(FILES).map((path) => `data/${path}`),
    );
    expect((await service.api.get("/uploads")).json).toEqual([]);
    expect(await page.evaluate("localStorage.getItem('accession.draft')")).toBeNull();
  });

  test("continues after a reload with what is missing, replaces a changed file, and names files that were not chosen", async () => {
    const big = Buffer.alloc(5 << 20, "roots");
    const chosen = await write("reloaded", { ...FILES, "scan.bin": big, "gone.csv": "1;2\n" });
    await using visiting = await open();
    const { page } = visiting;
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      return dialog.accept();
    });
    const release = await intercept(page, ["plots/2025.csv", "scan.bin"], () => undefined);
    await choose(page, chosen);
    await page.getByText("4 of 6 files").waitFor();
    const [upload = expect.fail("none")] = (await service.api.get("/uploads")).json;
    const { at } = await tus.file(upload.files, "scan.bin", big);
    await tus.patch(at, 0, big.subarray(0, 3 << 20));
    await page.reload();
    expect(dialogs).toEqual(["beforeunload"]);
    await release();
    await status(page, "Choose the same folder again to continue");
    await go(page, /^Review/);
    await button(page, "Submit dataset").click();
    await page.getByText("Choose the same folder again in the section “Data source”").first().waitFor();
    await go(page, /^Data source/);

    await write("reloaded", { "README.md": "# Barley roots, changed\n" });
    await rm(join(chosen, "gone.csv"));
    const sent = note(page);
    await choose(page, chosen);
    await page.getByText("1 file of the upload is not in what you chose.").waitFor();
    await page.getByText("6 of 6 files").waitFor();
    // Perhaps another folder was chosen, and files of this one were never sent.
    await status(page, "Choose the same folder again to continue");
    expect(sent.sort()).toEqual(["DELETE", `PATCH ${3 << 20}`, "POST README.md", "POST plots/2025.csv"]);
    await button(page, "Remove from the upload").click();
    await page.getByText("5 of 5 files").waitFor();
    await status(page, "All files have arrived");

    const id = await submit(page, "Barley roots, after a reload");
    expect(await archived(id)).not.toContain("data/gone.csv");
    const { dataset } = await service.api.until(id, ["completed"]);
    const { json } = await service.api.get(`/dataset/${dataset?.id}/files`);
    const digests = new Map(json.map((file: { path: string; sha512: string }) => [file.path, file.sha512]));
    expect(digests.get("data/README.md")).toBe(sha512(Buffer.from("# Barley roots, changed\n")));
    expect(digests.get("data/scan.bin")).toBe(sha512(big));
  });

  test("a folder and a file can be dropped, and empty folders are named", async () => {
    const plots = await write("dropped/plots", { "2025.csv": "1", "sub/2024.csv": "2" });
    await mkdir(join(plots, "nothing"));
    const readme = join(await write("dropped", { "README.md": "#" }), "README.md");
    await using visiting = await open();
    const { page } = visiting;
    await drop(page, [plots, readme]);
    await status(page, "All files have arrived");
    await page.getByText("1 empty folder is not uploaded").waitFor();
    await row(page, "plots/nothing").waitFor();
    await drop(page, [plots]);
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
    const chosen = await write("failing", { ...FILES, "a.csv": "1", "b.csv": "2", "c.csv": "3", "d.csv": "4" });
    await using visiting = await open();
    const { page } = visiting;
    let release = await intercept(page, ["a.csv"], problem(460, "upload_digest_wrong"));
    await choose(page, chosen);
    await status(page, "Some files are not complete");
    await page.getByText("1 file could not be sent").waitFor();
    await row(page, "a.csv").getByText("The bytes that arrived differ from the file.").waitFor();
    await expectAccessible(page);
    await release();
    await button(page, "Try again: a.csv").click();
    await status(page, "All files have arrived");

    // Four files are sent at a time, so the fifth is read after it was changed.
    const held: Route[] = [];
    const names = ["1", "2", "3", "4", "5"].map((name) => `late-${name}.csv`);
    const late = await write("late", Object.fromEntries(names.map((name) => [name, name])));
    release = await intercept(page, names, (route) => held.push(route));
    await choose(page, late);
    await expect.poll(() => held.length).toBe(4);
    await write("late", { "late-5.csv": "longer than before" });
    await release();
    await row(page, "late-5.csv").getByText("The browser can no longer read this file.").waitFor();
    await choose(page, late);
    await status(page, "All files have arrived");
    await page.getByText("13 of 13 files").waitFor();
    await button(page, "Remove late-5.csv").press("Enter");
    await page.getByText("12 of 12 files").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Remove late-4.csv");
    await page.reload();
    await status(page, "All files have arrived");
  });

  test("a problem of the service stops the upload with words for the person who must act, and it can be discarded", async () => {
    const chosen = await write("stopped", FILES);
    await using visiting = await open();
    const { page } = visiting;
    const release = await intercept(page, Object.keys(FILES), problem(507, "no_space"));
    await choose(page, chosen);
    await status(page, "Sending has stopped");
    await page.getByRole("alert").getByRole("code").getByText("no_space").waitFor();
    await release();
    await button(page, "Retry").click();
    await status(page, "All files have arrived");

    const plots = await write("other-plots", { "other.csv": "1" });
    for (const [answer, words] of [
      [problem(423, "upload_taken_over"), "upload_taken_over"],
      [(route: Route) => route.fulfill({ status: 413, body: "<html>" }), "refused a request (status 413)"],
    ] as const) {
      const restore = await intercept(page, ["other.csv"], answer);
      await choose(page, plots);
      await page.getByRole("alert").getByText(words).first().waitFor();
      await restore();
      await button(page, /^(Retry|Try again)$/).click();
      await status(page, "All files have arrived");
      await button(page, "Remove other.csv").click();
      await page.getByText("4 of 4 files").waitFor();
    }
    const before = (await service.api.get("/uploads")).json.length;
    await button(page, "Discard upload").click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard upload" }).press("Enter");
    await page.getByText("Drop a folder or files here").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('#field-upload') !== null")).toBe(true);
    expect((await service.api.get("/uploads")).json).toHaveLength(before - 1);
  });

  test("sending is paused and continued, and an upload that others have deleted is explained", async () => {
    const chosen = await write("paused", FILES);
    await using visiting = await open();
    const { page } = visiting;
    const release = await intercept(page, ["README.md"], () => undefined);
    await choose(page, chosen);
    await page.getByText("3 of 4 files").waitFor();
    await go(page, /^Description/);
    await go(page, /^Data source Files are being sent/);
    await button(page, "Pause").click();
    await status(page, "Sending is paused");
    await release();
    await button(page, "Continue").click();
    await status(page, "All files have arrived");
    for (const { id } of (await service.api.get("/uploads")).json)
      await service.api.send(`/uploads/${id}`, { method: "DELETE" });
    await choose(page, await write("paused-more", { "more.csv": "1" }));
    await page.getByText("This upload no longer exists").waitFor();
    await button(page, "Send the chosen files to a new upload").click();
    await page.getByText("5 of 5 files").waitFor();
    await status(page, "All files have arrived");
    for (const { id } of (await service.api.get("/uploads")).json)
      await service.api.send(`/uploads/${id}`, { method: "DELETE" });
    await page.reload();
    await page.getByText("This upload no longer exists").waitFor();
    await expectAccessible(page);
    await button(page, "Start a new upload").click();
    await page.getByText("Drop a folder or files here").waitFor();
  });

  test("5,000 files are sent once each, with a reload in the middle, and one that has changed is sent again", {
    tags: "extended",
  }, async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `plot-${index % 50}/${index}.csv`);
    const many = await write("many", Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    await using visiting = await open();
    const { page } = visiting;
    const sent = note(page);
    await choose(page, many);
    await page.getByText(/^(2,[5-9]|3,|4,)\d+ of 5,000 files/).waitFor({ timeout: 0 });
    await page.reload();
    await status(page, "Choose the same folder again to continue");
    await write("many", { "plot-0/0.csv": "changed\n" });
    await choose(page, many);
    await page.getByText("5,000 of 5,000 files").waitFor({ timeout: 0 });
    await status(page, "All files have arrived");
    expect(sent.filter((request) => request === "DELETE")).toHaveLength(1);
    expect(sent.filter((request) => request === "POST plot-0/0.csv")).toHaveLength(2);
    // At most four were interrupted by the reload.
    expect(sent.length).toBeLessThanOrEqual(5_000 + 2 + 4);
    const id = await submit(page, "Many small files");
    const { progress } = await service.api.until(id, ["completed"]);
    expect(progress).toMatchObject({ objectsStored: 5_000 });
  });
});
