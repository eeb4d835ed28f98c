import LinkHeader, { type Reference } from "http-link-header";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { maximalMetadata } from "../support/archive/maximal.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its files are open, and not under the embargo of the example. */
const { embargoDate: _, ...openMetadata } = maximalMetadata;
const ODD = 'plots, "north"; <1> é.csv';
const TEXT = "application/linkset";
const JSON_FORM = "application/linkset+json";

interface Context {
  anchor: string;
  [relation: string]: string | { href: string; type?: string; profile?: string[] }[];
}

let s3: S3Server;
let service: TestService;
let few: PublicationClient;
let many: PublicationClient;
/** The address of the page of each. */
let page: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  few = await publishAs(service, s3, { metadata: openMetadata, files: { [ODD]: "1;2", "roots.png": "x" } });
  const files = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`plots/${n}.csv`, `1;${n}`]));
  many = await publishAs(service, s3, { metadata: openMetadata, files });
  page = `${service.url}/dataset/${few.dataset}`;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const get = (url: string, accept = "*/*") => fetch(url, { headers: { accept }, redirect: "manual" });
/** The links of a header or of a linkset, read by a library that this project does not maintain. */
const parsed = (text: string | null): Reference[] => LinkHeader.parse(text ?? "").refs;
const linksOf = async (url: string, accept?: string) => parsed((await get(url, accept)).headers.get("link"));
const contexts = async (url: string) => ((await (await get(url)).json()) as { linkset: Context[] }).linkset;
const named = (links: Reference[], rel: string) => links.filter((link) => link.rel === rel);
/** Links without the order in which a form writes them. */
const sorted = (links: object[]) => links.map((link) => JSON.stringify(Object.entries(link).sort())).sort();

test("the header of the page has all relations, and leads to both forms of the linkset", async () => {
  for (const accept of ["text/html", "application/json"]) {
    const links = await linksOf(page, accept);
    expect(new Set(links.map(({ rel }) => rel))).toEqual(
      new Set(["cite-as", "type", "author", "license", "describedby", "item", "linkset"]),
    );
    expect(named(links, "cite-as")).toEqual([{ uri: `${page}?version=1`, rel: "cite-as" }]);
    expect(named(links, "linkset")).toEqual(
      [JSON_FORM, TEXT].map((type) => ({ uri: `${page}/linkset`, rel: "linkset", type })),
    );
    expect(named(links, "item").map(({ uri }) => decodeURIComponent(uri))).toContain(
      `${page}/files/data/${ODD}?version=1`,
    );
  }
  const links = await linksOf(`${service.url}/dataset/${many.dataset}`, "text/html");
  expect([named(links, "item"), named(links, "linkset").length]).toEqual([[], 2]);
});

test("every link leads to what it names, and from there back to the page", async () => {
  const links = await linksOf(page, "text/html");
  const own = links.filter(({ uri }) => uri.startsWith(service.url) && !uri.endsWith("?version=1"));
  expect(own.length).toBeGreaterThan(10);
  for (const { uri, rel, type } of own) {
    const answer = await get(uri, rel === "linkset" ? type : "*/*");
    expect([uri, answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([uri, 200, type]);
    const back = { item: "collection", describedby: "describes" }[rel];
    if (back === undefined) continue;
    expect(parsed(answer.headers.get("link"))).toEqual([{ uri: page, rel: back, type: "text/html" }]);
  }
});

test("the head of the page has the links of the header besides those to files", async () => {
  for (const { dataset } of [few, many]) {
    const answer = await get(`${service.url}/dataset/${dataset}`, "text/html");
    const head = (await answer.text()).split("</head>")[0] ?? "";
    const links = parsed(answer.headers.get("link")).filter(({ rel }) => rel !== "item");
    for (const { uri, rel, type } of links) {
      expect(head).toContain(`<link rel="${rel}" href="${uri}"${type === undefined ? "" : ` type="${type}"`}>`);
    }
    for (const rel of ["cite-as", "describedby", "linkset", "license"]) expect(head).toContain(`<link rel="${rel}"`);
  }
});

test("the linkset has the links of the page, of the metadata documents and of the files, each anchor once", async () => {
  const address = `${service.url}/dataset/${many.dataset}`;
  const [own, ...others] = await contexts(`${address}/linkset`);
  expect(own?.anchor).toBe(address);
  const anchors = others.map(({ anchor }) => anchor);
  const targets = ["describedby", "item"].flatMap((rel) => (own?.[rel] ?? []) as { href: string }[]);
  expect(anchors).toEqual(targets.map(({ href }) => href));
  expect(new Set(anchors).size).toBe(anchors.length);
  const back = [{ href: address, type: "text/html" }];
  for (const { anchor, ...links } of others) {
    if (anchor.includes("/export/")) expect(links).toEqual({ describes: back });
    else expect(links).toEqual({ collection: back, type: [{ href: "https://schema.org/MediaObject" }] });
  }
  const images = (await contexts(`${page}/linkset`)).filter(
    ({ type, anchor }) => type && new URL(anchor).pathname.endsWith(".png"),
  );
  expect(images.map(({ type }) => type)).toEqual([[{ href: "https://schema.org/MediaObject" }]]);
});

test("both forms of the linkset have the same links", async () => {
  for (const url of [`${page}/linkset`, `${service.url}/dataset/${many.dataset}/linkset?version=1`]) {
    const text = await get(url, `${TEXT}, ${JSON_FORM};q=0.5`);
    expect([text.headers.get("content-type"), text.headers.get("vary")]).toEqual([
      TEXT,
      expect.stringContaining("Accept"),
    ]);
    expect((await get(url)).headers.get("content-type")).toBe(JSON_FORM);
    const fromJson = (await contexts(url)).flatMap(({ anchor, ...relations }) =>
      Object.entries(relations).flatMap(([rel, targets]) =>
        (targets as { href: string; profile?: string[] }[]).map(({ href, profile, ...more }) => {
          return { uri: href, rel, ...more, ...(profile && { profile: profile[0] }), anchor };
        }),
      ),
    );
    expect(sorted(parsed(await text.text()))).toEqual(sorted(fromJson));
  }
});

test("the notice of a withdrawal says what it is and how to cite it, and leads to no metadata", async () => {
  const one = await publishAs(service, s3);
  await one.done("none", "withdraw", { reason: "A mistake" });
  const answer = await get(`${service.url}/dataset/${one.dataset}?version=1`, "text/html");
  const links = parsed(answer.headers.get("link"));
  expect([answer.status, links]).toEqual([
    410,
    [
      { uri: `${service.url}/dataset/${one.dataset}?version=1`, rel: "cite-as" },
      { uri: "https://schema.org/Dataset", rel: "type" },
      { uri: "https://schema.org/AboutPage", rel: "type" },
    ],
  ]);
  expect(await answer.text()).toContain(`<link rel="cite-as" href="${links[0]?.uri}">`);
});
