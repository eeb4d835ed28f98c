/** @module-tag extended */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveOddDataset, OBJECTS, type OddDataset } from "../support/data-source/odd-dataset.ts";
import { expectNoViolations, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const sha512 = (content: Buffer | string) => createHash("sha512").update(content).digest("hex");

describe.skipIf(noChromium)(`the dataset page of a service with sign-in ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;
  let tokens: Tokens;
  let ada: string;
  let dataset: OddDataset;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([sharedBrowser(), startS3Server(), startTestService(TOKENS)]);
    tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    dataset = await archiveOddDataset(service, s3, DEMO_METADATA, bearer(ada));
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
  });

  const address = (query = "") => `${service.url}/app/datasets/${dataset.id}${query}`;
  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel("Access token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  test("shows the requested file after sign-in, and downloads it without the token in any URL", async () => {
    await using visiting = await visit(browser, address("?file=data/long.txt"));
    const { page } = visiting;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await signIn(page, ada);
    const file = page.getByRole("dialog");
    await file.getByText("Only the beginning of the file is shown.").waitFor();
    const saving = page.waitForEvent("download");
    await file.getByRole("link", { name: "Download" }).click();
    const download = await saving;
    expect(sha512(await readFile(await download.path()))).toBe(sha512(OBJECTS["long.txt"] ?? ""));
    expect(download.suggestedFilename()).toBe("long.txt");
    expect(new URL(download.url()).pathname).toMatch(/^\/download\//);
    expect(addresses.filter((url) => url.includes(ada))).toEqual([]);
    await file.getByRole("button", { name: "Close" }).click();
    const packing = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download all files (ZIP)" }).click();
    const zip = await readFile(await (await packing).path());
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\x03\x04");
  });

  test("saves the metadata in the formats that the service renders as links, without the token in any URL", async () => {
    await using visiting = await visit(browser, address());
    const { page } = visiting;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await signIn(page, ada);
    for (const [label, format, extension] of [
      ["RIS", "ris", "ris"],
      ["DataCite (XML)", "datacite-xml", "datacite.xml"],
    ] as const) {
      const saving = page.waitForEvent("download");
      await page.getByRole("link", { name: label, exact: true }).first().press("Enter");
      const download = await saving;
      expect(download.suggestedFilename()).toBe(`${dataset.id}-v2.${extension}`);
      const { text } = await service.api.get(`/dataset/${dataset.id}/export/${format}`, bearer(ada));
      expect((await readFile(await download.path())).toString()).toBe(text);
    }
    expect(addresses.filter((url) => url.includes(ada))).toEqual([]);
  });

  test("shows the content in the language of the page, also after a change, and keeps the place", async () => {
    await using visiting = await visit(browser, address("?folder=data/images"));
    const { page } = visiting;
    await signIn(page, ada);
    await page.getByRole("heading", { name: "Cite as" }).waitFor();
    await page.getByRole("link", { name: "leaf.png", exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.getByRole("heading", { name: "Zitieren als" }).waitFor();
    await page.getByRole("heading", { name: "Cite as" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "leaf.png", exact: true }).waitFor();
  });

  test("reports a dataset of another owner as not found", async () => {
    const { token } = await tokens.create("bob", "submitter");
    await using visiting = await visit(browser, address());
    await signIn(visiting.page, token);
    await visiting.page.getByText("Dataset not found").waitFor();
    await visiting.page.getByText("If you have several accounts").waitFor();
    await expectNoViolations(visiting.page);
  });

  test("offers no new version to a curator, who has read access only", async () => {
    const { token } = await tokens.create("cleo", "curator");
    await using visiting = await visit(browser, address());
    await signIn(visiting.page, token);
    await visiting.page.getByRole("region", { name: "Versions" }).getByText("1 added").waitFor();
    expect(await visiting.page.getByRole("link", { name: "New version" }).count()).toBe(0);
  });

  // This test must be the last one, because it withdraws the dataset.
  test.each(["light", "dark"] as const)(
    "shows the tombstone of a withdrawn dataset in the %s theme",
    async (colorScheme) => {
      const reason = "The consent of one participant was withdrawn.";
      await service.api.post(`/dataset/${dataset.id}/withdraw`, { reason }, bearer(tokens.admin));
      await using visiting = await visit(browser, address(), { colorScheme });
      const { page } = visiting;
      await signIn(page, ada);
      await page.getByText(reason).waitFor();
      await page.getByRole("heading", { level: 1, name: DEMO_METADATA.title }).waitFor();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download signed receipt of version 2" }).click();
      const { text } = await service.api.get(`/submission/${dataset.submissions[1]}/receipt`, bearer(ada));
      expect((await readFile(await (await saving).path())).toString()).toBe(text);
      await expectNoViolations(page);
    },
  );
});
