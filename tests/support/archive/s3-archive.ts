import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { S3Server } from "../../../packages/s3-test-server/src/index.ts";

/** The account of the archive's bucket. It must not appear in responses of the API. */
export const archiveKeys = { accessKey: "AKARCHIVE", secretKey: "the-archives-own-secret/+x" };
export const archiveBucket = "the-archive";
export const archivePrefix = "lab/2026";

/** Settings of a service whose archive is in a bucket. */
export function archiveSettings(endpoint: string, keys = archiveKeys): Record<string, string> {
  return {
    ACCESSION_ARCHIVE: `s3://${archiveBucket}/${archivePrefix}`,
    ACCESSION_ARCHIVE_S3_ENDPOINT: endpoint,
    ACCESSION_ARCHIVE_S3_ACCESS_KEY: keys.accessKey,
    ACCESSION_ARCHIVE_S3_SECRET_KEY: keys.secretKey,
  };
}

/** The paths of all objects of the archive below a path. */
export function archivePaths(server: S3Server, below = ""): string[] {
  const start = `${archivePrefix}/${below}`;
  return server
    .keys(archiveBucket)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(archivePrefix.length + 1));
}

/** Paths of the visible datasets: those with a root inventory. */
export function visibleDatasets(paths: readonly string[]): string[] {
  return paths.flatMap((path) => /^(ocfl\/(?:[^/]+\/){3}[0-9a-f]{128})\/inventory\.json$/.exec(path)?.[1] ?? []);
}

/** Writes files of the archive into a new folder, with the same paths. */
export async function download(
  paths: readonly string[],
  body: (path: string) => Buffer | Promise<Buffer>,
): Promise<{ folder: string; [Symbol.asyncDispose](): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "accession-download-"));
  for (const path of paths) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await body(path));
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Downloads the visible datasets and the files of the storage root into a folder. Files that are not yet visible are omitted.
 * @param wants selects datasets by their paths; default: all
 */
export async function downloadVisible(
  server: S3Server,
  wants: (object: string) => boolean = () => true,
): ReturnType<typeof download> {
  const paths = archivePaths(server);
  const seen = visibleDatasets(paths).filter(wants);
  const ofRoot = (path: string) =>
    path.startsWith("ocfl/") && (path.split("/").length <= 2 || path.startsWith("ocfl/extensions/"));
  const wanted = paths.filter(
    (path) =>
      ofRoot(path) ||
      seen.some((object) => path.startsWith(`${object}/`)) ||
      path.startsWith("withdrawn/") ||
      path === "jwks.json",
  );
  return download(wanted, (path) => server.body(archiveBucket, `${archivePrefix}/${path}`));
}
