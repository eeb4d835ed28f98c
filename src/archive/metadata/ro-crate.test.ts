import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha512, withFolder } from "../ocfl/testing.ts";
import type { PackageFacts } from "./facts.ts";
import { type CrateFile, encodePath, openCrate } from "./ro-crate.ts";
import { hostileFacts, POSTAL, sampleFacts } from "./sample.ts";

type Graph = Map<string, Record<string, unknown>>;

function graphOf(facts: PackageFacts, files: Iterable<CrateFile>): Graph {
  const crate = openCrate(facts);
  for (const file of files) crate.add(file);
  const parsed = JSON.parse(crate.toString());
  const graph: Graph = new Map(parsed["@graph"].map((entity: Record<string, unknown>) => [entity["@id"], entity]));
  expect(graph.size, "every @id once").toBe(parsed["@graph"].length);
  for (const reference of references(parsed["@graph"])) {
    if (reference !== "https://w3id.org/ro/crate/1.2") expect(graph.has(reference), reference).toBe(true);
  }
  return graph;
}

/** Every `{"@id": …}` that only refers. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === "@id") yield String(entries[0][1]);
  else for (const [, inner] of entries) yield* references(inner);
}

const file = (path: string): CrateFile => ({ path, bytes: 3, sha512: sha512(path) });

test("the root says what RO-Crate 1.2 asks for, and every reference is described", () => {
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
  expect(graph.get("data/a%20b/%C3%BC%231.csv")).toEqual({
    "@id": "data/a%20b/%C3%BC%231.csv",
    "@type": "File",
    name: "data/a b/ü#1.csv",
    contentSize: "3",
    encodingFormat: "text/csv",
    sha512: sha512("data/a b/ü#1.csv"),
  });
});

test("postal data are nowhere, hostile metadata are kept", () => {
  const text = openCrate(sampleFacts()).toString();
  for (const secret of POSTAL) expect(text).not.toContain(secret);
  const facts = hostileFacts();
  expect(graphOf(facts, [file("data/__proto__")]).get("./")?.name).toBe(facts.metadata.title);
});

test("an institution that contributed is an organisation, and one entity with those who work there", () => {
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

test("without a licence the sentence stands, and an embargo is said", () => {
  const facts = sampleFacts({ embargoDate: "2029-03-01" });
  const { license: _, ...metadata } = facts.metadata;
  const graph = graphOf({ ...facts, metadata }, []);
  expect(graph.get("#licence")?.name).toBe("No licence stated; all rights reserved");
  expect(graph.get("./")).toMatchObject({
    datePublished: "2029-03-01",
    conditionsOfAccess: "Under embargo until 2029-03-01",
  });
});

function* many(count: number): Generator<CrateFile> {
  for (let n = 0; n < count; n += 1) yield file(n === 0 ? "data/top.txt" : `data/folder-${n % 3}/${n}.txt`);
}

test("10,000 files are named one by one, 10,001 by their folders", () => {
  const named = graphOf(sampleFacts(), many(10_000));
  expect([...named.values()].filter((entity) => entity.contentSize !== undefined)).toHaveLength(10_000);
  const folders = graphOf(sampleFacts({}, { objects: 10_001 }), many(10_001));
  expect([...folders.keys()].filter((id) => id.startsWith("data/"))).toEqual([
    "data/",
    "data/folder-1/",
    "data/folder-2/",
    "data/folder-0/",
  ]);
  expect(folders.has("metadata/source-manifest.jsonl")).toBe(true);
});

test("more than 10,000 top folders stay bounded, and data/ covers them all", () => {
  const files = Array.from({ length: 10_500 }, (_, n) => file(`data/${n}/x`));
  const graph = graphOf(sampleFacts({}, { objects: 10_500 }), files);
  expect([...graph.keys()].filter((id) => id.startsWith("data/"))).toHaveLength(10_001);
});

test("a path becomes a relative URI that leads back to it", () => {
  const base = "https://x/";
  for (const path of ["data/a:b", "data/%41", "data/q?r#s", "data/é", "data/%25", "data/\\", "data/.../x"]) {
    const url = new URL(encodePath(path), base);
    expect(decodeURIComponent(url.href.slice(base.length))).toBe(path);
  }
});

test("the crate is written as it is told", async () => {
  await withFolder(async (folder) => {
    const crate = openCrate(sampleFacts());
    const target = join(folder, "ro-crate-metadata.json");
    const written = await crate.write(target);
    const text = await readFile(target, "utf8");
    expect(text).toBe(crate.toString());
    expect(written).toEqual({ sha512: sha512(text), bytes: Buffer.byteLength(text) });
  });
});
