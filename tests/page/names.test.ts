/** @module-tag extended */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const TITLE = "Roots \u202ednuor denrut";
const SHOWN = "Roots ␦dnuor denrut";

/** Names that change when they are decoded once too often, together with the names that they become. */
const NAMES = [
  "a b.txt",
  "a%20b.txt",
  "a%2520b.txt",
  "a+b.txt",
  "a%2Bb.txt",
  "A",
  "%41",
  "%",
  "%%",
  "%zz",
  "%2F",
  "%00",
  "%C3%A4",
  "ä",
  "50% of all",
  "a&file=b",
  "#%23?",
  "=",
  "$t(ui)",
  "{{count}}",
  "\u{1F600}",
  "%F0%9F%98%80",
];
/** The names that an additional decoding changes or makes invalid. */
const DECODABLE = NAMES.filter((name) => name.includes("%"));
const FOLDERS = [
  "st*r",
  "star",
  "que?y",
  "query",
  "dir x",
  "dir%20x",
  "dir%2520x",
  "%2E%2E",
  "100%",
  "a&b=c#d?e",
  "+",
  "%2B",
  "\u{1F600}%41",
];
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u200b\u202a-\u202e]/;

describe.skipIf(noChromium)(`unusual names in the page ${ifSkipped}`, () => {
  let s3: S3Server;
  let service: TestService;
  let browser: Browser;
  let submission: Submission;

  beforeAll(async () => {
    [s3, service, browser] = await Promise.all([startS3Server(), startTestService(), sharedBrowser()]);
    s3.addAccount(keys);
    s3.createBucket("odd");
    for (const key of oddKeys) s3.put("odd", key, "odd");
    const s3Access = { endpoint: s3.endpoint, bucket: "odd", ...keys };
    const accepted = await service.api.submit(s3Access, { metadata: { ...goodMetadata, title: TITLE } });
    submission = await service.api.until(accepted.id, ["completed"]);
  });
  afterAll(async () => {
    await service?.stop();
    await s3?.close();
  });

  const open = (path: string) => visit(browser, `${service.url}/app${path}`);
  const shown = (page: Page) => page.evaluate<string>("document.title + document.body.innerText");

  test("hidden characters are made visible in the list and the submission", async () => {
    await using visiting = await open("/");
    const { page } = visiting;
    await page.getByRole("link", { name: SHOWN, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: SHOWN }).waitFor();
    await page.getByLabel("Path starts with").fill("data/right");
    const row = page.getByRole("row", { name: "right␦to-left" });
    await row.waitFor();
    await row.click();
    await page.getByRole("dialog", { name: "File" }).getByText("right␦to-left").last().waitFor();
    expect(await shown(page)).not.toMatch(HIDDEN);
  });

  test("hidden characters are made visible in the title of the dataset, and left out of its citations", async () => {
    await using visiting = await open(`/datasets/${submission.dataset?.id}`);
    const { page } = visiting;
    await page.getByRole("heading", { level: 1, name: SHOWN }).waitFor();
    const cite = page.getByRole("region", { name: "Cite" });
    // The service leaves out what would change the direction of the text around it.
    await cite.locator("#citation").getByText(TITLE.replace("\u202e", "")).waitFor();
    await cite.locator("summary").click();
    await cite.locator("pre").getByText(TITLE.replace("\u202e", "")).first().waitFor();
    expect(await shown(page)).not.toMatch(HIDDEN);
  });

  test.each([
    "line\nfeed",
    "question?mark#hash",
    "back\\slash",
    '<tag>&amp;"quotes"\'',
    "trailing dot.",
    ".leading dot",
    " leading space",
  ])("the checksum command for %j contains the name of the downloaded file", async (key) => {
    const { json: files } = await service.api.get(`/dataset/${submission.dataset?.id}/files?limit=1000`);
    const { path, sha512 } = files.find((one: { path: string }) => one.path === `data/${key}`);
    await using visiting = await open(`/datasets/${submission.dataset?.id}?${new URLSearchParams({ file: path })}`);
    const { page } = visiting;
    const dialog = page.getByRole("dialog");
    const saving = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    const name = (await saving).suggestedFilename();
    const command = (await dialog.locator("code").last().textContent()) ?? "";
    expect(command).toBe(`echo '${sha512}  ${name.replaceAll("'", "'\\''")}' | sha512sum --check`);
  });

  describe("a name with a percent sign is not confused with another one", () => {
    let dataset: string;

    beforeAll(async () => {
      s3.createBucket("percent");
      for (const name of NAMES) s3.put("percent", name, `content of ${name}`);
      for (const name of FOLDERS) s3.put("percent", `${name}/in it`, `content in ${name}`);
      submission = await service.api.submit({ endpoint: s3.endpoint, bucket: "percent", ...keys });
      dataset = (await service.api.until(submission.id, ["completed"])).dataset?.id ?? "";
    });

    const rows = (page: Page) => page.getByRole("region", { name: "Files" });
    const dialog = (page: Page) => page.getByRole("dialog");
    async function expectOpen(page: Page, name: string): Promise<void> {
      await dialog(page).getByRole("heading", { name, exact: true }).waitFor();
      await dialog(page).locator("pre").getByText(`content of ${name}`, { exact: true }).waitFor();
    }

    test("as a file of a dataset: after a click, a reload, back and forward, and a link", async () => {
      await using visiting = await open(`/datasets/${dataset}`);
      const { page } = visiting;
      for (const name of NAMES) {
        await rows(page).getByRole("link", { name, exact: true }).click();
        await expectOpen(page, name);
        await page.goBack();
        await dialog(page).waitFor({ state: "detached" });
        await page.goForward();
        await expectOpen(page, name);
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "detached" });
      }
      for (const name of DECODABLE) {
        await page.goto(`${service.url}/app/datasets/${dataset}?${new URLSearchParams({ file: `data/${name}` })}`);
        await expectOpen(page, name);
      }
      await page.reload();
      await expectOpen(page, DECODABLE.at(-1) ?? "");
    });

    test("as a folder of a dataset, and with the files in it", async () => {
      await using visiting = await open(`/datasets/${dataset}`);
      const { page } = visiting;
      const path = page.getByRole("navigation", { name: "Path of the folder" });
      for (const name of FOLDERS) {
        await rows(page)
          .getByRole("link", { name: `${name}/`, exact: true })
          .click();
        await rows(page).getByRole("link", { name: "in it", exact: true }).click();
        const content = dialog(page).locator("pre").getByText(`content in ${name}`, { exact: true });
        await content.waitFor();
        await page.reload();
        await content.waitFor();
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "detached" });
        await path.getByText(name, { exact: true }).waitFor();
        await path.getByRole("link", { name: "All files", exact: true }).click();
      }
    });

    test("as a search in the list of submissions", async () => {
      await using visiting = await open("/");
      const { page } = visiting;
      const box = page.getByRole("searchbox");
      for (const name of DECODABLE) {
        await box.fill(name);
        await page.waitForURL((url) => url.searchParams.get("q") === name);
        await page.reload();
        expect(await box.inputValue()).toBe(name);
        await page.getByLabel("Status").selectOption("Failed");
        await page.waitForURL((url) => url.searchParams.get("status") === "failed");
        expect(new URL(page.url()).searchParams.get("q")).toBe(name);
        await page.getByLabel("Status").selectOption("");
      }
    });

    test("as a file of a submission", async () => {
      await using visiting = await open(`/submissions/${submission.id}`);
      const { page } = visiting;
      for (const name of DECODABLE) {
        await page.getByLabel("Path starts with").fill(`data/${name}`);
        const row = page.getByRole("row").filter({ has: page.getByText(`data/${name}`, { exact: true }) });
        await row.click();
        await dialog(page).getByText(`data/${name}`, { exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "detached" });
      }
    });

    async function preview(page: Page): Promise<void> {
      const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
      await field("Endpoint").fill(s3.endpoint);
      await field("Bucket").fill("percent");
      await field("Access key").fill(keys.accessKey);
      await page
        .getByLabel(/^Secret key/)
        .and(page.locator("input"))
        .fill(keys.secretKey);
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByRole("region", { name: "Preview" }).waitFor();
    }

    test("as a folder of the preview", async () => {
      await using visiting = await open("/new");
      const { page } = visiting;
      await preview(page);
      for (const name of FOLDERS) await page.getByText(`${name}/`, { exact: true }).waitFor();
      // The form keeps its entries when another section is opened.
      const parts = page.getByRole("navigation", { name: "Sections of the form" });
      await parts.getByRole("button", { name: /^Description/ }).click();
      await page.goBack();
      expect(await page.getByRole("textbox", { name: "Bucket", exact: true }).inputValue()).toBe("percent");
    });

    test("as a folder that is excluded from a new version by keyboard", async () => {
      await using visiting = await open(`/new?dataset=${dataset}`);
      const { page } = visiting;
      await preview(page);
      const row = (name: string) =>
        page.getByRole("table", { name: "Comparison with version 1" }).getByRole("row", { name });
      const [all, out] = [NAMES.length + FOLDERS.length, FOLDERS.filter((name) => /[%*?]/.test(name))];
      expect(await row("Unchanged").innerText()).toMatch(new RegExp(`^Unchanged\\s+${all}\\s`));
      await page.getByText("The service does not need to read any object again.").waitFor();
      const bucket = page.getByRole("checkbox", { name: "Entire bucket" });
      expect(await bucket.isChecked()).toBe(true);
      for (const name of out) await page.getByRole("checkbox", { name: `${name}/`, exact: true }).press("Space");
      expect(await page.locator("input:indeterminate").count()).toBe(1);
      await page.getByText(`Selected: ${all - out.length} objects`).waitFor();
      await page.getByRole("button", { name: "Update preview" }).click();
      await row("Removed").getByText(`${out.length}`, { exact: true }).waitFor();
      expect(await row("Unchanged").innerText()).toMatch(new RegExp(`^Unchanged\\s+${all - out.length}\\s`));
      for (const name of FOLDERS) {
        const box = page.getByRole("checkbox", { name: `${name}/`, exact: true });
        expect([name, await box.isChecked()]).toEqual([name, !out.includes(name)]);
      }
      await expectNoViolations(page);
      await bucket.press("Space");
      await page.getByText(`Selected: ${all} objects`).waitFor();
    });
  });

  describe("long names without a break do not widen a page on a phone", () => {
    const long = (start: string, letters = 200) => start + "x".repeat(letters - start.length);
    const author = {
      role: "Creator",
      firstName: long("First"),
      lastName: long("Last"),
      affiliation: long("Institute"),
      orcid: "0000-0002-1825-0097",
    };
    const metadata = {
      ...goodMetadata,
      title: long("Title"),
      description: long("Description", 900),
      subjects: [long("subject"), long("another")],
      license: `https://example.org/${long("licence")}`,
      authors: [author, { ...author, role: "Contributor" }],
    };
    const [folder, file] = [long("folder"), `${long("file")}.csv`];
    let dataset: string;

    beforeAll(async () => {
      s3.createBucket("long");
      const content = `${long("head")},b\n${long("cell")},${"y".repeat(300)}\n`;
      for (const key of [
        file,
        `${folder}/${long("inner")}/${file}`,
        `${folder}/${"z".repeat(200)}.${"e".repeat(10)}`,
      ]) {
        s3.put("long", key, content);
      }
      const s3Access = { endpoint: s3.endpoint, bucket: "long", ...keys };
      const selection = { exclude: [long("excluded/"), long("**/")] };
      submission = await service.api.submit(s3Access, { metadata, selection });
      dataset = (await service.api.until(submission.id, ["completed"])).dataset?.id ?? "";
    });

    /** Returns the elements that are wider than the page, with their class and text. */
    const wide = (page: Page) =>
      page.evaluate<string[]>(
        `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => one.tagName + "." + one.className + ": " + one.textContent.slice(0, 40))`,
      );

    const folderOf = `data/${folder}/${long("inner")}`;
    const places: [name: string, path: () => string, ready: (page: Page) => Promise<unknown>][] = [
      ["the list of submissions", () => "/", (page) => page.getByText(metadata.title).waitFor()],
      ["the list of datasets", () => "/datasets", (page) => page.getByText(metadata.title).waitFor()],
      [
        "a submission",
        () => `/submissions/${submission.id}`,
        (page) => page.getByRole("row").filter({ hasText: file }).first().waitFor(),
      ],
      [
        "the file of a submission",
        () => `/submissions/${submission.id}`,
        async (page) => {
          await page.getByRole("row").filter({ hasText: file }).first().click();
          await page.getByRole("dialog").getByText("SHA-512").waitFor();
        },
      ],
      [
        "the log of a submission",
        () => `/submissions/${submission.id}`,
        async (page) => {
          await page.getByRole("tab", { name: "Log" }).click();
          await page.getByText("Packaging started").waitFor();
        },
      ],
      [
        "a dataset",
        () => `/datasets/${dataset}`,
        (page) => page.getByRole("region", { name: "Files" }).getByRole("link", { name: folder }).first().waitFor(),
      ],
      [
        "a folder of a dataset",
        () => `/datasets/${dataset}?${new URLSearchParams({ folder: folderOf })}`,
        (page) => page.getByRole("region", { name: "Files" }).getByRole("link", { name: file }).first().waitFor(),
      ],
      [
        "a file of a dataset",
        () => `/datasets/${dataset}?${new URLSearchParams({ file: `data/${file}` })}`,
        (page) => page.getByRole("dialog").getByText("sha512sum").waitFor(),
      ],
      [
        "a file that does not exist",
        () => `/datasets/${dataset}?${new URLSearchParams({ file: `data/${long("gone")}` })}`,
        (page) => page.getByText("does not contain the file").waitFor(),
      ],
      [
        "the citation of a dataset",
        () => `/datasets/${dataset}`,
        async (page) => {
          const cite = page.getByRole("region", { name: "Cite" });
          await cite.locator("summary").click();
          await cite.locator("pre").first().waitFor();
        },
      ],
      [
        "the receipt of a submission",
        () => `/receipts/${submission.id}`,
        (page) => page.getByText("signature is valid").waitFor(),
      ],
      [
        "the data source of a new version",
        () => `/new?dataset=${dataset}`,
        async (page) => {
          await page.getByText("Copy the entries of version").click();
          await page.getByLabel(/^Access key/).fill(keys.accessKey);
          await page
            .getByLabel(/^Secret key/)
            .and(page.locator("input"))
            .fill(keys.secretKey);
          await page.getByRole("button", { name: "Test connection" }).click();
          await page.getByRole("button", { name: `${folder}/` }).click();
          await page.locator("summary", { hasText: "Largest objects" }).click();
        },
      ],
      [
        "the description of a new version",
        () => `/new?dataset=${dataset}&part=description`,
        (page) => page.getByText("Copy the entries of version").click(),
      ],
      [
        "the authors of a new version",
        () => `/new?dataset=${dataset}&part=authors`,
        (page) => page.getByText("Copy the entries of version").click(),
      ],
      [
        "the review of a new version",
        () => `/new?dataset=${dataset}&part=review`,
        async (page) => {
          await page.getByText("Copy the entries of version").click();
          await page.getByText(metadata.subjects[0] ?? "").waitFor();
        },
      ],
      [
        "the list of submissions with a search text",
        () => `/?q=${long("q", 500)}`,
        (page) => page.getByText("No matching submissions").waitFor(),
      ],
    ];

    test.each(places)("in %s", async (_, path, ready) => {
      await using visiting = await visit(browser, `${service.url}/app${path()}`, { width: 360, height: 740 });
      await ready(visiting.page);
      expect(await wide(visiting.page)).toEqual([]);
    });

    test.each(["/", "/datasets", "/new"])("in German, which has longer words: %s", async (path) => {
      await using visiting = await visit(browser, `${service.url}/app${path}`, { width: 360, locale: "de-DE" });
      await visiting.page.getByRole("heading", { level: 1 }).waitFor();
      expect(await wide(visiting.page)).toEqual([]);
    });
  });
});
