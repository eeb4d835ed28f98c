/** @module-tag extended */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { publishAs } from "../support/api/published.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its files are open, and not under the embargo of the example. */
const { embargoDate: _, ...openMetadata } = maximalMetadata;

let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
/** What a program finds that starts with the address of the dataset. */
let address: string;
let page: string;
let links: string;
// biome-ignore lint/suspicious/noExplicitAny: JSON-LD has any form.
let embedded: any;
// biome-ignore lint/suspicious/noExplicitAny: JSON-LD has any form.
let dcat: any;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ...account.settings(),
  });
  const one = await publishAs(service, s3, { metadata: openMetadata, files: { "plots/yield.csv": "plot;yield" } });
  address = `${service.url}/dataset/${one.dataset}`;
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  page = await answer.text();
  links = answer.headers.get("link") ?? "";
  embedded = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(page)?.[1] ?? "{}");
  dcat = await (await fetch(`${address}/export/dcat`)).json();
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

/** The evidence of each metric. */
const METRICS: Record<string, () => unknown> = {
  "F1-01MD": () => expect(embedded.identifier).toEqual(expect.arrayContaining([embedded["@id"]])),
  "F1-02MD": () => {
    expect(embedded["@id"]).toMatch(/^https:\/\/doi\.org\/10\.5072\//);
    expect(links).toContain(`<${embedded["@id"]}>; rel="cite-as"`);
  },
  "F2-01M": () => {
    const core = ["creator", "name", "identifier", "publisher", "datePublished", "@type", "description", "keywords"];
    expect(core.filter((name) => embedded[name] === undefined)).toEqual([]);
  },
  "F3-01M": async () => {
    const file = embedded.distribution.find(({ name }: { name: string }) => name === "plots/yield.csv");
    const path = new URL(file.contentUrl).pathname;
    expect(links).toContain(`<${file.contentUrl}>; rel="item"`);
    expect(await (await fetch(service.url + path)).text()).toBe("plot;yield");
  },
  "F4-01M": async () => {
    expect(embedded["@context"]).toBe("https://schema.org");
    expect(page).toContain('<meta name="DC.title"');
    expect((await fetch(`${service.url}/sitemap.xml`)).status).toBe(200);
  },
  "A1-01M": () => {
    expect(embedded.isAccessibleForFree).toBe(true);
    expect(embedded.conditionsOfAccess).toBe("http://purl.org/coar/access_right/c_abf2");
    const rights = [dcat["dcterms:accessRights"] ?? dcat["@graph"]].flat().map((one) => one["@id"]);
    expect(rights).toContain("http://publications.europa.eu/resource/authority/access-right/PUBLIC");
  },
  "A1-02MD": async () => {
    const formats = [...links.matchAll(/<([^>]+)>; rel="describedby"/g)].map(([, href = ""]) => new URL(href));
    expect(formats.length).toBeGreaterThan(5);
    for (const { pathname, search } of formats) {
      expect((await fetch(service.url + pathname + search)).status).toBe(200);
    }
  },
  "A1.1-01MD": () => expect(embedded.distribution[0].contentUrl).toMatch(/^http:/),
  "A1.2-01MD": () => expect(page).toContain(`<link rel="canonical" href="${address}"`),
  "I1-01M": async () => {
    const negotiated = await fetch(address, { headers: { accept: "application/ld+json" } });
    expect(negotiated.headers.get("content-type")).toContain("application/ld+json");
    expect(await negotiated.json()).toHaveProperty("@context");
  },
  "I2-01M": () =>
    expect(JSON.stringify(dcat["@context"])).toMatch(/ns\/dcat#.*purl\.org\/dc\/terms.*foaf.*vcard.*skos/),
  "I3-01M": () => expect(Object.keys(embedded)).toEqual(expect.arrayContaining(["citation", "isBasedOn"])),
  "R1-01M": () =>
    expect(embedded.distribution).toContainEqual(
      expect.objectContaining({ name: "plots/yield.csv", contentSize: "10 B", encodingFormat: expect.any(String) }),
    ),
  "R1.1-01M": () =>
    expect([embedded.license].flat()).toContainEqual(
      expect.stringMatching(/^https:\/\/creativecommons\.org\/licenses\/by\/4\.0\//),
    ),
  "R1.2-01M": () => expect([embedded.contributor, embedded.publisher, embedded.dateCreated]).not.toContain(undefined),
  "R1.3-01M": async () =>
    expect(await (await fetch(`${address}/export/datacite-xml`)).text()).toContain(
      "http://datacite.org/schema/kernel-4",
    ),
  "R1.3-02D": () => expect(links).toMatch(/yield\.csv>; rel="item"; type="[a-z]+\/[a-z-]+"/),
};

test("the documentation has a line for each of them", async () => {
  const text = await readFile(new URL("../../docs/fair-assessment.md", import.meta.url), "utf8");
  const named = [...text.matchAll(/^\| ([FAIR][\d.]+-\d\d[MD]+) /gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(METRICS));
});

test.each(Object.keys(METRICS))("%s", async (name) => {
  await METRICS[name]?.();
});
