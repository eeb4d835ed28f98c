import { createHash, getHashes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Findings } from "./findings.ts";
import type { InventoryFacts } from "./inventory-survey.ts";
import { CONTENT, checkPath } from "./paths.ts";
import { type JsonVisitor, type Leaf, readJson } from "./read-json.ts";

/** Files read at a time. */
const READERS = 8;
const BUFFER = 256 << 10;

/** OCFL's names of digests (OCFL 1.1, section 3.4) to those of node:crypto. */
const ALGORITHMS: Record<string, string> = {
  md5: "md5",
  sha1: "sha1",
  sha256: "sha256",
  sha512: "sha512",
  "sha512/256": "sha512-256",
  "blake2b-512": "blake2b512",
};

/** One promise of an inventory: the file at `path` has this digest. */
interface Expected {
  code: "E092" | "E093";
  algorithm: string;
  digest: string;
  path: string;
}

/**
 * Re-reads every byte that an inventory's manifest (E092) and fixity block (E093) speak for and compares digests.
 * The inventory is streamed and files are read as they come by, so memory does not grow with their number.
 * Fixity digests of algorithms that are not known here are passed over, as section 3.5.4 allows.
 */
export async function checkContent(
  folder: string,
  inventory: string,
  facts: InventoryFacts,
  findings: Findings,
  signal?: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  const algorithm = facts.digestAlgorithm ?? "sha512";
  const total = { files: 0, bytes: 0 };
  let batch: Expected[] = [];
  const readAll = async () => {
    const work = batch.values();
    batch = [];
    const reader = async () => {
      const buffer = Buffer.allocUnsafe(BUFFER);
      for (const expected of work) {
        signal?.throwIfAborted();
        const bytes = await checkFile(folder, expected, buffer, findings);
        if (expected.code !== "E092" || bytes === undefined) continue;
        total.files += 1;
        total.bytes += bytes;
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
  };
  const visitor: JsonVisitor = {
    open() {},
    value(path: readonly string[], value: Leaf, inArray: boolean) {
      const [member, second = "", third = ""] = path;
      if (!inArray || typeof value !== "string") return;
      if (member === "manifest" && path.length === 2 && isReadable(value)) {
        if (!liesInContent(value, facts)) findings.add("E042", value, "The path lies in no version's content folder");
        batch.push({ code: "E092", algorithm, digest: second, path: value });
      }
      if (member !== "fixity" || path.length !== 3) return;
      if (!checkPath(value, CONTENT, inventory, findings)) return;
      if (isKnown(second)) batch.push({ code: "E093", algorithm: second, digest: third, path: value });
    },
    pause: () => (batch.length > 0 ? readAll() : undefined),
  };
  await readJson(join(folder, inventory), visitor, signal);
  return total;
}

/** The digest of a file, in lower-case hex, and its length. Links are not followed. Throws file system errors. */
export async function digestFile(
  file: string,
  algorithm: string,
  buffer: Buffer = Buffer.allocUnsafe(BUFFER),
): Promise<{ digest: string; bytes: number }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash(ALGORITHMS[algorithm] ?? algorithm);
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
      if (bytesRead === 0) return { digest: hash.digest("hex"), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

async function checkFile(
  folder: string,
  { code, algorithm, digest, path }: Expected,
  buffer: Buffer,
  findings: Findings,
): Promise<number | undefined> {
  try {
    const found = await digestFile(join(folder, path), algorithm, buffer);
    if (found.digest !== digest.toLowerCase()) {
      findings.add(code, path, `The ${algorithm} is ${found.digest}, the inventory says ${digest}`);
    }
    return found.bytes;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === undefined) throw error;
    findings.add(code, path, reason === "ENOENT" ? "The file is missing" : `The file cannot be read (${reason})`);
    return undefined;
  }
}

function liesInContent(path: string, { versions, contentDirectory }: InventoryFacts): boolean {
  const slash = path.indexOf("/");
  return versions.has(path.slice(0, slash)) && path.startsWith(`${contentDirectory}/`, slash + 1);
}

/** Invalid content paths are named by the survey; nothing outside the object is read for their sake. */
function isReadable(path: string): boolean {
  return path !== "" && !path.includes("\0") && !path.split("/").some((part) => part === "" || /^\.\.?$/.test(part));
}

function isKnown(algorithm: string): boolean {
  const name = ALGORITHMS[algorithm];
  return name !== undefined && getHashes().includes(name);
}
