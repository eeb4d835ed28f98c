import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const sums = (files: Record<string, string>) =>
  Object.entries(files)
    .map(([path, body]) => `${createHash("sha256").update(body).digest("hex")}  ${path}\n`)
    .join("");
const FILES = { "run/a.csv": "a", "run/b.csv": "bb" };

describe.skipIf(noChromium)(`the checksum lists of a submission ${ifSkipped}`, () => {
  let browser: Browser;
  let service: TestService;
  let s3: S3Server;
  const tus = new TusClient(() => service.api);
  beforeAll(async () => {
    [browser, service, s3] = await Promise.all([sharedBrowser(), startTestService(), startS3Server()]);
    s3.addAccount(keys);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  function bucketOf(bucket: string, objects: Record<string, string>) {
    s3.createBucket(bucket);
    for (const [key, body] of Object.entries(objects)) s3.put(bucket, key, body);
    return { endpoint: s3.endpoint, bucket, ...keys };
  }
  const at = (id: string) => `${service.url}/app/submissions/${id}`;
  const sectionOf = (page: Page, name = "Checksum lists") => page.getByRole("region", { name, exact: true });
  const rowsOf = async (page: Page, table: string) =>
    (await sectionOf(page).getByRole("table", { name: table }).locator("tbody tr").allInnerTexts()).map((text) =>
      text.split(/[\t\n]+/),
    );

  test("are shown with missing files and the next step, and with the result after they are corrected", async () => {
    const access = bucketOf("missing", { ...FILES, extra: "x", "run/SHA256SUMS": sums({ "b.csv": "bb" }) });
    const absent = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`run/gone-${n + 10}\u202e.csv`, "g"]));
    const digests = [
      { text: sums({ ...FILES, ...absent, other: "o" }), name: "SHA256SUMS" },
      { key: "run/SHA256SUMS" },
    ];
    s3.put("missing", "other", "o");
    const { id } = await service.api.submit(access, { digests, selection: { exclude: ["other"] } });
    expect((await service.api.until(id, ["waiting"])).waiting?.code).toBe("digest_files_missing");
    await using visiting = await visit(browser, at(id));
    const { page } = visiting;
    const section = sectionOf(page);
    await section.getByText("Add the missing files to the bucket, and retry.").waitFor();
    await section.getByText("Action required by you").waitFor();
    await section.getByText("A list that was sent or uploaded cannot be changed.").waitFor();
    expect(await rowsOf(page, "Checksum lists")).toEqual([
      ["SHA256SUMS", "Sent with the submission", "15"],
      ["run/SHA256SUMS", "In the data source", "1"],
    ]);
    expect(await rowsOf(page, "Comparison")).toEqual([
      ["Listed and selected", "14"],
      ["Listed, but not selected; not archived", "1"],
      ["Listed, but missing in the data source", "12"],
      ["With different content", "0"],
      ["In no list; archived, too", "1"],
    ]);
    expect(await section.getByText("run/gone-").count()).toBe(10);
    await section.getByText("and 2 more").waitFor();
    // Characters that reverse the text after them are shown as signs.
    expect(await section.getByText("run/gone-10").innerText()).not.toContain("\u202e");
    await section.locator("summary").press("Enter");
    await section.getByText("extra", { exact: true }).waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await section.getByRole("button", { name: "Download all missing files (CSV)" }).press("Enter");
    const file = await download;
    expect(file.suggestedFilename()).toBe(`missing-${id}.csv`);
    expect((await readFile(await file.path(), "utf8")).trim().split("\n")).toHaveLength(13);
    for (const [key, body] of Object.entries(absent)) s3.put("missing", key, body);
    await page.getByRole("button", { name: "Retry" }).click();
    await section.getByText("The content of each archived file that a list names was compared").waitFor();
    expect((await rowsOf(page, "Comparison"))[2]).toEqual(["Listed, but missing in the data source", "0"]);
    expect(await section.getByText("Action required by you").count()).toBe(0);
    await page.getByRole("link", { name: "View receipt" }).press("Enter");
    await section.getByText("The content of each archived file that a list names was compared").waitFor();
    expect(await rowsOf(page, "Comparison")).toEqual([
      ["Listed and selected", "14"],
      ["Listed, but not selected; not archived", "1"],
      ["Listed, but missing in the data source", "0"],
      ["With different content", "0"],
      ["In no list; archived, too", "1"],
    ]);
    await section.locator("summary").press("Enter");
    await section.getByText("extra", { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test("name the step for different files of a list in the bucket, in German on a phone", async () => {
    const access = bucketOf("different", { ...FILES, SHA256SUMS: sums({ ...FILES, "run/a.csv": "original" }) });
    const { id } = await service.api.submit(access, { digests: [{ key: "SHA256SUMS" }] });
    await service.api.until(id, ["waiting"]);
    await using visiting = await visit(browser, at(id), { locale: "de-DE", width: 390, height: 844 });
    const { page } = visiting;
    const section = sectionOf(page, "Prüfsummenlisten");
    await section.getByText("Ersetzen Sie beschädigte Dateien im Bucket").waitFor();
    await section.getByText("Ist eine Liste falsch, korrigieren Sie sie im Bucket").waitFor();
    expect(await section.getByRole("row", { name: "Mit abweichendem Inhalt 1" }).count()).toBe(1);
    await section.getByRole("button", { name: "Abweichende Dateien zeigen" }).press("Enter");
    await page.getByRole("tab", { name: "Dateien", selected: true }).waitFor();
    expect(await page.getByRole("combobox", { name: "Status" }).inputValue()).toBe("failed");
    await page.getByText("run/a.csv").first().waitFor();
    await expectAccessible(page);
    await service.api.post(`/submission/${id}/cancel`);
    await section.getByText("Ersetzen Sie beschädigte Dateien im Bucket").waitFor({ state: "detached" });
  });

  test("count excluded files separately, also in the receipt, and name no step for them", async () => {
    const access = bucketOf("excluded", { ...FILES, "run/c.csv": "ccc" });
    s3.addFault({
      match: { bucket: "excluded", operation: "get", key: "run/c.csv" },
      fault: { status: 403, code: "AccessDenied" },
    });
    const digests = [{ text: sums({ ...FILES, "run/b.csv": "original", "run/c.csv": "ccc" }) }];
    const { id } = await service.api.submit(access, { digests });
    await service.api.until(id, ["waiting"]);
    await using visiting = await visit(browser, at(id));
    const { page } = visiting;
    const section = sectionOf(page);
    const step = section.getByText("Compare the different files with the originals.");
    await step.waitFor();
    const excluded = /^With different content; excluded/;
    expect(await section.getByRole("row", { name: excluded }).count()).toBe(0);
    await service.api.post(`/submission/${id}/exclude`, { keys: ["run/b.csv"], reason: "damaged" });
    await section.getByRole("row", { name: excluded }).waitFor();
    expect((await rowsOf(page, "Comparison")).slice(2, 4)).toEqual([
      ["With different content", "0"],
      ["With different content; excluded, not archived", "1"],
    ]);
    await step.waitFor({ state: "detached" });
    await service.api.post(`/submission/${id}/exclude`, { keys: ["run/c.csv"], reason: "not needed" });
    await page.getByRole("link", { name: "View receipt" }).press("Enter");
    await section.getByText("The content of each archived file that a list names was compared").waitFor();
    expect((await rowsOf(page, "Comparison")).slice(2, 4)).toEqual([
      ["With different content", "0"],
      ["With different content; excluded, not archived", "1"],
    ]);
    await expectAccessible(page);
  });

  test("that the request names are shown before they are read, with the reason why they were not", async () => {
    const account = { accessKey: "AKREVOKED", secretKey: "soon-of-no-use" };
    s3.addAccount(account);
    const access = { ...bucketOf("unread", { ...FILES, "zz/SHA256SUMS": sums(FILES) }), ...account };
    const held = s3.hold({ bucket: "unread", operation: "get", key: "zz/SHA256SUMS" });
    const { id } = await service.api.submit(access, { digests: [{ key: "zz/SHA256SUMS", base: "/" }] });
    await held.reached;
    await using visiting = await visit(browser, at(id));
    const { page } = visiting;
    const section = sectionOf(page);
    await section.getByText("The service reads the lists in the data source before the files.").waitFor();
    expect(await rowsOf(page, "Checksum lists")).toEqual([["zz/SHA256SUMS", "In the data source", "Not used yet"]]);
    await expectAccessible(page);
    s3.removeAccount(account.accessKey);
    held.release();
    await section.getByText("have not been used yet, because the submission waits.").waitFor();
    expect((await service.api.until(id, ["waiting"])).waiting?.code).toBe("credentials_rejected");
    await service.api.post(`/submission/${id}/cancel`);
    await section.getByText("The lists in the data source were not used.").waitFor();
    expect(await rowsOf(page, "Checksum lists")).toEqual([["zz/SHA256SUMS", "In the data source", "Not used"]]);
  });

  test("that were read and refused are shown as not used, without another cause, after the submission was cancelled", async () => {
    const { id } = await service.api.submit(bucketOf("refused", { ...FILES, SHA256SUMS: "no checksum\n" }), {
      digests: [{ key: "SHA256SUMS" }],
    });
    expect((await service.api.until(id, ["waiting"])).waiting?.code).toBe("digest_list_invalid");
    await using visiting = await visit(browser, at(id));
    const section = sectionOf(visiting.page);
    await section.getByRole("row", { name: /SHA256SUMS.*Not used yet/ }).waitFor();
    await service.api.post(`/submission/${id}/cancel`);
    await section.getByText("The lists in the data source were not used.").waitFor();
    expect(await rowsOf(visiting.page, "Checksum lists")).toEqual([["SHA256SUMS", "In the data source", "Not used"]]);
    expect(await section.getByText("because").count()).toBe(0);
  });

  test("that do not exist are named with the next step, in German", async () => {
    const { id } = await service.api.submit(bucketOf("absent", FILES), { digests: [{ key: "SHA256SUMS" }] });
    await service.api.until(id, ["waiting"]);
    await using visiting = await visit(browser, at(id), { locale: "de-DE", width: 390, height: 844 });
    const section = sectionOf(visiting.page, "Prüfsummenlisten");
    await section.getByText("Eine Liste ist nicht verwendbar.").waitFor();
    await section.getByRole("row", { name: /SHA256SUMS.*Noch nicht verwendet/ }).waitFor();
    await expectAccessible(visiting.page);
  });

  test("are shown also if the service is an earlier version, which does not name unread lists and excluded files", async () => {
    const access = bucketOf("earlier", { ...FILES, SHA256SUMS: sums({ ...FILES, "run/b.csv": "original" }) });
    const { id } = await service.api.submit(access, { digests: [{ key: "SHA256SUMS" }] });
    await service.api.until(id, ["waiting"]);
    await using visiting = await visit(browser, `${service.url}/app/submissions`);
    const { page } = visiting;
    await page.route(new RegExp(`/submission/${id}$`), async (route) => {
      const response = await route.fetch();
      const { digests, ...rest } = await response.json();
      const { unread, differingExcluded, ...known } = digests;
      await route.fulfill({ response, json: { ...rest, digests: known } });
    });
    await page.goto(at(id));
    await sectionOf(page).getByRole("row", { name: "With different content 1" }).waitFor();
    await sectionOf(page).getByText("Compare the different files with the originals.").waitFor();
  });

  test("of an upload lead to cancelling, which returns the upload", async () => {
    const { id: upload, files } = await tus.upload();
    for (const [path, body] of Object.entries(FILES)) await tus.send(files, path, Buffer.from(body));
    const body = { metadata: goodMetadata, upload: { id: upload }, digests: [{ text: sums({ ...FILES, gone: "g" }) }] };
    const { id } = (await service.api.post("/submission/upload/s3upload", body)).json;
    await service.api.until(id, ["waiting"]);
    await using visiting = await visit(browser, at(id));
    const section = sectionOf(visiting.page);
    await section.getByText("Cancel the submission, which returns the upload to you. Add the missing files").waitFor();
    await section.getByText("List without a name").waitFor();
    expect(await section.getByText("bucket").count()).toBe(0);
  });

  test("are not shown for a submission without lists", async () => {
    const { id } = await service.api.submit(bucketOf("unlisted", FILES));
    await service.api.until(id, ["completed"]);
    await using visiting = await visit(browser, at(id));
    await visiting.page.getByRole("heading", { name: "Dataset archived" }).waitFor();
    expect(await sectionOf(visiting.page).count()).toBe(0);
  });
});
