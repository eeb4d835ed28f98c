import { isDeepStrictEqual } from "node:util";
import type { Findings, ObservedRun, SourceObject } from "./observed-run.ts";
import type { ManifestLine, Version } from "./ocfl.ts";

export interface Submission {
  id: string;
  status: string;
  attempt: number;
  owner: string;
  createdAt: string;
  metadata: unknown;
  progress: Record<string, number | boolean | null>;
  waiting: { code: string; message: string; until: string | null } | null;
  failure: { code: string; message: string } | null;
  dataset: { id: string; version: number } | null;
}

export interface File {
  key: string;
  path: string;
  bytes: number;
  sha512: string | null;
  state: string;
  verifiedBy: string | null;
  error: { code: string } | null;
}

export interface Receipt {
  submission: { id: string; attempt: number };
  counts: { listed: number; stored: number; excluded: number };
  bytes: number;
  verified: Record<string, number>;
  driftTotal: number;
  dataset: { id: string; version: number };
  changes?: Record<"added" | "changed" | "removed", { total: number }> & {
    since: number;
    kept: { total: number; notRead: number };
  };
  sourceMayBeDeleted: string;
  digests: { sourceManifest: { path: string; sha512: string }; inventory: { path: string; sha512: string } };
}

const STORED = "stored or reported";
const COMPLETE = "completed is complete";

/** Whether the key had this content at any time. */
const hadContent = (truth: SourceObject | undefined, bytes: number, sha512: string | null | undefined): boolean =>
  truth?.contents.some((content) => content.bytes === bytes && content.sha512 === sha512) === true;

/** For an empty object, a fault can remove metadata from the response without being detectable. */
const hasSameMetadata = ({ bytes, userMetadata = {}, checksums = {} }: ManifestLine, truth: SourceObject): boolean =>
  !truth.isUnchanged ||
  bytes === 0 ||
  (isDeepStrictEqual(userMetadata, truth.userMetadata ?? {}) && isDeepStrictEqual(checksums, truth.checksums ?? {}));

/** Compares the files that the API lists for a submission with the objects of the source. */
export function checkFiles(
  world: ObservedRun,
  submission: Submission,
  files: readonly File[],
  findings: Findings,
): void {
  const kept = (holds: boolean, detail: string) => findings.expect(holds, STORED, `${submission.id}: ${detail}`);
  const seen = new Set<string>();
  for (const file of files) {
    const name = JSON.stringify(file.key.slice(0, 80));
    kept(!seen.has(file.key), `${name} is listed twice`);
    seen.add(file.key);
    kept(world.source.has(file.key), `${name} was never in the bucket`);
    if (file.state === "stored") {
      kept(file.error === null, `${name} is stored and reported as unreadable`);
      kept(hadContent(world.source.get(file.key), file.bytes, file.sha512), `${name} is stored with other bytes`);
    } else if (file.state === "failed" || file.state === "excluded") {
      kept(file.error !== null && file.sha512 === null, `${name} is ${file.state} and not reported as unreadable`);
    } else {
      const isDecided = submission.status === "completed" || submission.waiting?.code === "objects_unreadable";
      kept(file.state === "listed" && !isDecided, `${name} is neither stored nor reported (${file.state})`);
    }
  }
  if (submission.progress.listingComplete !== true) return;
  for (const [key, truth] of world.source) {
    if (truth.isUnchanged) kept(seen.has(key), `${JSON.stringify(key.slice(0, 80))} is neither stored nor reported`);
  }
}

/** Compares the package of a completed submission with the source and with the API. */
export function checkDataset(
  world: ObservedRun,
  submission: Submission,
  { files, dataset }: { files: readonly File[]; dataset: Version },
  findings: Findings,
): void {
  const kept = (holds: boolean, detail: string) => findings.expect(holds, STORED, `${submission.id}: ${detail}`);
  const listed = new Map(files.map((file) => [file.key, file]));
  const paths = new Set<string>();
  const keys = new Set<string>();
  for (const line of dataset.manifest) {
    const name = JSON.stringify(line.key.slice(0, 80));
    const file = dataset.files.get(line.path);
    kept(!keys.has(line.key) && !paths.has(line.path), `${name} or its path is in the manifest twice`);
    keys.add(line.key);
    paths.add(line.path);
    kept(listed.get(line.key)?.state === (line.excluded ? "excluded" : "stored"), `${name}: API and manifest differ`);
    if (line.excluded !== undefined) {
      kept(file === undefined && line.sha512 === undefined, `${name} is both excluded and in the package`);
      kept(line.excluded.reason !== "", `${name} is excluded without a reason`);
    } else {
      kept(file !== undefined && file.sha512 === line.sha512, `${name} is in the manifest and not in the package`);
      const truth = world.source.get(line.key);
      kept(hadContent(truth, line.bytes, line.sha512), `${name} is archived with other bytes`);
      kept(truth === undefined || hasSameMetadata(line, truth), `${name} is archived with other metadata or checksums`);
    }
  }
  for (const [key, truth] of world.source) {
    if (truth.isUnchanged) kept(keys.has(key), `${JSON.stringify(key.slice(0, 80))} is not in the manifest`);
  }
  for (const path of dataset.files.keys()) {
    if (path.startsWith("data/")) kept(paths.has(path), `${path} is in the package and not in the manifest`);
  }
}

/** Recalculates the counts that the submission and its receipt state. */
export function checkClaims(
  world: ObservedRun,
  submission: Submission,
  { dataset, receipt, manifestSha512 }: { dataset: Version; receipt: Receipt; manifestSha512: string | undefined },
  findings: Findings,
): void {
  const whole = (holds: boolean, detail: string) => findings.expect(holds, COMPLETE, `${submission.id}: ${detail}`);
  const stored = dataset.manifest.filter(({ excluded }) => excluded === undefined);
  const bytes = stored.reduce((sum, line) => sum + line.bytes, 0);
  const counts = {
    listed: dataset.manifest.length,
    stored: stored.length,
    excluded: dataset.manifest.length - stored.length,
  };
  const { progress } = submission;
  whole(progress.listingComplete === true, "the listing is not complete");
  whole(progress.objectsFailed === 0, `${progress.objectsFailed} objects failed`);
  whole(
    progress.objectsListed === counts.listed &&
      progress.objectsStored === counts.stored &&
      progress.objectsExcluded === counts.excluded &&
      progress.bytesStored === bytes,
    `the counts are ${JSON.stringify(progress)}, the package holds ${JSON.stringify(counts)} and ${bytes} bytes`,
  );
  whole(
    JSON.stringify(receipt.counts) === JSON.stringify(counts) && receipt.bytes === bytes,
    `the receipt says ${JSON.stringify(receipt.counts)} and ${receipt.bytes} bytes`,
  );
  whole(receipt.digests.sourceManifest.sha512 === manifestSha512, "the receipt names another manifest");
  for (const { key, verifiedBy } of stored) {
    const isCompared = verifiedBy === "checksum" || verifiedBy === "md5" || verifiedBy === "md5-parts";
    const mustBe = world.source.get(key)?.offersDigest === true && world.source.get(key)?.isUnchanged === true;
    whole(isCompared || !mustBe, `the digest of ${JSON.stringify(key.slice(0, 80))} was not compared`);
  }
  const byLength = stored.filter(({ verifiedBy }) => verifiedBy === "length").length;
  const mayDelete = counts.excluded === 0 && byLength === 0 && receipt.driftTotal === 0;
  whole(receipt.sourceMayBeDeleted === (mayDelete ? "yes" : "no"), "the receipt is wrong about deleting the source");
}
