import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { DemoService } from "./demo-service.ts";
import { SCREENSHOT_METADATA } from "./metadata.ts";

// Fields are found by their JSON pointer in the request, which does not depend on the language.
const field = (page: Page, pointer: string) => page.locator(`[id="field${pointer.replaceAll("/", "-")}"]`);

/** Enters the data source, chooses a checksum list, tests the connection, and waits for the preview. */
export async function testConnection(page: Page, { submissions, keys, list }: DemoService): Promise<void> {
  const { endpoint, bucket } = submissions.completed.source;
  for (const [name, value] of Object.entries({ endpoint, bucket, ...keys })) {
    await field(page, `/s3Access/${name}`).fill(value);
  }
  await page.locator("summary", { hasText: /^(Checksum lists|Prüfsummenlisten)/ }).click();
  const file = { name: list.name, mimeType: "text/plain", buffer: Buffer.from(list.text) };
  await page.locator("form input[type=file]").setInputFiles(file);
  await page.locator("form button[type=submit]").click();
  await page.getByRole("button", { name: "images/", exact: true }).click();
}

/** Sends a folder, of which the last files do not arrive before the screenshot is taken. */
export async function uploadFolder(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "accession-screenshots-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "barley-roots");
  for (const name of ["plots", "scans"]) await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, "README.md"), "# Barley roots under drought\n");
  for (let plot = 1; plot <= 12; plot++) {
    await writeFile(
      join(root, `plots/plot-${String(plot).padStart(2, "0")}.csv`),
      "date;depth_cm;roots\n".repeat(plot),
    );
  }
  for (let scan = 1; scan <= 6; scan++)
    await writeFile(join(root, `scans/scan-${scan}.tif`), Buffer.alloc(6 << 20, scan));
  // The first scans arrive.
  await page.route(/\/uploads\/[^/]+\/files$/, (route) => {
    const [, path = ""] = /^path ([^,]*)/.exec(route.request().headers()["upload-metadata"] ?? "") ?? [];
    return /scan-[3-6]/.test(Buffer.from(path, "base64").toString()) ? undefined : route.continue();
  });
  await page.locator("input[type=radio][value=upload]").check();
  await page.locator("input[webkitdirectory]").setInputFiles(root);
  await page.getByText(/15 (of|von) 19/).waitFor();
}

/** Enters the description. */
export async function writeDescription(page: Page): Promise<void> {
  const { title, description, subjects, license } = SCREENSHOT_METADATA;
  await field(page, "/metadata/title").fill(title);
  await field(page, "/metadata/description").fill(description);
  await field(page, "/metadata/subjects").fill(subjects.join(", "));
  await page.locator(`input[type=radio][value="${license}"]`).check();
}

/** Enters the authors. */
export async function writeAuthors(page: Page): Promise<void> {
  const { firstName, lastName, orcid, affiliation, rorid } = SCREENSHOT_METADATA.authors[0] ?? {};
  const author = { lastName, orcid, affiliation, rorid };
  await field(page, "/metadata/authors/0").fill(firstName ?? "");
  for (const [name, value] of Object.entries(author)) {
    await field(page, `/metadata/authors/0/${name}`).fill(value ?? "");
  }
  await page.locator("#add-author").click();
  await field(page, "/metadata/authors/1/role").selectOption("HostingInstitution");
  await page.locator("input[type=radio][value=organisation]").last().check();
  await field(page, "/metadata/authors/1/name").fill("Brown University");
  await page.keyboard.press("Escape");
}

/** Adds an author and types a part of the name of an institution, which is found in a vocabulary. */
export async function searchAffiliation(page: Page): Promise<void> {
  await field(page, "/metadata/authors/0").fill("Josiah");
  await field(page, "/metadata/authors/0/lastName").fill("Carberry");
  await field(page, "/metadata/authors/0/affiliation").fill("barley");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("ArrowDown");
}

/** Opens the groups of optional entries, and makes entries in some of them. */
export async function writeMore(page: Page): Promise<void> {
  const { titles, descriptions, relatedIdentifiers, fundingReferences, dates, geoLocations } = SCREENSHOT_METADATA;
  await page.locator("#more").waitFor();
  for (const group of await page.locator("details > summary").all()) await group.click();
  const add = async (list: string, texts: Record<string, string>) => {
    await field(page, `/metadata/${list}`).click();
    for (const [pointer, text] of Object.entries(texts)) {
      await field(page, `/metadata/${list}/0${pointer}`).fill(text);
    }
  };
  await add("titles", { "/title": titles[0]?.title ?? "" });
  await field(page, "/metadata/titles/0/titleType").selectOption("TranslatedTitle");
  await add("descriptions", { "/description": descriptions[0]?.description ?? "" });
  await add("relatedIdentifiers", { "/relatedIdentifier": relatedIdentifiers[0]?.relatedIdentifier ?? "" });
  const { funderName = "", awardNumber = "", awardTitle = "" } = fundingReferences[0] ?? {};
  await add("fundingReferences", {
    "/funderName": funderName,
    "/awardNumber": awardNumber,
    "/awardTitle": awardTitle,
  });
  const [date = "", until = ""] = dates[0]?.date.split("/") ?? [];
  await add("dates", { "/date": date, "/until": until });
  await add("geoLocations", { "": geoLocations[0]?.geoLocationPlace ?? "" });
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
