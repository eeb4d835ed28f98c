import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha512, withFolder } from "../../../../packages/ocfl/tests/support/write-object.ts";
import { hostileFacts, POSTAL, references, sampleFacts } from "../../../../tests/support/archive/sample.ts";
import type { VersionFacts } from "../../version-facts.ts";
import { encodePath } from "../iri.ts";
import { Crate, type CrateFile, crateWithoutManifest } from "./ro-crate.ts";
import type { Entity } from "./ro-crate-entities.ts";

const manifest = { bytes: 1_234, sha512: sha512("manifest") };

type Graph = Map<string, Record<string, unknown>>;

function graphOf(facts: VersionFacts, files: Iterable<CrateFile>): Graph {
  const crate = new Crate(facts);
  for (const file of files) crate.add(file);
  const parsed = JSON.parse(crate.toString(manifest));
  const graph: Graph = new Map(parsed["@graph"].map((entity: Record<string, unknown>) => [entity["@id"], entity]));
  expect(graph.size, "every @id once").toBe(parsed["@graph"].length);
  for (const reference of references(parsed["@graph"])) {
    if (reference !== "https://w3id.org/ro/crate/1.2") expect(graph.has(reference), reference).toBe(true);
  }
  return graph;
}

const file = (path: string): CrateFile => ({ path, bytes: 3, sha512: sha512(path) });

test("the root has the properties that RO-Crate 1.2 requires, and every reference is described", () => {
  const graph = graphOf(sampleFacts(), [{ ...file("data/a b/ü#1.csv"), contentType: "text/csv" }]);
  expect(graph.get("ro-crate-metadata.json")).toMatchObject({
    about: { "@id": "./" },
    conformsTo: { "@id": "https://w3id.org/ro/crate/1.2" },
  });
  expect(graph.get("./")).toMatchObject({
    "@type": "Dataset",
    name: "Barley phenotypes",
    datePublished: "2026-11-20",
    license: { "@id": "https://creativecommons.org/licenses/by/4.0/" },
    author: [{ "@id": "https://orcid.org/0000-0002-1825-0097" }],
    publisher: { "@id": "#publisher" },
    keywords: ["barley", "phenotyping"],
    inLanguage: "en",
  });
  expect(graph.get("https://orcid.org/0000-0002-1825-0097")).toMatchObject({
    "@type": "Person",
    affiliation: { "@id": "https://ror.org/05gq02987" },
  });
  // RO-Crate 1.2, “Encoding file paths in @ids”: international characters are native, special ones are escaped.
  expect(graph.get("data/a%20b/ü%231.csv")).toEqual({
    "@id": "data/a%20b/ü%231.csv",
    "@type": "File",
    name: "data/a b/ü#1.csv",
    contentSize: "3",
    encodingFormat: "text/csv",
    sha512: sha512("data/a b/ü#1.csv"),
  });
});

test("the root has an identifier, its manifest a size, and its publisher a contact", () => {
  const publisher = { name: "P", url: "https://p.example.org/", email: "help@example.org" };
  const graph = graphOf(sampleFacts({}, { publisher, version: 2 }), []);
  const urn = "urn:uuid:7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11";
  expect(graph.get("./")).toMatchObject({ identifier: { "@id": urn }, publisher: { "@id": publisher.url } });
  expect(graph.get(urn)).toMatchObject({
    "@type": "PropertyValue",
    value: urn,
    url: "https://data.example.org/dataset/7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11?version=2",
  });
  expect(graph.get(publisher.url)).toMatchObject({
    "@type": "Organization",
    name: "P",
    url: publisher.url,
    contactPoint: { "@id": "mailto:help@example.org" },
  });
  expect(graph.get("mailto:help@example.org")).toMatchObject({ "@type": "ContactPoint", email: publisher.email });
  expect(graph.get("metadata/source-manifest.jsonl")).toMatchObject({ contentSize: "1234", sha512: manifest.sha512 });
});

test("a publisher that is also an author’s organisation is described once", () => {
  const publisher = { name: "Brown University", url: "https://brown.example.org/", ror: "https://ror.org/05gq02987" };
  const graph = graphOf(sampleFacts({}, { publisher }), []);
  expect(graph.get(publisher.ror)).toMatchObject({ name: "Brown University", url: publisher.url });
});

test.each([
  [
    { spdx: "CC-BY-4.0", name: "CC BY", url: "https://creativecommons.org/licenses/by/4.0/" },
    "https://creativecommons.org/licenses/by/4.0/",
  ],
  [{ spdx: "MIT OR Apache-2.0", name: "MIT OR Apache-2.0" }, "https://spdx.org/licenses/#MIT%20OR%20Apache-2.0"],
  [
    { name: "https://example.org/our terms", url: "https://example.org/our%20terms" },
    "https://example.org/our%20terms",
  ],
  [{ name: "Ask us" }, "#licence"],
  [undefined, "#licence"],
])("the licence %o is described under %s", (license, id) => {
  const facts = sampleFacts();
  const { license: _, ...metadata } = facts.metadata;
  const graph = graphOf({ ...facts, metadata: { ...metadata, ...(license && { license }) } }, []);
  expect(graph.get("./")?.license).toEqual({ "@id": id });
  expect(graph.get(id)).toMatchObject({ name: expect.any(String), description: expect.stringMatching(/\S/) });
});

test("postal addresses are not included, and hostile metadata are kept", () => {
  const text = new Crate(sampleFacts()).toString(manifest);
  for (const secret of POSTAL) expect(text).not.toContain(secret);
  const facts = hostileFacts();
  expect(graphOf(facts, [file("data/__proto__")]).get("./")?.name).toBe(facts.metadata.title);
});

