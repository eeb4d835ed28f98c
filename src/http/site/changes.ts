import { decodeJwt } from "jose";
import { compareMetadata } from "../../../packages/rules/src/index.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { type NormalizedMetadata, publicMetadata } from "../../describe/metadata/normalized.ts";
import type { ChangedFiles, VersionChanges } from "../../public/site/landing/shown.ts";
import type { HttpContext } from "../context.ts";
import type { FileDifferences } from "../dataset/archived-cache.ts";
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
  const files =
    statedChanges(version.submission.receipt ?? "", earlier.version) ?? (await foundChanges(context, before, version));
  return {
    since: earlier.version,
    files: files && shownFiles(files, areOpen),
    members: compareMetadata(compared(metadata), compared(described.facts.metadata)),
  };
}

/** Differences by key and SHA-512, as the receipt of a version states them. */
interface StatedChanges extends FileDifferences {
  since: number;
}

/** Undefined if the version was compared with another one than the published one before it. */
function statedChanges(receipt: string, since: number): FileDifferences | undefined {
  const { changes } = decodeJwt<{ changes?: StatedChanges }>(receipt);
  return changes?.since === since ? changes : undefined;
}

/** Compares two versions between which the public sees none; undefined if they have too many files to do so for a page. */
async function foundChanges(
  context: HttpContext,
  before: Version,
  after: Version,
): Promise<FileDifferences | undefined> {
  if (Math.max(before.objects, after.objects) > MOST_COMPARED) return undefined;
  return context.archived.differences([before.submission, after.submission], async () => {
    const earlier = await digestsOf(context, before);
    const later = await digestsOf(context, after);
    const named = (paths: string[]) => ({ total: paths.length, keys: paths.slice(0, NAMED) });
    const inBoth = [...later.keys()].filter((path) => earlier.has(path));
    const changed = inBoth.filter((path) => earlier.get(path) !== later.get(path));
    return {
      added: named([...later.keys()].filter((path) => !earlier.has(path))),
      changed: named(changed),
      removed: named([...earlier.keys()].filter((path) => !later.has(path))),
      kept: { total: inBoth.length - changed.length },
    };
  });
}

/** Without names while the public may not read the files of both versions. */
function shownFiles({ added, changed, removed, kept }: FileDifferences, areOpen: boolean): ChangedFiles {
  const shown = ({ total, keys }: FileDifferences["added"]) => ({ total, names: areOpen ? keys.slice(0, NAMED) : [] });
  return { added: shown(added), changed: shown(changed), removed: shown(removed), kept: kept.total };
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
