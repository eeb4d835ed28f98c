import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonVisitor, readJson } from "../io/read-json.ts";
import { ContentByDigest } from "./content-by-digest.ts";

/** The members of an inventory besides its files. */
export interface InventorySummary {
  id: string;
  /** The version of OCFL, as the URL of its specification. */
  type: string;
  digestAlgorithm: string;
  /** The name of the newest version. */
  head: string;
  contentDirectory: string;
  /** In the order of the inventory. */
  versions: VersionSummary[];
}

export interface VersionSummary {
  /** For instance `v1`. */
  name: string;
  /** RFC 3339, unchanged. */
  created: string | undefined;
  message: string | undefined;
  user: { name?: string; address?: string } | undefined;
}

/** A file of a version. */
export interface VersionFile {
  /** Logical path: its name in the version. */
  path: string;
  digest: string;
  /** Relative to the object's folder. */
  contentPath: string;
}

/**
 * Reads an inventory of any length in one pass and returns everything except its files.
 *
 * @param inventory the file, for instance `join(objectFolder, "inventory.json")`
 * @throws InvalidJson; Error for an inventory without a member that OCFL requires
 */
export async function readInventorySummary(inventory: string, signal?: AbortSignal): Promise<InventorySummary> {
  const members = new Map<string, string>([["contentDirectory", "content"]]);
  const versions = new Map<string, VersionSummary>();
  const visitor: JsonVisitor = {
    open([member, name, ...rest]) {
      if (member !== "versions" || name === undefined || rest.length > 0) return;
      versions.set(name, { name, created: undefined, message: undefined, user: undefined });
    },
    value([member = "", name, field, inner, ...rest], value, inArray) {
      if (inArray || rest.length > 0 || typeof value !== "string") return;
      if (name === undefined) members.set(member, value);
      const version = member === "versions" ? versions.get(name ?? "") : undefined;
      if (version === undefined) return;
      if (inner === undefined && (field === "created" || field === "message")) version[field] = value;
      if (field === "user" && (inner === "name" || inner === "address"))
        version.user = { ...version.user, [inner]: value };
    },
  };
  await readJson(inventory, visitor, signal);
  const required = (name: string): string => {
    const value = members.get(name);
    if (value === undefined) throw new Error(`The inventory ${inventory} has no “${name}”`);
    return value;
  };
  return {
    id: required("id"),
    type: required("type"),
    digestAlgorithm: required("digestAlgorithm"),
    head: required("head"),
    contentDirectory: required("contentDirectory"),
    versions: [...versions.values()],
  };
}

/**
 * Reads the manifest of an inventory of any length with constant memory: `take` is called for each content path, in the
 * order of the file.
 *
 * @throws InvalidJson
 */
export async function readManifest(
  inventory: string,
  take: (contentPath: string, digest: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const visitor: JsonVisitor = {
    open() {},
    value([member, digest, ...rest], value, inArray) {
      if (member !== "manifest" || digest === undefined || rest.length > 0) return;
      if (inArray && typeof value === "string") take(value, digest);
    },
  };
  await readJson(inventory, visitor, signal);
}

/**
 * Reads the files of a version, batch by batch, in the order of the inventory. The inventory is streamed twice. Memory
 * is about 50 bytes for each digest, outside the JavaScript heap.
 *
 * @param version its name, for instance `v1`
 * @param take called for each batch; the next one is read after its promise resolves
 * @throws InvalidJson; Error for a digest without content
 */
export async function readVersion(
  inventory: string,
  version: string,
  take: (files: VersionFile[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "ocfl-"));
  try {
    const content = new ContentByDigest(join(scratch, "content"));
    try {
      await addManifest(inventory, content, signal);
      await readState(inventory, version, { content, take }, signal);
    } finally {
      content.discard();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Number of files in a batch. Each call of `add` writes to disk. */
const BATCH = 1_000;

async function addManifest(
  inventory: string,
  content: ContentByDigest,
  signal: AbortSignal | undefined,
): Promise<void> {
  let batch: [digest: string, contentPath: string][] = [];
  const take = (contentPath: string, digest: string) => {
    batch.push([digest.toLowerCase(), contentPath]);
    if (batch.length < BATCH) return;
    content.add(batch);
    batch = [];
  };
  await readManifest(inventory, take, signal);
  content.add(batch);
}

async function readState(
  inventory: string,
  version: string,
  { content, take }: { content: ContentByDigest; take: (files: VersionFile[]) => Promise<void> | void },
  signal: AbortSignal | undefined,
): Promise<void> {
  let batch: VersionFile[] = [];
  const deliver = async () => {
    const files = batch;
    batch = [];
    if (files.length > 0) await take(files);
  };
  const visitor: JsonVisitor = {
    open() {},
    value([member, name, field, digest = "", ...rest], path, inArray) {
      if (member !== "versions" || name !== version || field !== "state" || rest.length > 0) return;
      if (!inArray || typeof path !== "string") return;
      const contentPath = content.find(digest.toLowerCase());
      if (contentPath === undefined) throw new Error(`The manifest of ${inventory} has no content for ${digest}`);
      batch.push({ path, digest, contentPath });
    },
    pause: () => (batch.length > 0 ? deliver() : undefined),
  };
  await readJson(inventory, visitor, signal);
  await deliver();
}

/**
 * The content path of one file of a version, found with constant memory; undefined if the version has no such file. A
 * content path that refers outside the object's folder is ignored.
 *
 * @param version its name, for instance `v1`
 * @param path the logical path
 * @throws InvalidJson
 */
export async function findContentPath(inventory: string, version: string, path: string): Promise<string | undefined> {
  let digest: string | undefined;
  const inState: JsonVisitor = {
    open() {},
    value([member, name, state, key], value, inArray) {
      if (member === "versions" && name === version && state === "state" && inArray && value === path) digest = key;
    },
  };
  await readJson(inventory, inState);
  if (digest === undefined) return undefined;
  let found: string | undefined;
  await readManifest(inventory, (contentPath, key) => {
    if (key === digest) found ??= contentPath;
  });
  return found?.split("/").includes("..") ? undefined : found;
}
