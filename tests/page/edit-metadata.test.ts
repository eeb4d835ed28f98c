import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { DEMO_METADATA } from "../../src/cli/demo/publish.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { submitAndArchive } from "../support/archive/archived-versions.ts";
import { expectAccessible, ifSkipped, noChromium, sharedBrowser, visit } from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** A member that the form does not have. */
const unknown = { laboratoryNotebook: { page: 12 } };
const [firstAuthor, ...otherAuthors] = DEMO_METADATA.authors;
/** An author with such a member. */
const author = { ...firstAuthor, laboratory: "B 12" };
const sent = { ...DEMO_METADATA, ...unknown, authors: [author, ...otherAuthors] };

describe.skipIf(noChromium)(`the pages for changes of metadata ${ifSkipped}`, () => {
  let browser: Browser;
  let s3: S3Server;
  let service: TestService;

  beforeAll(async () => {
    [browser, s3, service] = await Promise.all([sharedBrowser(), startS3Server(), startTestService()]);
    s3.addAccount(keys);
  });
  afterAll(async () => {
    await service.stop();
    await s3.close();
  });

  async function archived(bucket: string): Promise<string> {
    s3.createBucket(bucket);
    s3.put(bucket, "a.csv", "one");
    const { dataset } = await submitAndArchive(
      service.api,
      { endpoint: s3.endpoint, bucket, ...keys },
      { metadata: sent },
    );
    return dataset.id;
  }
  const address = (id: string, more = "") => `${service.url}/app/datasets/${id}${more}`;
  const title = (page: Page) => page.getByRole("textbox", { name: /^Title/ });
  const changes = (page: Page) => page.getByRole("region", { name: "Changes" });
  const save = (page: Page) => page.getByRole("button", { name: "Save changes" });
  const stateOf = async (id: string) => (await service.api.get(`/dataset/${id}/metadata`)).json;
  async function changeTitle(id: string, text: string, more: object = {}) {
    const before = await service.api.get(`/dataset/${id}/metadata`);
    const body = JSON.stringify({ metadata: { ...before.json.metadata, title: text, ...more } });
    const headers = { "content-type": "application/json", "if-match": before.headers.get("etag") ?? "" };
    const answer = await service.api.send(`/dataset/${id}/metadata`, { method: "PUT", body, headers });
    expect(answer.status).toBe(200);
  }

  const field = (page: Page, pointer: string) => page.locator(`[id="field-metadata-${pointer}"]`);
  const discard = async (page: Page, name: string) => {
    await page.getByRole("button", { name }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
  };

  test("an archived dataset is edited, and its revisions are compared", async () => {
    const id = await archived("short");
    await using visiting = await visit(browser, address(id));
    const { page } = visiting;
    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    await changes(page).getByText("You have not changed anything yet").waitFor();
    await title(page).fill("Barley roots, corrected");
    await changes(page).getByText(DEMO_METADATA.title).waitFor();
    await expectAccessible(page);
    await save(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Barley roots, corrected" }).waitFor();
    const { metadata, revision } = await stateOf(id);
    expect({ metadata, revision }).toEqual({ metadata: { ...sent, title: "Barley roots, corrected" }, revision: 2 });
    await page.getByRole("link", { name: "Compare revisions" }).click();
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText(DEMO_METADATA.title).waitFor();
    await expectAccessible(page);
  });

  test("every part of an archived dataset is edited, and the revisions are listed and compared", {
    tags: "extended",
  }, async () => {
    const id = await archived("edited");
    await using visiting = await visit(browser, address(id));
    const { page } = visiting;
    await page.getByRole("link", { name: "Edit metadata" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Edit metadata" }).waitFor();
    await changes(page).getByText("You have not changed anything yet").waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    // What makes the dataset easier to find, with links to the fields.
    const hints = page.getByRole("region", { name: "Findability" });
    const methods = hints.getByRole("listitem").filter({ hasText: "Methods" });
    const licence = hints.getByRole("listitem").filter({ hasText: "Licence" });
    expect([await methods.innerText(), await licence.innerText()].map((text) => text.split(/\s+/).at(-1))).toEqual([
      "missing",
      "present",
    ]);
    await hints.getByRole("button", { name: "Keywords" }).press("Enter");
    await page.locator(':focus[id="field-metadata-subjects"]').waitFor();

    await title(page).fill("Barley roots, corrected");
    await page.locator("summary", { hasText: "Related publications and data" }).press("Enter");
    await page.getByRole("button", { name: "Add publication or data" }).press("Enter");
    await page.keyboard.press("Tab");
    await field(page, "relatedIdentifiers-0-relatedIdentifier").fill("10.1234/roots.2026");
    await page.locator("#entry-authors-0").press("Enter");
    await field(page, "authors-0-lastName").fill("Carberry-Smith");
    await changes(page).getByText(DEMO_METADATA.title).waitFor();
    await changes(page).getByText("is described by the article").waitFor();
    await changes(page).getByText("Josiah Carberry-Smith, Creator").waitFor();
    await changes(page).getByLabel("Reason for the change").fill("The article has appeared");
    await expectAccessible(page);

    await page.reload();
    await changes(page).getByText("Barley roots, corrected").waitFor();
    expect(await changes(page).getByLabel("Reason for the change").inputValue()).toBe("The article has appeared");
    await save(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Barley roots, corrected" }).waitFor();
    const { metadata, revision } = await stateOf(id);
    expect({ metadata, revision }).toEqual({
      metadata: {
        ...sent,
        title: "Barley roots, corrected",
        authors: [{ ...author, lastName: "Carberry-Smith" }, ...otherAuthors],
        relatedIdentifiers: [{ relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots.2026" }],
      },
      revision: 2,
    });

    const revisions = page.getByRole("region", { name: "Metadata revisions" });
    await revisions.getByText("The article has appeared").waitFor();
    await revisions.getByRole("link", { name: "Compare revisions" }).click();
    const list = page.getByRole("region", { name: "Revisions of version 1" });
    await list.getByText("Changed: Title, Related publications and data, Authors and contributors").waitFor();
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText("10.1234/roots.2026").waitFor();
    await comparison.getByText(DEMO_METADATA.title).waitFor();
    await comparison.getByText("Last name").waitFor();
    await expectAccessible(page);
    await comparison.getByRole("group", { name: "From" }).getByLabel("Revision").selectOption("Revision 2");
    await comparison.getByText("These revisions have the same metadata.").waitFor();
    expect(new URL(page.url()).search).toBe("?from=1.2&to=1.2");
    await page.goto(address(id, "/revisions?from=1.1&to=1.9"));
    await comparison.getByText("This revision does not exist.").waitFor();
  });

  test("invalid metadata are not saved, and each error leads to its field", { tags: "extended" }, async () => {
    const id = await archived("invalid");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).fill("");
    await page.locator("summary", { hasText: "Time and place" }).press("Enter");
    await page.getByRole("button", { name: "Add date or period" }).press("Enter");
    await field(page, "dates-0-date").fill("someday");
    await changes(page).getByRole("button", { name: "Dates and periods 1, Date or start" }).waitFor();
    await save(page).click();
    await changes(page).getByText("before you save the changes").waitFor();
    await changes(page).getByRole("button", { name: "Title", exact: true }).click();
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("field-metadata-title");
    await expectAccessible(page);
    await discard(page, "Discard changes");
    await changes(page).getByText("You have not changed anything yet").waitFor();
    expect(await title(page).inputValue()).toBe(DEMO_METADATA.title);
    await page.reload();
    await changes(page).getByText("You have not changed anything yet").waitFor();
    expect((await stateOf(id)).revision).toBe(1);
  });

  test("changes of another user in the meantime are shown, and the user’s own are applied to them", {
    tags: "extended",
  }, async () => {
    const id = await archived("conflict");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).fill("Title of this user");
    await page.locator("#entry-authors-0").click();
    await field(page, "authors-0-lastName").fill("Carberry-Smith");
    const curator = { role: "DataCurator", firstName: "Ada", lastName: "Curator" };
    await changeTitle(id, "Title of the curator", { versionLabel: "2026.2" });
    await changeTitle(id, "Title of the curator", { authors: [curator, ...sent.authors] });
    await save(page).click();
    const notice = page.getByRole("alert").filter({ hasText: "The metadata have changed since you began" });
    await notice.getByText("Title of the curator").waitFor();
    await notice
      .getByText(/^Changed by /)
      .nth(1)
      .waitFor();
    await expect
      .poll(() => page.evaluate<string>("document.activeElement.textContent"))
      .toContain("Title of the curator");
    await expectAccessible(page);
    await page.reload();
    await notice.getByRole("button", { name: "Apply my changes" }).press("Enter");
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("edit-changes");
    await changes(page).getByText("You and another user have changed: Title.").waitFor();
    await changes(page).getByText("Title of the curator").waitFor();
    await save(page).click();
    await page.getByRole("heading", { level: 1, name: "Title of this user" }).waitFor();
    expect((await stateOf(id)).metadata).toEqual({
      ...sent,
      title: "Title of this user",
      versionLabel: "2026.2",
      authors: [curator, { ...author, lastName: "Carberry-Smith" }, ...otherAuthors],
    });
  });

  test("a user who has changed nothing gets the newer metadata, and can discard changes of older ones", {
    tags: "extended",
  }, async () => {
    const id = await archived("newer");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).waitFor();
    await changeTitle(id, "Newer title");
    await page.reload();
    await expect.poll(() => title(page).inputValue()).toBe("Newer title");
    await title(page).fill("Own title");
    await changeTitle(id, "Newest title");
    await page.reload();
    await discard(page, "Discard my changes");
    await expect.poll(() => title(page).inputValue()).toBe("Newest title");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("two tabs of a browser edit the same draft, and neither overwrites changes of the other", {
    tags: "extended",
  }, async () => {
    const id = await archived("tabs");
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page, context } = visiting;
    await title(page).fill("First");
    const other = await context.newPage();
    await other.goto(address(id, "/edit"));
    await expect.poll(() => title(other).inputValue()).toBe("First");
    await title(other).fill("Second");
    await expect.poll(() => title(page).inputValue()).toBe("Second");
    await save(other).click();
    await other.getByRole("heading", { level: 1, name: "Second" }).waitFor();
    await changes(page).getByText("You have not changed anything yet").waitFor();
    expect((await stateOf(id)).revision).toBe(2);
  });

  test("while a new version is being archived, changes are refused and stay in the form; versions can be compared", {
    tags: "extended",
  }, async () => {
    const id = await archived("busy");
    s3.put("busy", "b.csv", "two");
    const reading = s3.hold({ bucket: "busy", operation: "get", key: "b.csv" });
    const next = { metadata: { ...sent, title: "Title of version 2" }, dataset: { id } };
    const { id: submission } = await service.api.submit({ endpoint: s3.endpoint, bucket: "busy", ...keys }, next);
    await using visiting = await visit(browser, address(id, "/edit"));
    const { page } = visiting;
    await title(page).fill("Title of this user");
    await save(page).click();
    await changes(page).getByText("dataset_busy").waitFor();
    await changes(page).getByText("Your changes are not saved. They stay in this form.").waitFor();
    await expectAccessible(page);
    reading.release();
    await service.api.until(submission, ["completed"]);
    await save(page).click();
    const notice = page.getByRole("alert").filter({ hasText: "The metadata have changed since you began" });
    await notice.getByText("Title of version 2").waitFor();
    await notice.getByRole("button", { name: "Apply my changes" }).click();
    await save(page).click();
    await page.getByRole("heading", { level: 1, name: "Title of this user" }).waitFor();
    expect((await stateOf(id)).version).toBe(2);
    await page.goto(address(id, "/revisions?from=1.1&to=2.2"));
    const comparison = page.getByRole("region", { name: "Compare two revisions" });
    await comparison.getByText(DEMO_METADATA.title).waitFor();
    await comparison.getByText("Title of this user").waitFor();
    await expectAccessible(page);
    await comparison.getByRole("group", { name: "To" }).getByLabel("Version").selectOption("Version 1");
    await comparison.getByText("These revisions have the same metadata.").waitFor();
    expect(new URL(page.url()).search).toBe("?from=1.1&to=1.1");
  });

  test("the comparison has German labels, and shows hostile text as text", { tags: "extended" }, async () => {
    const id = await archived("german");
    const relatedIdentifiers = [{ relationType: "IsDescribedBy", relatedIdentifier: "10.1234/roots" }];
    const hostile = { constructor: "toString", "<b>": "\u202Eevil", "fields.title": { role: "Creator" } };
    await changeTitle(id, "Wurzeln \u202E$t(edit:save) {{revision}}", { relatedIdentifiers, ...hostile });
    await using visiting = await visit(browser, address(id, "/revisions?from=1.1&to=1.2"), { locale: "de-DE" });
    const { page } = visiting;
    const comparison = page.getByRole("region", { name: "Zwei Revisionen vergleichen" });
    await comparison.getByText("10.1234/roots").waitFor();
    await comparison.getByText("Wurzeln ␦$t(edit:save) {{revision}}").waitFor();
    await comparison.getByText("<b>").waitFor();
    await comparison.getByText("Titel", { exact: true }).waitFor();
    await expectAccessible(page);
  });
});

describe.skipIf(noChromium)(`the pages for changes of metadata of a service with sign-in ${ifSkipped}`, () => {
  test("a curator edits the dataset of another owner, and revisions name the curator", {
    tags: "extended",
  }, async () => {
    await using s3 = await startS3Server();
    await using service = await startTestService(TOKENS);
    const browser = await sharedBrowser();
    const tokens = await Tokens.open(service);
    const ada = bearer((await tokens.create("ada", "submitter")).token);
    const carla = (await tokens.create("carla", "curator")).token;
    s3.addAccount(keys);
    s3.createBucket("curated");
    s3.put("curated", "a.csv", "one");
    const s3Access = { endpoint: s3.endpoint, bucket: "curated", ...keys };
    const { json } = await service.api.post("/submission/upload/s3upload", { metadata: sent, s3Access }, ada);
    const read = async () => (await service.api.get(`/submission/${json.id}`, ada)).json;
    await expect.poll(async () => (await read()).status).toBe("completed");
    const { id } = (await read()).dataset;
    await using visiting = await visit(browser, `${service.url}/app/datasets/${id}/edit`);
    const { page } = visiting;
    await page.getByLabel("Access token", { exact: true }).fill(carla);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("textbox", { name: /^Title/ }).fill("Curated title");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { level: 1, name: "Curated title" }).waitFor();
    await page.getByRole("region", { name: "Metadata revisions" }).getByText("carla").waitFor();
    const stored = await page.evaluate<string[]>("Object.keys(localStorage)");
    expect(stored.filter((name) => name.includes(id))).toEqual([]);
  });
});
