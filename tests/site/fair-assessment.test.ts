/** @module-tag extended */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Api } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { freePort } from "../support/network/ports.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its files are open, and not under the embargo of the example. */
const { embargoDate: _, ...openMetadata } = maximalMetadata;

/** Nothing listens there. The service is asked at its own address, with the paths of these. */
const PUBLIC_URL = "https://data.example.org";

let s3: S3Server;
let account: DataciteAccount;
let service: TestService;
/** What a program finds that starts with the address of a dataset. */
interface Found {
  address: string;
  page: string;
  links: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON-LD has any form.
  embedded: any;
}
let found: Found;
/** A dataset with more files than the page names. */
let large: Found;
// biome-ignore lint/suspicious/noExplicitAny: JSON-LD has any form.
let dcat: any;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  const port = await freePort();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PORT: String(port),
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_PUBLIC_URL: PUBLIC_URL,
    ACCESSION_ALLOW_NETWORKS: "127.0.0.0/8",
    ...account.settings(),
  });
  service.url = `http://127.0.0.1:${port}`;
  service.api = new Api(service.url);
  const { token } = await (await Tokens.open(service)).create("ada", "submitter");
  const publish = async (files: Record<string, string>): Promise<Found> => {
    const { dataset } = await archiveAs(service, s3, token, { metadata: openMetadata, files, contentType: "text/csv" });
    const one = new PublicationClient(service, dataset);
    await one.done(token, "request", { agreement: true, access: "open" });
    await one.until(token, "published");
    return read(dataset);
  };
  found = await publish({ "plots/yield.csv": "plot;yield" });
  large = await publish(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`plots/${n}.csv`, `1;${n}`])));
  dcat = await (await get(`${found.address}/export/dcat`)).json();
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

const get = (url: string, accept = "*/*") => {
  const { pathname, search } = new URL(url);
  return fetch(service.url + pathname + search, { headers: { accept } });
};

async function read(dataset: string): Promise<Found> {
  const address = `${PUBLIC_URL}/dataset/${dataset}`;
  const answer = await get(address, "text/html");
  const page = await answer.text();
  const embedded = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(page)?.[1] ?? "{}");
  return { address, page, links: answer.headers.get("link") ?? "", embedded };
}

/** The metadata documents to which the page leads. */
const documents = () => [...found.links.matchAll(/<([^>]+)>; rel="describedby"/g)].map(([, href = ""]) => href);

const contentUrls = (): string[] =>
  found.embedded.distribution.map(({ contentUrl }: { contentUrl: string }) => contentUrl);

/** Vocabularies that F-UJI does not count, because most pages use them. */
const COMMON = /schema\.org|purl\.org\/dc|ns\/dcat|foaf|vcard|skos|XMLSchema|rdf-schema/;

