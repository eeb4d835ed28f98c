import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const LISTS = ["/feed.atom", "/feed.atom?q=barley", "/sitemap.xml", "/sitemap/1.xml", "/catalogue.jsonld"];
const FIXED = ["/robots.txt", "/opensearch.xml"];

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, { redirect: "manual", headers });
  const named = (name: string) => answer.headers.get(name) ?? "";
  const [etag, changed, kept, type] = [
    named("etag"),
    named("last-modified"),
    named("cache-control"),
    named("content-type"),
  ];
  return { status: answer.status, text: await answer.text(), etag, changed, kept, type };
}

describe("lists for machines", () => {
  test.each([...LISTS, ...FIXED])("%s is kept, and asked for again by its ETag", async (path) => {
    const { status, etag, kept, text } = await ask(path);
    // The same rule as for landing pages: caches ask each time whether it is still public.
    expect([status, kept]).toEqual([200, "public, no-cache"]);
    const known = await ask(path, { "if-none-match": `"other", ${etag}` });
    expect([known.status, known.text, known.etag, known.kept]).toEqual([304, "", etag, kept]);
    expect(await ask(path, { "if-none-match": '"other"' })).toMatchObject({ status: 200, text });
    // The date of a list is not known.
    const dated = { "if-modified-since": new Date().toUTCString() };
    expect(await ask(path, dated)).toMatchObject({ status: 200, text });
  });

  test("change with a withdrawal, from the answer on", async () => {
    const other = await publishAs(service, s3, { metadata: { ...(await metadataOf(one)), title: "Barley again" } });
    const before = await Promise.all(LISTS.map((path) => ask(path)));
    await other.done("none", "withdraw", { reason: "A mistake" });
    for (const [index, path] of LISTS.entries()) {
      const now = await ask(path, { "if-none-match": before[index]?.etag ?? "" });
      expect([path, now.text.includes(other.dataset)]).toEqual([path, false]);
      // The index of the site map names no datasets.
      if (path !== "/sitemap.xml") expect([path, now.status]).toEqual([path, 200]);
    }
  });
});

async function metadataOf({ dataset }: PublicationClient): Promise<object> {
  const { json } = await service.api.get(`/dataset/${dataset}/metadata`);
  return json.metadata;
}

describe("the landing page", () => {
  const html = { accept: "text/html" };
  const page = (of: PublicationClient, headers = {}) => ask(`/dataset/${of.dataset}`, { ...html, ...headers });
  /** The date of the last change, once it identifies the page. */
  const dateOf = async (of: PublicationClient) => {
    await vi.waitUntil(async () => (await page(of)).changed !== "");
    return (await page(of)).changed;
  };

  test("is answered with 304 if it has not changed since a date, unless ETags are given", async () => {
    const date = await dateOf(one);
    const later = new Date(Date.parse(date) + 60_000).toUTCString();
    const earlier = new Date(Date.parse(date) - 1_000).toUTCString();
    const status = async (headers: object) => (await page(one, headers)).status;
    expect(await status({ "if-modified-since": date })).toBe(304);
    expect(await status({ "if-modified-since": later })).toBe(304);
    expect(await status({ "if-modified-since": earlier })).toBe(200);
    expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
    expect(await status({ "if-modified-since": date, "if-none-match": '"other"' })).toBe(200);
  });

  test("has a later date after every change of what it shows", async () => {
    const changed = await publishAs(service, s3);
    const changes = [
      () => changed.done("none", "change-access", { access: "restricted", reason: "A person objected" }),
      () => changed.done("none", "change-access", { access: "open", reason: "The person agreed" }),
      () => changed.done("none", "withdraw", { reason: "A mistake" }),
    ];
    for (const change of changes) {
      const date = await dateOf(changed);
      await change();
      expect([String(change), (await page(changed, { "if-modified-since": date })).status]).toEqual([
        String(change),
        expect.toSatisfy((status) => status === 200 || status === 410),
      ]);
    }
    // The notice of a withdrawal is no success, so that no precondition replaces it.
    const gone = await page(changed, { "if-none-match": "*", "if-modified-since": new Date().toUTCString() });
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining("A mistake")]);
  });
});

test("a page with many authors and files stays small enough for a slow connection", async () => {
  const { authors: own } = goodMetadata;
  const authors = Array.from({ length: 50 }, (_, n) => ({
    ...own[0],
    lastName: `Carberry-Hill the ${n}`,
    affiliations: [{ name: `Institute ${n} of Psychoceramics`, affiliationIdentifier: "https://ror.org/05gq02987" }],
  }));
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`measurements of plot ${n}.csv`, `${n}`]));
  const metadata = { ...goodMetadata, authors: [...own, ...authors] };
  const { dataset } = await publishAs(service, s3, { metadata, files });
  const { text } = await ask(`/dataset/${dataset}`, { accept: "text/html" });
  expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  // All are named for reference managers and search engines.
  expect(text.match(/<meta name="citation_author" /g)).toHaveLength(own.length + 50);
  for (const [, json = ""] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
    expect(JSON.parse(json).creator).toHaveLength(own.length + 50);
  }
});

test("the icon is found without a link", async () => {
  const icon = await ask("/favicon.ico");
  expect([icon.status, icon.type]).toEqual([200, "image/svg+xml"]);
  expect(icon.text).toBe((await ask("/site/icon.svg")).text);
});
