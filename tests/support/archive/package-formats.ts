import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative } from "node:path";
import { fromBufferPromise } from "yauzl";

/** The files of a package by name. Names of folders end with a slash, and their content is empty. */
export type Files = Map<string, Buffer>;

/** Reads all entries of a ZIP. @throws Error if a name occurs twice */
export async function readZip(bytes: Buffer): Promise<Files> {
  const files: Files = new Map();
  const archive = await fromBufferPromise(bytes, { decodeStrings: false });
  for await (const entry of archive.eachEntry()) {
    const name = entry.fileNameRaw.toString("utf8");
    if (files.has(name)) throw new Error(`twice: ${name}`);
    const content = name.endsWith("/") ? [] : await (await archive.openReadStreamPromise(entry)).toArray();
    files.set(name, Buffer.concat(content));
  }
  return files;
}

/** Reads all files of a folder. */
export async function readFolder(folder: string): Promise<Files> {
  const files: Files = new Map();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) files.set(`${relative(folder, path)}/`, Buffer.alloc(0));
    else files.set(relative(folder, path), await readFile(path));
  }
  return files;
}

/** Returns the content of the top folder of a serialised bag. @throws Error if a file is outside that folder */
export function withoutBagFolder(files: Files, base: string): Files {
  const outside = [...files.keys()].filter((name) => !name.startsWith(`${base}/`));
  if (outside.length > 0) throw new Error(`outside the bag: ${outside}`);
  return new Map([...files].map(([name, content]) => [name.slice(base.length + 1), content]));
}

/** Returns the violations of RFC 8493 in a bag. Uses no code of the service. */
export function bagErrors(files: Files): string[] {
  const faults: string[] = [];
  const names = [...files.keys()].filter((name) => !name.endsWith("/"));
  const text = (name: string) => new TextDecoder("utf-8", { fatal: true }).decode(files.get(name) ?? Buffer.alloc(0));
  if (text("bagit.txt") !== "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n") faults.push("bagit.txt");
  const payload = names.filter((name) => name.startsWith("data/"));
  if (![...files.keys()].some((name) => name.startsWith("data/"))) faults.push("there is no data/");

  const manifests = names.filter((name) => /^manifest-[a-z0-9]+\.txt$/.test(name));
  const tagManifests = names.filter((name) => /^tagmanifest-[a-z0-9]+\.txt$/.test(name));
  if (manifests.length === 0) faults.push("there is no manifest");
  for (const manifest of [...manifests, ...tagManifests]) {
    const algorithm = /-([a-z0-9]+)\.txt$/.exec(manifest)?.[1] ?? "";
    const listed = new Set<string>();
    const lines = text(manifest).split(/\r\n|\r|\n/);
    if (lines.pop() !== "") faults.push(`${manifest} does not end with its last line`);
    for (const line of lines) {
      const [, digest = "", encoded = ""] = /^([0-9a-fA-F]+)[ \t]+(.+)$/s.exec(line) ?? [];
      if (/%(?!0[Dd]|0[Aa]|25)/.test(encoded)) faults.push(`${manifest}: a bare percent sign in ${encoded}`);
      const name = encoded.replace(/%0D/gi, "\r").replace(/%0A/gi, "\n").replaceAll("%25", "%");
      const content = files.get(name);
      if (listed.has(name)) faults.push(`${manifest} lists ${name} twice`);
      listed.add(name);
      if (content === undefined) faults.push(`${manifest} lists ${name}, which is missing`);
      else if (createHash(algorithm).update(content).digest("hex") !== digest.toLowerCase()) {
        faults.push(`${manifest}: ${name} has another digest`);
      }
      if (manifests.includes(manifest) !== name.startsWith("data/")) faults.push(`${manifest} must not list ${name}`);
    }
    const expected = manifests.includes(manifest)
      ? payload
      : names.filter((name) => !name.startsWith("data/") && !tagManifests.includes(name));
    for (const name of expected) if (!listed.has(name)) faults.push(`${manifest} does not list ${name}`);
  }

  const info = new Map<string, string>();
  for (const line of text("bag-info.txt").trimEnd().split("\n")) {
    const [, label, value] = /^([^:\s][^:]*): (.*)$/.exec(line) ?? [];
    if (label === undefined || value === undefined) faults.push(`bag-info.txt: ${line}`);
    else info.set(label, value);
  }
  const bytes = payload.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
  if (info.get("Payload-Oxum") !== `${bytes}.${payload.length}`)
    faults.push(`Payload-Oxum: ${info.get("Payload-Oxum")}`);
  return faults;
}

/**
 * Returns the errors that bagit.py 1.9 would report, by a reimplementation of its rules for manifests. They differ from
 * RFC 8493 in three points: `%25` is not decoded, white space at the end of a line is removed, and paths are compared in
 * Unicode normalization form C.
 */