/** The evidence for each metric: what its tests look for. */
const METRICS: Record<string, () => unknown> = {
  "F1-01MD": () => {
    const { embedded } = found;
    expect(embedded.identifier).toEqual(expect.arrayContaining([embedded["@id"]]));
  },
  "F1-02MD": () => {
    const { embedded, links } = found;
    expect(embedded["@id"]).toMatch(/^https:\/\/doi\.org\/10\.5072\//);
    expect(links).toContain(`<${embedded["@id"]}>; rel="cite-as"`);
    const [doi = ""] = /10\.5072\/.*/.exec(embedded["@id"]) ?? [];
    expect(account.server.dois.get(doi)).toMatchObject({ state: "findable" });
  },
  "F2-01M": () => {
    const core = ["creator", "name", "identifier", "publisher", "datePublished", "@type", "description", "keywords"];
    expect(core.filter((name) => found.embedded[name] === undefined)).toEqual([]);
  },
  "F3-01M": () => {
    const file = found.embedded.distribution.find(({ name }: { name: string }) => name === "plots/yield.csv");
    expect(found.links).toContain(`<${file.contentUrl}>; rel="item"`);
    expect(large.embedded.distribution.map(({ name }: { name: string }) => name)).toEqual(["RO-Crate", "Bag"]);
  },
  "F4-01M": async () => {
    expect(found.embedded["@context"]).toBe("https://schema.org");
    expect(found.page).toContain('<meta name="DC.title"');
    expect((await get(`${PUBLIC_URL}/sitemap.xml`)).status).toBe(200);
  },
  "A1-01M": () => {
    expect(found.embedded.isAccessibleForFree).toBe(true);
    expect(found.embedded.conditionsOfAccess).toBe("http://purl.org/coar/access_right/c_abf2");
    const rights = [dcat["dcterms:accessRights"]].flat().map((one) => one["@id"]);
    expect(rights).toContain("http://publications.europa.eu/resource/authority/access-right/PUBLIC");
  },
  "A1-02MD": async () => {
    expect(documents().length).toBeGreaterThan(5);
    for (const url of documents()) expect([url, (await get(url)).status]).toEqual([url, 200]);
    for (const { contentUrl } of [...found.embedded.distribution, ...large.embedded.distribution]) {
      const answer = await get(contentUrl);
      expect([contentUrl, answer.status, (await answer.bytes()).length > 0]).toEqual([contentUrl, 200, true]);
    }
  },
  "A1.1-01MD": () => {
    for (const url of [...documents(), ...contentUrls()]) expect(url).toMatch(/^https?:/);
  },
  "A1.2-01MD": () => {
    for (const url of [found.address, ...documents(), ...contentUrls()]) expect(url).toMatch(/^https:/);
    expect(found.page).toContain(`<link rel="canonical" href="${found.address}"`);
  },
  "I1-01M": async () => {
    expect(found.embedded["@type"]).toBe("Dataset");
    // As F-UJI asks for schema.org, and for RDF in any form.
    for (const accept of [
      "application/vnd.schemaorg.ld+json, application/ld+json",
      "text/turtle, application/ld+json",
    ]) {
      const negotiated = await get(found.address, accept);
      expect(negotiated.headers.get("content-type")).toContain("application/ld+json");
      expect(await negotiated.json()).toHaveProperty("@context");
    }
  },
  "I2-01M": () => {
    const namespaces = Object.values<string>(dcat["@context"]).filter((uri) => !COMMON.test(uri));
    expect(namespaces).toEqual(expect.arrayContaining(["http://www.w3.org/ns/prov#", "http://www.w3.org/ns/adms#"]));
    expect(found.embedded.conditionsOfAccess).toContain("http://purl.org/coar/");
  },
  "I3-01M": () => {
    expect(Object.keys(found.embedded)).toEqual(expect.arrayContaining(["citation", "isBasedOn"]));
    expect(found.embedded.isBasedOn["@id"]).toMatch(/^https:/);
  },
  "R1-01M": async () => {
    expect(found.embedded.distribution).toContainEqual(
      expect.objectContaining({ name: "plots/yield.csv", contentSize: "10 B", encodingFormat: "text/csv" }),
    );
    // With many files, size and type are those of the dataset as a whole.
    expect(large.embedded.size).toBe("21 files, 74 bytes");
    const whole = (await (await get(`${large.address}/export/datacite-json`)).json()) as object;
    expect(whole).toMatchObject({ sizes: ["21 files", "74 bytes"], formats: ["text/csv"] });
  },
  "R1.1-01M": () =>
    expect([found.embedded.license].flat()).toContainEqual(
      expect.stringMatching(/^https:\/\/creativecommons\.org\/licenses\/by\/4\.0\//),
    ),
  "R1.2-01M": () => {
    const { contributor, publisher, dateCreated } = found.embedded;
    expect([contributor, publisher, dateCreated]).not.toContain(undefined);
    expect(dcat["@context"].prov).toBe("http://www.w3.org/ns/prov#");
    expect(Date.parse(dcat["prov:generatedAtTime"]["@value"])).toBeLessThan(Date.now());
  },
  "R1.3-01M": async () =>
    expect(await (await get(`${found.address}/export/datacite-xml`)).text()).toContain(
      "http://datacite.org/schema/kernel-4",
    ),
  "R1.3-02D": async () => {
    expect(found.links).toMatch(/yield\.csv\?version=1>; rel="item"; type="text\/csv"/);
    const [file] = contentUrls().filter((url) => new URL(url).pathname.endsWith("/yield.csv"));
    expect((await get(file ?? "")).headers.get("content-type")).toBe("text/csv");
  },
};

test("the documentation has a line for each of them", async () => {
  const text = await readFile(new URL("../../docs/fair-assessment.md", import.meta.url), "utf8");
  const named = [...text.matchAll(/^\| ([FAIR][\d.]+-\d\d[MD]+) /gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(METRICS));
});

test.each(Object.keys(METRICS))("%s", async (name) => {
  await METRICS[name]?.();
});
