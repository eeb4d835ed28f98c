import { decodeJwt } from "jose";
import { compareMetadata } from "../../../packages/rules/src/index.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { type NormalizedMetadata, publicMetadata } from "../../describe/metadata/normalized.ts";
import type { ChangedFiles, VersionChanges } from "../../public/site/landing/shown.ts";
import type { HttpContext } from "../context.ts";
import { metadataOf } from "../dataset/export-input.ts";
import { filesOf, PAYLOAD } from "../dataset/files.ts";
import { archivedVersion, type Version } from "../dataset/readable-version.ts";
import { visibilityOf } from "../dataset/row-visibility.ts";

/** Access has its own notice on the page, and definitions of fields are not metadata. */
const UNCOMPARED = ["embargoDate", "fieldSchemas"];
/** Names of files of each kind. */
const NAMED = 20;
/** Files of a version that are compared while a page is made. */
const MOST_COMPARED = 10_000;

/**
 * What differs from the published version before this one; undefined for the first. Only public metadata are compared. Names
 * of files are given only while the public may read the files of both versions.
 */
export async function changesOf(
  context: HttpContext,
  version: Version,
  described: ExportInput,
  publications: readonly PublicationRow[],
): Promise<VersionChanges | undefined> {
  const earlier = publications
    .filter((row) => row.state === "published" && row.version < version.number)
    .reduce<PublicationRow | undefined>(
      (newest, row) => (row.version > (newest?.version ?? 0) ? row : newest),
      undefined,
    );
  const own = publications.find((row) => row.version === version.number);
  if (earlier === undefined || own === undefined) return undefined;
  const before = await archivedVersion(context, version.dataset, earlier.version, version.reader);
  const { metadata } = await metadataOf(context, before);
  const areOpen = [earlier, own].every((row) => visibilityOf(row) === "files");
  return {
    since: earlier.version,
    files:
      statedChanges(version.submission.receipt ?? "", earlier.version, areOpen) ??
      (await foundChanges(context, { before, after: version }, areOpen)),
    members: compareMetadata(compared(metadata), compared(described.facts.metadata)),
  };
}

/** Differences by key and SHA-512, as the receipt of a version states them. */
interface StatedChanges extends Record<"added" | "changed" | "removed", { total: number; keys: string[] }> {
  since: number;
  kept: { total: number };
}

/** Undefined if the version was compared with another one than the published one before it. */
function statedChanges(receipt: string, since: number, areOpen: boolean): ChangedFiles | undefined {
  const { changes } = decodeJwt<{ changes?: StatedChanges }>(receipt);
  if (changes?.since !== since) return undefined;
  const { added, changed, removed, kept } = changes;
  const shown = ({ total, keys }: StatedChanges["added"]) => ({ total, names: areOpen ? keys.slice(0, NAMED) : [] });
  return { added: shown(added), changed: shown(changed), removed: shown(removed), kept: kept.total };
}

/** Compares two versions between which the public sees none; undefined if they have too many files to do so for a page. */
async function foundChanges(
  context: HttpContext,
  { before, after }: { before: Version; after: Version },
  areOpen: boolean,
): Promise<ChangedFiles | undefined> {
  if (Math.max(before.objects, after.objects) > MOST_COMPARED) return undefined;
  const [earlier, later] = await Promise.all([before, after].map((one) => digestsOf(context, one)));
  const shown = (paths: string[]) => ({ total: paths.length, names: areOpen ? paths.slice(0, NAMED) : [] });
  const [left = new Map(), right = new Map()] = [earlier, later];
  const inBoth = [...right.keys()].filter((path) => left.has(path));
  const changed = inBoth.filter((path) => left.get(path) !== right.get(path));
  return {
    added: shown([...right.keys()].filter((path) => !left.has(path))),
    changed: shown(changed),
    removed: shown([...left.keys()].filter((path) => !right.has(path))),
    kept: inBoth.length - changed.length,
  };
}

/** The SHA-512 of the files by their paths below `data/`. */
async function digestsOf(context: HttpContext, version: Version): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for await (const files of filesOf(context, version, { prefix: PAYLOAD })) {
    for (const { path, sha512 } of files) digests.set(path.slice(PAYLOAD.length), sha512);
  }
  return digests;
}

function compared(metadata: NormalizedMetadata): Record<string, unknown> {
  const members = Object.entries(publicMetadata(metadata));
  return Object.fromEntries(members.filter(([name]) => !UNCOMPARED.includes(name)));
}