export function bagitPyErrors(files: Files): string[] {
  const faults: string[] = [];
  const text = (name: string) => new TextDecoder("utf-8", { fatal: true }).decode(files.get(name) ?? Buffer.alloc(0));
  const names = [...files.keys()].filter((name) => !name.endsWith("/"));
  const payload = names.filter((name) => name.startsWith("data/"));
  if (![...files.keys()].some((name) => name.startsWith("data/"))) faults.push("there is no data/");
  const stored = new Map(payload.map((name) => [name.normalize("NFC"), name]));
  const entries = new Map<string, Map<string, string>>();
  for (const manifest of names.filter((name) => /^(?:tag)?manifest-(?:md5|sha\d+)\.txt$/.test(name))) {
    const algorithm = /-([a-z0-9]+)\.txt$/.exec(manifest)?.[1] ?? "";
    for (const line of text(manifest).split(/\r\n|\r|\n/)) {
      const [, digest = "", written = ""] = /^(\S+)[\s\x1c-\x1f\x85]+(.+)$/su.exec(stripped(line)) ?? [];
      if (line === "" || line.startsWith("#")) continue;
      const path = posix.normalize(written.replace(/^\*+/, "")).replace(/%0D/gi, "\r").replace(/%0A/gi, "\n");
      if (/^(?:\/|~|\.\.(?:\/|$))/.test(path)) faults.push(`${manifest}: ${path} is unsafe`);
      const digests = entries.get(path) ?? new Map<string, string>();
      if (digests.has(algorithm)) faults.push(`${manifest} lists ${path} twice`);
      entries.set(path, digests.set(algorithm, digest));
    }
  }
  const listed = new Set(
    [...entries.keys()].filter((path) => path.startsWith("data/")).map((path) => path.normalize("NFC")),
  );
  for (const path of listed) if (!stored.has(path)) faults.push(`${path} exists in manifest but was not found`);
  for (const path of stored.keys())
    if (!listed.has(path)) faults.push(`${path} exists on filesystem but is not in the manifest`);
  for (const [path, digests] of entries) {
    const content = files.get(stored.get(path) ?? path);
    for (const [algorithm, digest] of digests) {
      if (content === undefined) continue;
      const real = createHash(algorithm).update(content).digest("hex");
      if (real !== digest.toLowerCase()) faults.push(`${path} ${algorithm} validation failed`);
    }
    if (content === undefined && !path.startsWith("data/")) faults.push(`${path} exists in manifest but was not found`);
  }
  return faults;
}

/** Removes white space like Python's `str.strip`. */
function stripped(line: string): string {
  return line.replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/gu, "");
}

type Entity = Record<string, unknown> & { "@id"?: string };

/** RFC 3987, section 2.2: a path of unreserved characters, delimiters, percent-encoded bytes and `ucschar`. */
const IRI_PATH =
  /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2}|[\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{dfffd}])+$/u;

/** Returns the violations of RO-Crate 1.2 in an attached crate. Uses no code of the service. */
export function crateErrors(files: Files): string[] {
  const faults: string[] = [];
  const crate = JSON.parse((files.get("ro-crate-metadata.json") ?? Buffer.from("{}")).toString("utf8"));
  const graph = crate["@graph"] as Entity[];
  const contexts = [crate["@context"]].flat();
  if (!contexts.includes("https://w3id.org/ro/crate/1.2/context")) faults.push("the context is not that of 1.2");
  if (!Array.isArray(graph)) return [...faults, "there is no graph"];
  const byId = new Map(graph.map((entity) => [entity["@id"], entity]));
  if (byId.size !== graph.length) faults.push("two entities have one @id");
  for (const entity of graph) {
    if (typeof entity["@id"] !== "string" || entity["@type"] === undefined)
      faults.push(`no @id or @type: ${entity["@id"]}`);
    for (const [property, value] of Object.entries(entity)) {
      for (const one of [value].flat()) {
        if (typeof one !== "object" || one === null) continue;
        // In flattened JSON-LD, entities are referenced and not nested.
        if (Object.keys(one).join() !== "@id") faults.push(`${entity["@id"]}: ${property} is nested`);
        const to = (one as { "@id": string })["@id"];
        if (to?.startsWith("#") && !byId.has(to)) faults.push(`${entity["@id"]}: ${to} is not described`);
      }
    }
  }
  const descriptor = byId.get("ro-crate-metadata.json");
  const refersTo = (entity: Entity | undefined, property: string) =>
    [entity?.[property]].flat().map((one) => (one as { "@id"?: string } | undefined)?.["@id"]);
  if (descriptor?.["@type"] !== "CreativeWork") faults.push("the descriptor is no CreativeWork");
  if (refersTo(descriptor, "about").join() !== "./") faults.push("the descriptor is not about the root");
  if (!refersTo(descriptor, "conformsTo").includes("https://w3id.org/ro/crate/1.2")) faults.push("conformsTo");
  const root = byId.get("./");
  if (![root?.["@type"]].flat().includes("Dataset")) faults.push("the root is no Dataset");
  for (const property of ["name", "description", "datePublished", "license"]) {
    if (!root?.[property]) faults.push(`the root has no ${property}`);
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(String(root?.datePublished))) faults.push("datePublished is no day");
  const parts = new Set(refersTo(root, "hasPart"));
  for (const entity of graph.filter((one) => [one["@type"]].flat().includes("File"))) {
    const id = entity["@id"] ?? "";
    if (!parts.has(id)) faults.push(`${id} is no part of the root`);
    if (!IRI_PATH.test(id) || id.split("/")[0]?.includes(":")) faults.push(`${id} is no path`);
    if (!files.has(decodeURIComponent(id))) faults.push(`${id} is missing`);
  }
  for (const { "@id": id = "", "@type": type } of graph) {
    const isFolder = [type].flat().includes("Dataset") && id !== "./";
    if (isFolder && !files.has(decodeURIComponent(id))) faults.push(`the folder ${id} has no entry`);
  }
  return faults;
}
