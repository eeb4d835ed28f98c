import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const author = { role: "Creator", lastName: "Müller", firstName: "Änne" };

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function q(text: string): Promise<string[]> {
  const { json } = await service.api.get(`/datasets?${new URLSearchParams({ q: text })}`);
  return json.datasets.map(({ id }: { id: string }) => id);
}

test("short metadata are found also beside very long ones", async () => {
  const authors = Array.from({ length: 3_000 }, (_, n) => ({ ...author, firstName: "X", lastName: `Quill${n}` }));
  const metadata = {
    ...goodMetadata,
    title: "A very long description",
    description: "vocable ".repeat(11_000),
    subjects: ["lonely-keyword"],
    authors,
    fundingReferences: [{ funderName: "Lighthouse Trust", awardNumber: "LT77Q" }],
    geoLocations: [{ geoLocationPlace: "Kessingland" }],
    alternateIdentifiers: [{ alternateIdentifier: "PRJEB98765", alternateIdentifierType: "BioProject" }],
    subjectTerms: [{ subject: "Roots", subjectScheme: "Own", classificationCode: "RX0099" }],
    versionLabel: "v2031",
    resourceType: "Herbarium sheets",
    acknowledgements: "We thank the gardeners of Walberswick.",
  };
  const { dataset } = await publishAs(service, s3, { metadata });
  const short = ["lonely-keyword", "LT77Q", "Kessingland", "PRJEB98765", "RX0099", "v2031", "herbarium"];
  for (const text of [...short, "Quill2999", "Lighthouse"]) expect([text, await q(text)]).toEqual([text, [dataset]]);
  const brief = { ...metadata, title: "Short", description: "A leaf.", authors: [author] };
  const other = await publishAs(service, s3, { metadata: brief });
  expect(await q("Walberswick")).toEqual([other.dataset]);
});

test("the page says which parts of an address were not understood, and that a page of results does not exist", async () => {
  const page = async (query: string) => (await service.api.get(`/?${query}`, { accept: "text/html" })).text;
  const long = await page(`q=${"wheat ".repeat(300)}`);
  expect(long).toContain("The search text is too long: only its beginning was searched for.");
  const wrong = await page(
    `access=foo&access=open&sort=foo&page=abc&subject=${"x".repeat(3_000)}&lang=en&utm_source=mail`,
  );
  expect(wrong).toContain("do not restrict the results: subject, access, sort, page.");
  for (const number of ["3", "51", "9999"]) {
    const beyond = await page(`page=${number}`);
    expect(beyond).toMatch(/There is no page [\d,]+ of these results\. <a href="\/">Open the first page/);
    expect(beyond).not.toContain("No dataset has been published yet.");
  }
  expect(await page("q=wheat&sort=title&access=open")).not.toContain('role="alert"');
});

test("search engines list the start page, and not its orders; results say what kind they are, if not datasets", async () => {
  await publishAs(service, s3, {
    metadata: { ...goodMetadata, title: "Simulator", resourceTypeGeneral: "Software" },
  });
  const page = async (query: string) => (await service.api.get(`/${query}`, { accept: "text/html" })).text;
  expect(await page("")).not.toContain("noindex");
  expect(await page("?sort=title")).toContain("noindex");
  const found = await page("?q=simulator&lang=de");
  expect(found).toContain('<span class="badge">Software</span>');
  // The language that was chosen is kept.
  const links = [...found.matchAll(/ href="(\/(?:dataset|\?|collections|about)[^"]*)"/g)].map(([, href = ""]) => href);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect(link).toMatch(/[?;]lang=(de|en)(#|$)/);
  expect(found.match(/<input type="hidden" name="lang" value="de">/g)?.length).toBeGreaterThanOrEqual(2);
});
