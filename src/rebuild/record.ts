import type { ManifestLine } from "../archive/archived-package.ts";
import type { LoggedRead } from "../archive/logs.ts";
import { listedObject, type ObjectRecord, recordedPath } from "../db/objects.ts";
import { type Code, catalogue } from "../submission/problems.ts";

/**
 * An object of the listing as the database keeps it. `read` is what the logs say of its reads, for those that were not
 * simply read once; `version` is the one that lists it.
 */
export function recordOf(line: ManifestLine, seq: number, read: LoggedRead | undefined, version: number): ObjectRecord {
  const natural = `data/${line.key}`;
  const odd = line.path !== natural;
  const etag = line.etag === null ? null : `"${line.etag}"`;
  const listed = {
    ...listedObject(seq, { ...line, etag }, odd),
    path: odd ? line.path : null,
    attempts: read?.attempts ?? (line.verifiedIn === undefined ? 1 : 0),
  };
  if (line.excluded !== undefined) {
    const { reason, code } = line.excluded;
    return { ...listed, state: "excluded", exclusion: reason, error: read?.error ?? errorOf(code) };
  }
  const verifiedIn = line.verifiedIn ?? null;
  const { contentPath } = line;
  const { versionId, contentType, contentEncoding, userMetadata, checksums } = line;
  return {
    ...listed,
    state: "stored",
    contentPath: contentPath === undefined ? null : recordedPath(contentPath, { key: line.key, verifiedIn }, version),
    sha512: line.sha512 ?? null,
    verifiedBy: line.verifiedBy ?? null,
    verifiedWith: line.verifiedWith ?? null,
    etagIsDigest: line.etagIsDigest === true,
    verifiedIn,
    error: read?.error ?? null,
    came: {
      ...(versionId !== undefined && { versionId }),
      ...(contentType !== undefined && { contentType }),
      ...(contentEncoding !== undefined && { contentEncoding }),
      ...(userMetadata !== undefined && { userMetadata }),
      ...(checksums !== undefined && { checksums }),
    },
  };
}

/** What was wrong, where the words for it were not kept. */
function errorOf(code: string | null): ObjectRecord["error"] {
  if (code === null) return null;
  return { code, message: Object.hasOwn(catalogue, code) ? catalogue[code as Code].title : code };
}
