import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ROOT_DECLARATION } from "../../packages/ocfl/src/index.ts";
import { exists } from "./folder/durable-writes.ts";

/** The location of an archive as the check for overlaps needs it. All buckets are assumed to be in one object store. */
type ComparedLocation = { kind: "folder"; folder: string } | { kind: "s3"; bucket: string; prefix: string };

/** How the first of two locations overlaps with the second. `shares`: folders of both lead to the same location by links. */
export type Overlap = "same" | "inside" | "contains" | "shares";

/** The folders of an archive, any of which may be a link or a mount. */
const PARTS = ["", "ocfl", "staging", "withdrawn"];

/**
 * Whether something that is written to one archive can appear in the other. Links and mounts are resolved; folders need
 * not exist. Undefined when the two are separate.
 */
export async function overlapOf(one: ComparedLocation, other: ComparedLocation): Promise<Overlap | undefined> {
  if (one.kind === "s3" && other.kind === "s3") {
    if (one.bucket !== other.bucket) return undefined;
    return relation(prefixesOf(one.prefix), prefixesOf(other.prefix));
  }
  if (one.kind !== "folder" || other.kind !== "folder") return undefined;
  const [ours, theirs] = await Promise.all([one, other].map(partsOf));
  const whole = relation(ours?.[0] ?? [], theirs?.[0] ?? []);
  if (whole !== undefined) return whole;
  const shares = ours?.some((own) => theirs?.some((foreign) => relation(own, foreign) !== undefined));
  return shares === true ? "shares" : undefined;
}

/** The archive that a path is in, whether or not the path exists; undefined when it is in none. */
export async function archiveAround(path: string): Promise<string | undefined> {
  let folder = await nearestReal(resolve(path));
  for (;;) {
    if (await exists(join(folder, "ocfl", ROOT_DECLARATION.name)).catch(() => false)) return folder;
    if (await exists(join(folder, ROOT_DECLARATION.name)).catch(() => false)) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

/**
 * @param one,other identifiers of two locations: first of the location itself, then of those that contain it, the nearest
 * first
 */
function relation(one: readonly string[], other: readonly string[]): Overlap | undefined {
  const [own = "", foreign = ""] = [one[0], other[0]];
  if (own === foreign) return "same";
  if (one.includes(foreign)) return "inside";
  return other.includes(own) ? "contains" : undefined;
}

function partsOf({ folder }: { folder: string }): Promise<string[][]> {
  return Promise.all(PARTS.map((part) => identitiesOf(resolve(folder, part))));
}

/** The real path of the nearest folder that exists. */
async function nearestReal(path: string): Promise<string> {
  return realpath(path).catch(() => (dirname(path) === path ? path : nearestReal(dirname(path))));
}

/** Device and inode identify a folder under all its names. A missing folder is identified by its parent and its name. */
async function identitiesOf(path: string): Promise<string[]> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  });
  if (real === undefined) {
    const above = await identitiesOf(dirname(path));
    return [`${above[0]}/${basename(path)}`, ...above];
  }
  const { dev, ino } = await stat(real, { bigint: true });
  const own = `${dev}:${ino}`;
  return dirname(real) === real ? [own] : [own, ...(await identitiesOf(dirname(real)))];
}

/** A prefix and all prefixes that contain it, up to the whole bucket. */
function prefixesOf(prefix: string): string[] {
  const parts = prefix.split("/").filter((part) => part !== "");
  return [...parts.keys(), parts.length].map((length) => `/${parts.slice(0, length).join("/")}`).reverse();
}
