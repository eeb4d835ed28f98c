import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import { isError, ROOT_DECLARATION } from "../../../packages/ocfl/src/index.ts";
import { LAYOUT_FILES } from "../layout.ts";
import { ArchiveCorrupt, readText } from "../read-archived.ts";
import { surveyArchive } from "../survey.ts";
import { type Finding, NOTHING_READ } from "../validation/check-object.ts";
import type { CheckedRoot } from "../validation/check-root.ts";
import { Bucket } from "./bucket.ts";
import { examineS3Object } from "./examine.ts";
import type { S3Location } from "./layout.ts";
import { S3Reader } from "./reader.ts";

const CONNECTIONS = 1;
const ROOT = "ocfl/";

/**
 * Checks an archive in an object store and reads every byte once: the files of its storage root, each published object,
 * and all other files between them. An object without its root inventory is a warning, because the files of a dataset
 * are stored before it is published. Nothing should be published in the archive during the check.
 *
 * @throws Problem if the object store cannot be reached
 */
export async function checkS3Archive(
  place: S3Location,
  { keys, signal }: { keys?: JSONWebKeySet | undefined; signal?: AbortSignal } = {},
): Promise<CheckedRoot> {
  const bucket = await Bucket.open(place, CONNECTIONS);
  const scratch = await mkdtemp(join(tmpdir(), "accession-verify-"));
  try {
    const reader = new S3Reader(bucket);
    const findings = await checkRootFiles(reader);
    const survey = await surveyArchive(reader, () => signal?.throwIfAborted());
    for (const path of survey.otherFiles) {
      findings.push({
        code: "E072",
        path: path.slice(ROOT.length),
        detail: "The file belongs neither to the storage root nor to an object",
      });
    }
    const total = { objects: 0, ...NOTHING_READ };
    for (const { folder, kind } of survey.objects) {
      if (kind === "unpublished") {
        const detail = "The object has no root inventory: it is not published yet, or the inventory was lost";
        findings.push({ code: "WP01", path: folder.slice(ROOT.length), detail });
        continue;
      }
      const options = { signal, receipts: { keys, isArchived: true } };
      const checked = await examineS3Object({ kind: "s3", place, object: folder, scratch }, options);
      const below = folder.slice(ROOT.length);
      findings.push(...checked.findings.map((one) => ({ ...one, path: [below, one.path].filter(Boolean).join("/") })));
      total.objects += 1;
      total.files += checked.files;
      total.bytes += checked.bytes;
      total.versions += checked.versions;
      total.receiptsVerified += checked.receiptsVerified;
    }
    return { ok: !findings.some(({ code }) => isError(code)), findings, ...total };
  } finally {
    bucket.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function checkRootFiles(reader: S3Reader): Promise<Finding[]> {
  const findings: Finding[] = [];
  const textOf = (path: string) =>
    readText(reader, `${ROOT}${path}`).catch((error: unknown) => {
      if (error instanceof ArchiveCorrupt) return undefined;
      throw error;
    });
  if ((await textOf(ROOT_DECLARATION.name)) !== ROOT_DECLARATION.content) {
    findings.push({
      code: "E069",
      path: ROOT_DECLARATION.name,
      detail: "The storage root’s declaration is missing or changed",
    });
  }
  for (const [path, wanted] of LAYOUT_FILES) {
    if ((await textOf(path)) === wanted) continue;
    findings.push({
      code: "W000",
      path,
      detail: "The file is missing, or differs from the one that the service writes",
    });
  }
  return findings;
}
