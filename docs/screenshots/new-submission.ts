import type { Page } from "playwright-core";
import { DEMO_METADATA } from "../../src/cli/demo/metadata.ts";
import type { DemoService } from "./demo-service.ts";

// Fields are found by their JSON pointer in the request, which does not depend on the language.
const field = (page: Page, pointer: string) => page.locator(`[id="field${pointer.replaceAll("/", "-")}"]`);

/** Enters the data source, tests the connection, and waits for the preview. */
export async function testConnection(page: Page, { submissions, keys }: DemoService): Promise<void> {
  const { endpoint, bucket } = submissions.completed.source;
  for (const [name, value] of Object.entries({ endpoint, bucket, ...keys })) {
    await field(page, `/s3Access/${name}`).fill(value);
  }
  await page.locator("form button[type=submit]").click();
  await page.getByRole("button", { name: "images/", exact: true }).click();
}

/** Enters the description. */
export async function writeDescription(page: Page): Promise<void> {
  const { title, description, subjects, license } = DEMO_METADATA;
  await field(page, "/metadata/title").fill(title);
  await field(page, "/metadata/description").fill(description);
  await field(page, "/metadata/subjects").fill(subjects.join(", "));
  await page.locator(`input[type=radio][value="${license}"]`).check();
}

/** Enters the authors. */
export async function writeAuthors(page: Page): Promise<void> {
  const { firstName, lastName, orcid, affiliation } = DEMO_METADATA.authors[0] ?? {};
  const author = { lastName, orcid, affiliation };
  await field(page, "/metadata/authors/0").fill(firstName ?? "");
  for (const [name, value] of Object.entries(author)) {
    await field(page, `/metadata/authors/0/${name}`).fill(value ?? "");
  }
  await page.locator("#add-author").click();
  await field(page, "/metadata/authors/1/role").selectOption("HostingInstitution");
  await field(page, "/metadata/authors/1/affiliation").fill("Brown University");
}

/** Enters everything required except the title, and opens the review. */
export async function reviewAll(page: Page, demo: DemoService): Promise<void> {
  const parts = page.locator("nav ol button");
  await testConnection(page, demo);
  await parts.nth(2).click();
  await writeAuthors(page);
  await parts.nth(3).click();
  await page.locator("h3#warnings").waitFor();
}
