import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A secret in all the ways in which it could have been written down. */
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

/** Within a longer text a secret can begin at each of three places of a group; what of it is always the same. */
function base64s(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3));
    const from = before === 0 ? 0 : 4;
    return [whole.toString("base64").slice(from), whole.toString("base64url").slice(from)];
  });
}

/** Looks for secrets, in every spelling. */
export class Canary {
  readonly #needles: Buffer[];

  constructor(secrets: readonly string[]) {
    this.#needles = secrets.flatMap(spellings);
  }

  isIn(bytes: Buffer | string): boolean {
    const text = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    return this.#needles.some((needle) => text.includes(needle));
  }

  /** The files below a folder that hold one, or have one in their name. Files that go meanwhile hold nothing. */
  async filesBelow(folder: string): Promise<{ found: string[]; searched: number }> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
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

  /** The data of a process and its children that all users of the machine, or its user, can see. */
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
    // It has ended.
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
