import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { METADATA_FORMATS } from "../../src/describe/formats/formats.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
let s3: S3Server;
let account: DataciteAccount;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_CONCEPT_DOI: "on",
    ...account.settings(),
  });
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

async function archive(version: number, more: object = {}): Promise<string> {
  const metadata = { ...goodMetadata, title: `Roots of barley, part ${version}` };
  const files = { "README.md": "# Plots", [`plots/${version}.csv`]: "1;2" };
  return (await archiveAs(service, s3, undefined, { metadata, files, more })).dataset;
}

/** Publishes the newest version. @returns its DOI */
async function publish(one: PublicationClient): Promise<string> {
  await one.done(NO_TOKEN, "request", { agreement: true, access: "open" });
  const { doi } = await one.until(NO_TOKEN, "published");
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.nextAttemptAt === null);
  await service.settled();
  return doi;
}

interface Relation {
  relationType: string;
  relatedIdentifier: string;
}

/** The relations between versions that DataCite has. */
function relationsOf(doi: string): string[][] {
  const all = (account.server.dois.get(doi)?.attributes.relatedIdentifiers ?? []) as Relation[];
  const own = all.filter(({ relationType }) => relationType.includes("Version"));
  return own.map(({ relationType, relatedIdentifier }) => [relationType, relatedIdentifier]);
}

test("a version that was never published is named by no format, and by no package that is archived after it", async () => {
  const dataset = await archive(1);
  const one = new PublicationClient(service, dataset);
  const first = await publish(one);
  await archive(2, { dataset: { id: dataset } });
  await archive(3, { dataset: { id: dataset } });
  const third = await publish(one);
  const concept = (await one.get(NO_TOKEN)).json.conceptDoi as string;

  expect(relationsOf(third)).toEqual([
    ["IsVersionOf", concept],
    ["IsNewVersionOf", first],
  ]);
  await vi.waitUntil(() => relationsOf(first).length === 2);
  expect(relationsOf(first)).toEqual([
    ["IsVersionOf", concept],
    ["IsPreviousVersionOf", third],
  ]);
  expect(relationsOf(concept).map(([, named]) => named)).toEqual([first, third]);

  const documents = ["metadata/datacite.xml", "metadata/datacite.json", "ro-crate-metadata.json"];
  const paths = [
    ...Object.keys(METADATA_FORMATS).flatMap((name) =>
      ["", "?version=1", "?version=3"].map((query) => `/export/${name}${query}`),
    ),
    ...documents.map((name) => `/files/${name}?version=3`),
    ...["", "?version=1", "/linkset", "/versions"],
  ];
  for (const token of [undefined, NO_TOKEN]) {
    // Owners and curators see the list of all versions.
    for (const path of token === undefined ? paths : paths.filter((name) => name.startsWith("/export"))) {
      const { status, text } = await one.get(token, path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, text.includes("version=2"), text.includes("part 2")]).toEqual([path, false, false]);
    }
  }
  const dcat = (await one.get(undefined, "/export/dcat?version=3")).json;
  expect(dcat["dcat:previousVersion"]).toEqual({ "@id": `${service.url}/dataset/${dataset}?version=1` });
  const replaced = (await one.get(undefined, "/export/dcat?version=1")).json["dcterms:isReplacedBy"];
  expect([replaced].flat()).toEqual([{ "@id": `${service.url}/dataset/${dataset}?version=3` }]);
  for (const prefix of ["oai_dc", "oai_datacite", "datacite"]) {
    const { text } = await service.api.get(`/oai?verb=ListRecords&metadataPrefix=${prefix}`);
    expect([prefix, text.includes(dataset), text.includes("version=2")]).toEqual([prefix, true, false]);
  }
  const page = await fetch(`${service.url}/dataset/${dataset}`, { headers: { accept: "text/html" } });
  expect(await page.text()).not.toContain("version=2");

  // Every identifier of the dataset finds it in the catalogue, however it is written.
  const dois = [first, third, concept].flatMap((doi) => [doi, `doi:${doi.toUpperCase()}`, `https://doi.org/${doi}`]);
  const ids = [dataset, `urn:uuid:${dataset}`, `${service.url}/dataset/${dataset}?version=1`];
  for (const q of [...dois, ...ids]) {
    const { json } = await service.api.get(`/datasets?${new URLSearchParams({ q })}`);
    expect([q, json.datasets.map(({ id }: { id: string }) => id)]).toEqual([q, [dataset]]);
  }
  for (const q of [`${first}0`, "10.5072/none", "00000000-0000-4000-8000-000000000000"]) {
    expect((await service.api.get(`/datasets?${new URLSearchParams({ q })}`)).json.total).toBe(0);
  }
});