test("a contributing institution is an organisation, and its employees refer to the same entity", () => {
  const authors = [
    { role: "Creator", lastName: "Curie", affiliation: "An Institute" },
    { role: "HostingInstitution", affiliation: "An Institute" },
    { role: "Sponsor", rorid: "https://ror.org/05gq02987" },
  ];
  const graph = graphOf(sampleFacts({ authors }), []);
  const institute = { "@id": "#organization-An%20Institute" };
  expect(graph.get("#person-1")).toMatchObject({ "@type": "Person", affiliation: institute });
  expect(graph.get(institute["@id"])).toEqual({ ...institute, "@type": "Organization", name: "An Institute" });
  expect(graph.get("./")?.contributor).toEqual([institute, { "@id": "https://ror.org/05gq02987" }]);
  expect([...graph.values()].filter((entity) => entity["@type"] === "Person")).toHaveLength(1);
});

test("the standard text replaces a missing licence, and an embargo is stated", () => {
  const facts = sampleFacts({ embargoDate: "2029-03-01" });
  const { license: _, ...metadata } = facts.metadata;
  const graph = graphOf({ ...facts, metadata }, []);
  expect(graph.get("#licence")?.name).toBe("No licence stated; all rights reserved");
  expect(graph.get("./")).toMatchObject({
    datePublished: "2026-11-20",
    conditionsOfAccess: "Under embargo until 2029-03-01 when these metadata were written",
  });
  // The access of a published version can change, and is stated by its landing page alone.
  const published = graphOf({ ...facts, publication: { issued: "2027-01-15", available: "2029-03-01" } }, []).get("./");
  expect([published?.datePublished, published?.conditionsOfAccess]).toEqual(["2027-01-15", undefined]);
});

function* many(count: number): Generator<CrateFile> {
  for (let n = 0; n < count; n += 1) yield file(n === 0 ? "data/top.txt" : `data/folder-${n % 3}/${n}.txt`);
}

test("10,000 files are listed individually, 10,001 by their folders", () => {
  const named = graphOf(sampleFacts(), many(10_000));
  expect([...named.keys()].filter((id) => id.startsWith("data/"))).toHaveLength(10_000);
  const folders = graphOf(sampleFacts({}, { objects: 10_001 }), many(10_001));
  expect([...folders.keys()].filter((id) => id.startsWith("data/"))).toEqual([
    "data/",
    "data/folder-1/",
    "data/folder-2/",
    "data/folder-0/",
  ]);
  expect(folders.has("metadata/source-manifest.jsonl")).toBe(true);
});

test("more than 10,000 top folders are limited, and data/ covers all of them", () => {
  const files = Array.from({ length: 10_500 }, (_, n) => file(`data/${n}/x`));
  const graph = graphOf(sampleFacts({}, { objects: 10_500 }), files);
  expect([...graph.keys()].filter((id) => id.startsWith("data/"))).toHaveLength(10_001);
});

test("a path becomes a relative URI that decodes to it", () => {
  const base = "https://x/";
  const odd = [
    "data/面试.mp4",
    "data/\u202etxt.exe",
    "data/a\u00a0b",
    "data/\ue000",
    "data/\u{e0100}",
    "data/e\u0301",
    "data/😀",
  ];
  for (const path of ["data/a:b", "data/%41", "data/q?r#s", "data/é", "data/%25", "data/\\", "data/.../x", ...odd]) {
    const url = new URL(encodePath(path), base);
    expect(decodeURIComponent(url.href.slice(base.length))).toBe(path);
  }
  expect(encodePath("data/面试 😀.mp4")).toBe("data/面试%20😀.mp4");
  // RFC 3987, sections 2.2 and 4.1: private characters and direction marks are excluded.
  expect(encodePath("\u202e\ue000\u00a0\u{e0100}")).toBe("%E2%80%AE%EE%80%80%C2%A0%F3%A0%84%80");
});

test("the crate is written to its file", async () => {
  await withFolder(async (folder) => {
    const crate = new Crate(sampleFacts());
    const target = join(folder, "ro-crate-metadata.json");
    const written = await crate.write(target, manifest);
    const text = await readFile(target, "utf8");
    expect(text).toBe(crate.toString(manifest));
    expect(written).toEqual({ sha512: sha512(text), bytes: Buffer.byteLength(text) });
  });
});

test("a crate without the source manifest does not mention it, and is otherwise the same", () => {
  for (const files of [
    [],
    [file("data/a"), file("data/b")],
    Array.from({ length: 10_001 }, (_, n) => file(`data/${n % 3}/${n}`)),
  ]) {
    const description = "Text; metadata/source-manifest.jsonl lists each of them";
    const crate = new Crate(sampleFacts({ description }));
    for (const one of files) crate.add(one);
    const text = crate.toString(manifest);
    const reduced = crateWithoutManifest(text);
    expect(reduced.split("source-manifest")).toHaveLength(2);
    const before = JSON.parse(text)["@graph"] as Entity[];
    const after = JSON.parse(reduced)["@graph"] as Entity[];
    const ids = (graph: Entity[]) => graph.map((entity) => entity["@id"]);
    expect(ids(after)).toEqual(ids(before).filter((id) => id !== "metadata/source-manifest.jsonl"));
    const root = (graph: Entity[]) => graph.find((entity) => entity["@id"] === "./");
    const { hasPart, ...others } = root(after) as Entity;
    const { hasPart: all, ...same } = root(before) as Entity;
    expect(others).toEqual(same);
    expect(hasPart).toEqual((all as Entity[]).slice(0, -1));
    expect(crateWithoutManifest(reduced)).toBe(reduced);
  }
});
