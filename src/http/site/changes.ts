import { decodeJwt } from "jose";
import { compareMetadata } from "../../../packages/rules/src/index.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { type NormalizedMetadata, publicMetadata } from "../../describe/metadata/normalized.ts";
import type { ChangedFiles, VersionChanges } from "../../public/site/landing/shown.ts";
import type { HttpContext } from "../context.ts";
import { metadataOf } from "../dataset/export-input.ts";
import { archivedVersion, type Version } from "../dataset/readable-version.ts";
import { visibilityOf } from "../dataset/row-visibility.ts";

/** Access has its own notice on the page, and definitions of fields are not metadata. */
const UNCOMPARED = ["embargoDate", "fieldSchemas"];
/** Names of files of each kind. */
const NAMED = 20;

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
    files: changedFiles(version.submission.receipt ?? "", earlier.version, areOpen),
    members: compareMetadata(compared(metadata), compared(described.facts.metadata)),
  };
}

/** Differences by key and SHA-512, as the receipt of a version states them. */
interface StatedChanges extends Record<"added" | "changed" | "removed", { total: number; keys: string[] }> {
  since: number;
  kept: { total: number };
}

/** Undefined if the version was compared with another one than the published one before it. */
function changedFiles(receipt: string, since: number, areOpen: boolean): ChangedFiles | undefined {
  const { changes } = decodeJwt<{ changes?: StatedChanges }>(receipt);
  if (changes?.since !== since) return undefined;
  const { added, changed, removed, kept } = changes;
  const shown = ({ total, keys }: StatedChanges["added"]) => ({ total, names: areOpen ? keys.slice(0, NAMED) : [] });
  return { added: shown(added), changed: shown(changed), removed: shown(removed), kept: kept.total };
}

function compared(metadata: NormalizedMetadata): Record<string, unknown> {
  const members = Object.entries(publicMetadata(metadata));
  return Object.fromEntries(members.filter(([name]) => !UNCOMPARED.includes(name)));
}
