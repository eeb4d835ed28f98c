import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { entriesBelow } from "../entries-below.ts";

/** Shorter parts of Base64 text occur by chance: any four characters are in one of 14,000 signed records of 1,200 bytes. */
const LEAST_BASE64 = 8;

/**
 * Returns a secret in all encodings in which it could have been stored. Secrets of less than nine bytes have no certain
 * part in Base64 at every offset: callers decode such texts (JWS) before they search them.
 */
export function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const texts = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ "": secret }).toString().slice(1),
    secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64s(bytes),
  ];
  return [...new Set(texts)].map((text) => Buffer.from(text)).concat(Buffer.from(secret, "utf16le"));
}

/** Within a longer text, a secret can start at three offsets of a Base64 group. Returns the constant part for each. */
function base64s(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3));
    const from = before === 0 ? 0 : 4;
    return [whole.toString("base64").slice(from), whole.toString("base64url").slice(from)].filter(
      (text) => text.length >= LEAST_BASE64,
    );
  });
}

/** Searches for secrets in all their encodings. */
export class Canary {
  readonly #needles: Buffer[];

  constructor(secrets: readonly string[]) {
    this.#needles = secrets.flatMap(spellings);
  }

  isIn(bytes: Buffer | string): boolean {
    const text = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    return this.#needles.some((needle) => text.includes(needle));
  }

  /** Returns the files below a folder that contain a secret or have one in their name. Files that are removed meanwhile are ignored. */
  async filesBelow(folder: string): Promise<{ found: string[]; searched: number }> {
    const entries = await entriesBelow(folder);
    const found: string[] = [];
    let searched = 0;
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name);
      if (this.isIn(entry.name)) found.push(file);
      if (!entry.isFile()) continue;
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      searched += bytes.length;
      if (this.isIn(bytes)) found.push(file);
    }
    return { found, searched };
  }

  /** Searches the command line, environment and name of a process and its children, which other programs can read. */
  processes(pid: number): { found: string[]; searched: number } {
    const found: string[] = [];
    const all = withChildren(pid);
    for (const one of all) {
      for (const name of ["cmdline", "environ", "comm"]) {
        const file = `/proc/${one}/${name}`;
        if (this.isIn(read(file))) found.push(file);
      }
    }
    return { found, searched: all.length };
  }
}

function withChildren(pid: number): number[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).toString().split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(withChildren)];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended.
    return [];
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
