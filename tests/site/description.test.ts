import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { publishAs } from "../support/api/published.ts";
import { shown } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

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

/** The landing page of a dataset with these metadata. */
async function pageOf(metadata: object, language = "en"): Promise<string> {
  const { dataset } = await publishAs(service, s3, { metadata: { ...goodMetadata, ...metadata } });
  return landingPage(dataset, language);
}

async function landingPage(dataset: string, language: string): Promise<string> {
  const answer = await fetch(`${service.url}/dataset/${dataset}?lang=${language}`, {
    headers: { accept: "text/html" },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The value of a row of the details. */
function rowOf(page: string, name: string): string {
  return new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, "s").exec(page)?.[1] ?? "";
}

test("contributors are shown with their institutions, as authors are", async () => {
  const [creator] = goodMetadata.authors;
  const page = await pageOf({
    authors: [
      creator,
      { role: "DataCurator", firstName: "Ada", lastName: "Curator", affiliation: "<Institute of the Coast>" },
      {
        ...{ role: "Editor", firstName: "Bob", lastName: "Editor", orcid: "0000-0002-1825-0097" },
        affiliations: [
          { name: "Brown University", rorid: "https://ror.org/05gq02987" },
          { name: "<Institute of the Coast>" },
        ],
      },
    ],
  });
  const contributors = rowOf(page, "Contributors");
  expect(shown(contributors).trim()).toBe(
    "Curator, Ada (Data curator) 1 Editor, Bob ORCID (Editor) 2, 1 1 <Institute of the Coast> · 2 Brown University ROR",
  );
  expect(contributors).toContain('<a class="id" href="https://ror.org/05gq02987"');
  expect(contributors).toContain('aria-label="Contributors"');
});

test("terms of vocabularies are shown with their vocabulary, and lead to the term", async () => {
  const page = await pageOf({
    subjects: ["barley", "roots", "roots"],
    subjectTerms: [
      {
        ...{ subject: "barley", subjectScheme: 'AGRO"VOC', classificationCode: "c_823", language: "en" },
        ...{ valueUri: "http://aims.fao.org/aos/agrovoc/c_823?a=1&b=2", schemeUri: "https://aims.fao.org/aos/agrovoc" },
      },
      { subject: "barley", subjectScheme: "MeSH", schemeUri: "https://id.nlm.nih.gov/mesh" },
      { subject: "soil", valueUri: "https://vocabulary.example.org/soil" },
      { subject: "light", subjectScheme: "House list" },
    ],
  });
  const keywords = rowOf(page, "Keywords");
  expect(shown(keywords).trim()).toBe(
    'roots barley AGRO"VOC c_823 barley MeSH soil vocabulary.example.org light House list',
  );
  expect(keywords).toContain(
    '<a class="id" rel="nofollow" href="http://aims.fao.org/aos/agrovoc/c_823?a=1&amp;b=2">AGRO&quot;VOC c_823</a>',
  );
  expect(keywords).toContain('<a class="id" rel="nofollow" href="https://id.nlm.nih.gov/mesh">MeSH</a>');
  expect(keywords).toContain('<a class="id" rel="nofollow" href="https://vocabulary.example.org/soil">');
  expect(keywords).toContain(' lang="en">barley</a>');
});

test.each([
  ["en", ["Alternative title: A", "Subtitle: B", "Translated title: C", "Other title: D"]],
  ["de", ["Alternativer Titel: A", "Untertitel: B", "Übersetzter Titel: C", "Anderer Titel: D"]],
] as const)("further titles are shown with their kind (%s)", async (language, expected) => {
  const page = await pageOf(
    {
      titles: [
        { title: "A", titleType: "AlternativeTitle" },
        { title: "B", titleType: "Subtitle" },
        { title: "C", titleType: "TranslatedTitle", language: "fr" },
        { title: "D", titleType: "Other" },
      ],
    },
    language,
  );
  const heading = shown(page.slice(0, page.indexOf("</header>", page.indexOf("<article>"))));
  for (const one of expected) expect(heading).toContain(one);
  expect(page).toContain('<span lang="fr">C</span>');
});
