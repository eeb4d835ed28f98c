import { createHash } from "node:crypto";
import { rename } from "node:fs/promises";
import jsonld, { type Options } from "jsonld";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...metadata } = goodMetadata as { embargoDate?: string };
const TYPE = 'application/ld+json; profile="http://mlcommons.org/croissant/1.1"';
const CR = "http://mlcommons.org/croissant/";
const SC = "https://schema.org/";

let s3: S3Server;
let service: TestService;
let ada: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "direct" });
  ada = (await (await Tokens.open(service)).create("ada", "submitter")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document.
type Json = any;

async function published(files: Record<string, string>, access: object = { access: "open" }) {
  const { dataset } = await archiveAs(service, s3, ada, { metadata, files });
  const one = new PublicationClient(service, dataset);
  await one.done(ada, "request", { agreement: true, ...access });
  await one.until(ada, "published");
  return one;
}

const croissantOf = async (one: PublicationClient, token?: string): Promise<Json> => {
  const { status, json, text } = await one.get(token, "/export/croissant");
  if (status !== 200) throw new Error(text);
  return json;
};

/** The document as a parser of JSON-LD understands it. Terms without a meaning would be lost. */
async function expanded(document: Json): Promise<Json> {
  const documentLoader = (url: string) => Promise.reject(new Error(`must not be fetched: ${url}`));
  // The option `safe` is missing in the types: it refuses terms without a meaning.
  const options = { documentLoader, base: "https://data.example.org/", safe: true } as Options.Expand;
  const nodes = (await jsonld.expand(document, options)) as Json;
  return nodes[0];
}

const idsOf = (nodes: Json[]) => nodes.map((node) => node["@id"]);

test("Croissant lists open files with digests that hold, and the columns of tables with a header", async () => {
  const files = {
    "README.md": "# Plots\n",
    "plots/höhe 1.csv": "plot,height (cm)\n1,20.5\n",
    "plots/b.tsv": "plot\tdate\n1\t2026-05-01\n",
    "plots/c.csv": "1,2\n3,4\n",
    "plots/d.csv": "plot;height\n1;2\n",
  };
  const one = await published(files);
  const document = await croissantOf(one);
  expect(document.distribution).toHaveLength(5);
  for (const { name, contentUrl, contentSize, sha512, md5 } of document.distribution) {
    const response = await fetch(new URL(new URL(contentUrl).pathname, service.url));
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString()).toBe(files[name as keyof typeof files]);
    expect(contentSize).toBe(`${bytes.length} B`);
    const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest("hex");
    expect([sha512, md5]).toEqual([digest("sha512"), digest("md5")]);
  }
  const dataset = await expanded(document);
  expect(dataset["@type"]).toEqual([`${SC}Dataset`]);
  expect(dataset["http://purl.org/dc/terms/conformsTo"]).toMatchObject([{ "@value": `${CR}1.1` }]);
  for (const term of ["name", "description", "license", "url", "creator", "datePublished"]) {
    expect([term, dataset[SC + term]?.length]).toEqual([term, 1]);
  }
  const objects = dataset[`${SC}distribution`];
  expect(new Set(objects.flatMap((node: Json) => node["@type"]))).toEqual(new Set([`${CR}FileObject`]));
  const tables = dataset[`${CR}recordSet`];
  const columns = tables.map((table: Json) =>
    table[`${CR}field`].map((field: Json) => field[`${SC}name`][0]["@value"]),
  );
  expect(columns).toEqual([
    ["plot", "date"],
    ["plot", "height (cm)"],
  ]);
  for (const field of tables.flatMap((table: Json) => table[`${CR}field`])) {
    const [source] = field[`${CR}source`];
    expect(idsOf(objects)).toContain(source[`${CR}fileObject`][0]["@id"]);
    expect(source[`${CR}extract`][0][`${CR}column`]).toEqual(field[`${SC}name`]);
    expect(field[`${CR}dataType`]).toEqual([{ "@id": `${SC}Text` }]);
  }
  const all = [...idsOf(objects), ...idsOf(tables), ...idsOf(tables.flatMap((table: Json) => table[`${CR}field`]))];
  expect(new Set(all).size).toBe(all.length);

  const negotiated = await service.api.send(`/dataset/${one.dataset}`, { headers: { accept: TYPE } });
  expect(negotiated.headers.get("content-type")).toBe(TYPE);
  expect(negotiated.json).toEqual(document);
  expect(negotiated.headers.get("link")).toContain(
    `/export/croissant>; rel="describedby"; type="application/ld+json"; profile="${CR}1.1"`,
  );
});

