import type { Page } from "playwright-core";
import { DEMO_METADATA } from "../../src/cli/demo/metadata.ts";
import type { Stage } from "./stage.ts";

// Fields are found by what they are of the request, which is the same in every language.
const field = (page: Page, pointer: string) => page.locator(`[id="field${pointer.replaceAll("/", "-")}"]`);

/** Writes where the bucket lies, tests the connection, and waits for what was counted. */
export async function testConnection(page: Page, { submissions, keys }: Stage): Promise<void> {
  const { endpoint, bucket } = submissions.completed.source;
  for (const [name, value] of Object.entries({ endpoint, bucket, ...keys })) {
    await field(page, `/s3Access/${name}`).fill(value);
  }
  await page.locator("form button[type=submit]").click();
  await page.getByRole("button", { name: "images/", exact: true }).click();
}

/** Writes what the dataset is. */
export async function writeWhat(page: Page): Promise<void> {
  const { title, description, subjects, license } = DEMO_METADATA;
  await field(page, "/metadata/title").fill(title);
  await field(page, "/metadata/description").fill(description);
  await field(page, "/metadata/subjects").fill(subjects.join(", "));
  await page.locator(`input[type=radio][value="${license}"]`).check();
}

/** Writes who made it. */
export async function writeWho(page: Page): Promise<void> {
  const { firstName, lastName, orcid, affiliation } = DEMO_METADATA.authors[0] ?? {};
  const author = { lastName, orcid, affiliation };
  await field(page, "/metadata/authors/0").fill(firstName ?? "");
  for (const [name, value] of Object.entries(author)) {
    await field(page, `/metadata/authors/0/${name}`).fill(value ?? "");
  }
  await page.locator("#add-author").click();
  await field(page, "/metadata/authors/1/role").selectOption("HostingInstitution");
  await field(page, "/metadata/authors/1/lastName").fill("Brown University");
}

/** Writes what is needed but the title, and looks at all of it. */
export async function reviewAll(page: Page, stage: Stage): Promise<void> {
  const parts = page.locator("nav ol button");
  await testConnection(page, stage);
  await parts.nth(2).click();
  await writeWho(page);
  await parts.nth(3).click();
  await page.locator("h3#warnings").waitFor();
}
