import { randomBytes } from "node:crypto";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { sendBatch } from "../support/api/upload-batch.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { LocalFolders, pathsIn, problem, UploadForm } from "../support/page/upload-form.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NAMES = Array.from({ length: 12 }, (_, n) => `plots/${String(n).padStart(2, "0")}.csv`);
const FILES = Object.fromEntries(NAMES.map((name) => [name, `${name}\n`]));

describe.skipIf(noChromium)(`small files that the page sends together ${ifSkipped}`, () => {
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
    const visiting = await visit(browser, `${service.url}/app/new`, { expected: [/net::ERR_FAILED/] });
    const { page } = visiting;
    await page.getByRole("radio", { name: "Upload from this computer" }).check();
    const batches: string[][] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/batch")) batches.push(pathsIn(request));
    });
    return Object.assign(visiting, { form: new UploadForm(page), batches });
  }

  async function sent(): Promise<Map<string, string>> {
    const [{ files } = expect.fail("no upload")] = (await service.api.get("/uploads")).json;
    const { json } = await service.api.get(files);
    return new Map(json.files.map((file: { path: string; sha512: string }) => [file.path, file.sha512]));
  }
  const digestsOf = (files: Record<string, string | Buffer>) =>
    new Map(Object.entries(files).map(([path, content]) => [path, sha512(Buffer.from(content))]));

  test("arrive in few requests, with the others of their folder", async () => {
    const files = {
      ...FILES,
      "empty.csv": "",
      "ümlaut/“a” b;c=d.csv": "--boundary\r\n\r\n",
      "exactly.bin": randomBytes(1 << 20),
      "larger.bin": randomBytes((1 << 20) + 1),
    };
    await using visiting = await open();
    const { page, form, batches } = visiting;
    const singles = form.note();
    await form.choose(await folders.write("few", files));
    await form.status("All files have arrived");
    await page.getByText("16 of 16 files").waitFor();
    expect(await sent()).toEqual(digestsOf(files));
    expect(batches).toHaveLength(1);
    expect(batches[0]).not.toContain("larger.bin");
    expect(singles.sort()).toEqual(
      Object.keys(files)
        .map((path) => `POST ${path}`)
        .sort(),
    );
    await form.button("Remove empty.csv").click();
    await page.getByText("15 of 15 files").waitFor();
    await form.status("All files have arrived");
  });

  test("are sent again if the connection is cut, but for those that the service has acknowledged", async () => {
    await using visiting = await open();
    const { page, form, batches } = visiting;
    let count = 0;
    await page.route(/\/batch$/, async (route) => {
      count += 1;
      if (count === 1) return route.abort();
      if (count === 2) return route.fulfill({ status: 200, body: "<html>\nSign in to the network\n" });
      if (count > 3) return route.continue();
      const answer = await route.fetch();
      const lines = (await answer.text()).split("\n");
      return route.fulfill({
        response: answer,
        body: lines
          .slice(0, 5)
          .map((line) => `${line}\n`)
          .join(""),
      });
    });
    await form.choose(await folders.write("cut", FILES));
    await form.status("All files have arrived");
    expect(await sent()).toEqual(digestsOf(FILES));
    expect(batches.map(({ length }) => length)).toEqual([12, 12, 12, 7]);
  });

  test("can be paused, and one of them removed or chosen again, while they are sent", async () => {
    await using visiting = await open();
    const { page, form, batches } = visiting;
    const focus = () => page.evaluate("document.activeElement.textContent");
    const release = await form.intercept(NAMES, () => undefined);
    const chosen = await folders.write("paused", FILES);
    await form.choose(chosen);
    await form.button("Sending (12)").waitFor();
    await form.button("Pause").press("Enter");
    await form.button("Waiting (12)").waitFor();
    expect(await focus()).toBe("Continue");
    await form.button("Continue").press("Enter");
    await form.button("Sending (12)").waitFor();
    expect(await focus()).toBe("Pause");
    const changed = { "plots/03.csv": "changed\n" };
    await folders.write("paused", changed);
    await form.choose(await folders.write("paused-one", changed));
    await form.button("Pause").click();
    await form.button("Remove plots/05.csv").click();
    await page.getByText("0 of 11 files").waitFor();
    await release();
    await form.button("Continue").click();
    await form.choose(chosen);
    await form.status("All files have arrived");
    expect(await sent()).toEqual(digestsOf({ ...FILES, ...changed }));
    expect(batches.length).toBeLessThanOrEqual(5);
  });

  test("each have an error of their own, and others are not stopped by it", async () => {
    const chosen = await folders.write("failing", FILES);
    await using visiting = await open();
    const { page, form } = visiting;
    const held: Route[] = [];
    const begin = await form.intercept(NAMES, (route) => held.push(route));
    await form.choose(chosen);
    await expect.poll(() => held.length).toBe(1);
    // Meanwhile, another program sends a file, and a file is changed on the disk.
    const [{ id, files } = expect.fail("no upload")] = (await service.api.get("/uploads")).json;
    await sendBatch(service.api, id, [{ path: "plots/01.csv", bytes: Buffer.from("other") }]);
    await tus.create(files, "plots/02.csv", 100);
    await folders.write("failing", { "plots/07.csv": "changed while it is sent\n" });
    const release = await form.intercept(["plots/08.csv"], problem(460, "upload_digest_wrong"));
    await held[0]?.abort();
    await begin();
    await form.status("Some files are not complete");
    await form.row("plots/07.csv").getByText("The browser can no longer read this file.").waitFor();
    await form.row("plots/08.csv").getByText("The bytes that arrived differ from the file.").waitFor();
    await page.getByText("10 of 12 files").waitFor();
    await expectAccessible(page);
    await release();
    await form.button("Try again: plots/08.csv").press("Enter");
    await page.getByText("11 of 12 files").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('#field-upload') !== null")).toBe(true);
    await form.choose(chosen);
    await form.status("All files have arrived");
    expect(await sent()).toEqual(digestsOf({ ...FILES, "plots/07.csv": "changed while it is sent\n" }));
  });

  test("stop at a problem of the service, and are sent one by one where a proxy refuses large requests", async () => {
    await using visiting = await open();
    const { page, form } = visiting;
    const release = await form.intercept(NAMES, problem(507, "no_space"));
    await form.choose(await folders.write("stopped", FILES));
    await form.status("Sending has stopped");
    await page.getByRole("alert").getByRole("code").getByText("no_space").waitFor();
    await release();
    await page.route(/\/batch$/, (route) => route.fulfill({ status: 413, body: "<html>" }));
    await form.button("Retry").click();
    await form.status("All files have arrived");
    expect(await sent()).toEqual(digestsOf(FILES));
  });
});