test("Croissant leaves out the columns of a table that cannot be read, until it can", async () => {
  const one = await published({ "a.csv": "plot,height\n", "b.csv": "name,date\n" });
  const { files } = await findPackage(service.archive, one.dataset);
  const { file = "" } = files.get("data/a.csv") ?? {};
  await rename(file, `${file}.gone`);
  const tables = async () => (await croissantOf(one)).recordSet.map(({ name }: Json) => name);
  expect(await tables()).toEqual(["b.csv"]);
  await rename(`${file}.gone`, file);
  expect(await tables()).toEqual(["a.csv", "b.csv"]);
});

test("Croissant of closed files names neither files nor columns to the public, and both to the owner", async () => {
  const one = await published({ "secret-plot.csv": "hidden,column\n1,2\n" }, { access: "restricted" });
  const document = await croissantOf(one);
  expect(JSON.stringify(document)).not.toMatch(/secret-plot|hidden/);
  const nodes = (await expanded(document))[`${SC}distribution`];
  expect(nodes.flatMap((node: Json) => node["@type"])).toEqual([`${CR}FileObject`, `${CR}FileSet`]);
  expect(nodes[1][`${CR}containedIn`]).toEqual([{ "@id": nodes[0]["@id"] }]);
  const own = await croissantOf(one, ada);
  expect(own.distribution.map(({ name }: Json) => name)).toEqual(["secret-plot.csv"]);
  expect(own.recordSet[0].field.map(({ name }: Json) => name)).toEqual(["hidden", "column"]);
  expect((await service.api.get(`/dataset/${one.dataset}/export/croissant`, bearer(ada))).status).toBe(200);
});

test("the head of the page has slim Croissant after schema.org, of the same dataset and without its files", async () => {
  const one = await published({ "plots/one.csv": "plot,height\n1,2\n", "two.csv": "plot,width\n1,2\n" });
  const answer = await fetch(`${service.url}/dataset/${one.dataset}`, { headers: { accept: "text/html" } });
  const head = (await answer.text()).split("</head>")[0] ?? "";
  const blocks = [...head.matchAll(/<script type="application\/ld\+json">([^<]*)</g)].map(([, text = ""]) => text);
  const [forSearch, slim, ...more] = blocks.map((text) => JSON.parse(text));
  expect(more).toEqual([]);
  expect(forSearch["@context"]).toBe("https://schema.org");
  expect(slim.conformsTo).toBe(`${CR}1.1`);
  const complete = await croissantOf(one);
  const { distribution: _files, recordSet: _tables, ...described } = complete;
  expect(complete).toMatchObject({ distribution: { length: 2 }, recordSet: { length: 2 } });
  for (const name of ["@id", "name", "description", "url"]) expect([name, slim[name]]).toEqual([name, forSearch[name]]);
  // Abstracts can be long, and each page has the slim form.
  const { citeAs, ...same } = slim;
  expect(described).toMatchObject(same);
  expect(citeAs).toContain("title = {{Barley roots under drought}}");
  expect(citeAs).not.toContain("abstract");
  expect(JSON.stringify(slim)).not.toMatch(/one\.csv|height/);
  // The reference implementation (mlcroissant) refuses a file without SHA-256 or MD5, and a context without a language.
  expect(slim).not.toHaveProperty("distribution");
  expect([slim, complete].map((document) => document["@context"]["@language"])).toEqual(["en", "en"]);
  const dataset = await expanded(slim);
  expect(dataset["@type"]).toEqual([`${SC}Dataset`]);
  for (const term of ["name", "description", "license", "url", "creator", "datePublished"]) {
    expect([term, dataset[SC + term]?.length]).toEqual([term, 1]);
  }
});
