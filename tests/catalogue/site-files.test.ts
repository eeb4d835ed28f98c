import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { archiveAs, type PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { copyId, copyPublished } from "../support/database/many-published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks } from "../support/tools.ts";

const COPIES = 250;
const HOSTILE = `Wheat & <b>"rye"</b> ]]> \u{1F33E}`;
const PATHS = ["/sitemap.xml", "/sitemap/1.xml", "/feed.atom", "/opensearch.xml"];

let s3: S3Server;
let service: TestService;
let open: PublicationClient;
let withdrawn: PublicationClient;
let hidden: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_PUBLISHER: "Institute of <Plants> & Soil",
  });
  open = await publishAs(service, s3, { metadata: { ...goodMetadata, title: HOSTILE } });
  withdrawn = await publishAs(service, s3);
  await withdrawn.done("none", "withdraw", { reason: "An error" });
  hidden = (await archiveAs(service, s3, undefined)).dataset;
  await service.restart(async () => {
    const database = await service.database();
    await copyPublished(database, open.dataset, COPIES);
    await database.close();
  });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const text = async (path: string, from = service) => {
  const response = await fetch(from.url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const wellFormed = (xml: string) => {
  if (!lacks("xmllint")) execFileSync("xmllint", ["--noout", "-"], { input: xml, stdio: "pipe" });
};

test("robots.txt names the site map, and closes only the application and whole datasets", async () => {
  const robots = await text("/robots.txt");
  expect(robots).toContain(`Sitemap: ${service.url}/sitemap.xml\n`);
  expect(robots).toContain("Disallow: /app/\n");
  expect(robots).not.toMatch(/^Disallow: (?:\/|\/dataset\/?)$/m);
});

test("the site map has the address of every published dataset, and no other", async () => {
  const index = await text("/sitemap.xml");
  expect([...index.matchAll(/<loc>(.*?)<\/loc><lastmod>/g)].map(([, url]) => url)).toEqual([
    `${service.url}/sitemap/1.xml`,
  ]);
  const found = [...(await text("/sitemap/1.xml")).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  const copies = Array.from({ length: COPIES }, (_, n) => `${service.url}/dataset/${copyId(n + 1)}`);
  expect(found.toSorted()).toEqual([`${service.url}/`, `${service.url}/dataset/${open.dataset}`, ...copies].toSorted());
  for (const file of ["0.xml", "2.xml", "1", "x.xml", "999999999.xml", "1.xml%00"]) {
    expect([file, (await fetch(`${service.url}/sitemap/${file}`)).status]).toEqual([file, 404]);
  }
});

test("the feed has the newest datasets, and those that a search finds", async () => {
  const feed = await text("/feed.atom");
  expect(feed.match(/<entry>/g)).toHaveLength(50);
  expect(feed).toContain("Wheat &amp; &lt;b&gt;");
  expect(await text("/feed.atom?q=wheat&type=Dataset")).toContain("Institute of &lt;Plants&gt; &amp; Soil: wheat");
  // A value that no dataset has finds nothing, as in the API. The time of the feed is that of the newest dataset.
  const newest = /<updated>(.*?)<\/updated>/.exec(await text("/feed.atom"))?.[1]?.slice(0, 10);
  for (const query of ["q=nothinglikethis", "year=abc", "collection=nope"]) {
    const empty = await text(`/feed.atom?${query}`);
    expect([query, empty.includes("<entry>")]).toEqual([query, false]);
    expect([query, /<updated>(.*?)<\/updated>/.exec(empty)?.[1]?.slice(0, 10)]).toEqual([query, newest]);
  }
  expect((await fetch(`${service.url}/feed.atom?unknown=1`)).status).toBe(422);
});

test("the description of the search names the catalogue and the feed", async () => {
  const description = await text("/opensearch.xml");
  expect(description).toContain(`template="${service.url}/?q={searchTerms}"`);
  expect(description).toContain(`template="${service.url}/feed.atom?q={searchTerms}"`);
  expect(description).toContain("<ShortName>Institute of &lt;Pl</ShortName>");
});

test("the DCAT catalogue has all published datasets in pages", async () => {
  const titles: string[] = [];
  let pages = 0;
  for (let url: string | undefined = "/catalogue.jsonld"; url !== undefined; pages++) {
    const response: Response = await fetch(service.url + url);
    expect(response.headers.get("content-type")).toContain("application/ld+json");
    const { "@graph": graph } = (await response.json()) as { "@graph": Record<string, never>[] };
    const [catalogue, view, ...datasets] = graph;
    expect(catalogue?.["@type"]).toBe("dcat:Catalog");
    expect(catalogue?.["dcat:dataset"]).toHaveLength(datasets.length);
    titles.push(...datasets.map((dataset) => dataset["dcterms:title"] ?? ""));
    const next: string | undefined = (view?.["hydra:next"] as { "@id": string } | undefined)?.["@id"];
    url = next?.replace(service.url, "");
  }
  expect([pages, titles.length, new Set(titles)]).toEqual([3, COPIES + 1, new Set([HOSTILE])]);
});

test("no list contains datasets that are private or withdrawn", async () => {
  for (const path of [...PATHS, "/catalogue.jsonld", "/robots.txt"]) {
    const answer = await text(path);
    expect([path, answer.includes(hidden), answer.includes(withdrawn.dataset)]).toEqual([path, false, false]);
    if (PATHS.includes(path)) wellFormed(answer);
  }
});

test("the lists of a service that publishes nothing are valid", { tags: "extended" }, async () => {
  await using empty = await startTestService();
  for (const path of PATHS) wellFormed(await text(path, empty));
  expect(await text("/sitemap/1.xml", empty)).toContain(`<loc>${empty.url}/</loc>`);
  expect(JSON.parse(await text("/catalogue.jsonld", empty))["@graph"]).toHaveLength(2);
});
