import type { Insertable } from "kysely";
import type { SubmissionTable } from "../../db/tables/submission-tables.ts";
import { Problem } from "../../domain/problems.ts";
import type { SourceAccess } from "../../domain/source-access/access.ts";
import { sealAccess } from "../../domain/source-access/sealed-access.ts";
import { UPLOAD } from "../../domain/source-access/upload-place.ts";
import { compileSelection, type Selection } from "../../domain/submission/selection.ts";
import type { Diagnosis } from "../../source/s3/diagnosis/diagnose.ts";
import type { S3Bucket } from "../../source/s3/s3-bucket.ts";
import type { ListedObject } from "../../source/source.ts";
import { checkBucket } from "../check.ts";
import type { IntakeContext } from "../context.ts";
import type { Upload } from "../request.ts";
import { type ReadyUpload, readyUpload } from "./upload-source.ts";

/** The checked source of a new submission. */
export interface ChosenSource {
  columns: Pick<
    Insertable<SubmissionTable>,
    "endpoint" | "region" | "bucket" | "addressing" | "credentials" | "anonymous"
  >;
  /** For messages. */
  words: string;
  /** Selected objects that are known already, and their bytes. */
  objects: number;
  bytes: number;
  /** If it is an upload. */
  area?: ReadyUpload;
}

/**
 * Checks the source of a submission.
 * @param submission.id the id that the submission will have
 * @throws Problem `source_check_failed`, `source_timeout`, `source_empty`; as {@link readyUpload}
 */
export async function chosenSource(
  context: IntakeContext,
  { owner, upload, id }: { owner: string; upload: Upload; id: string },
  signal: AbortSignal,
): Promise<ChosenSource> {
  const { source, selection } = upload;
  if ("area" in source) {
    const { area: named, revision } = source;
    const area = await readyUpload(context, owner, { id: named, revision, submission: id });
    const columns = { endpoint: UPLOAD, region: null, bucket: named, addressing: "path", anonymous: true };
    const { files: objects, bytes } = area;
    return { columns: { ...columns, credentials: null }, words: "the upload", objects, bytes, area };
  }
  const { access } = source;
  const { bucket, selected } = reachedOf(await checkBucket(context, { access, selection, owner }, signal), {
    access,
    selection,
  });
  return {
    columns: {
      endpoint: access.endpoint,
      region: bucket.region,
      bucket: access.bucket,
      addressing: bucket.addressing,
      ...sealAccess(context.vault, id, access),
    },
    words: `the bucket “${access.bucket}” at ${access.endpoint}`,
    objects: selected.length,
    bytes: selected.reduce((sum, object) => sum + object.bytes, 0),
  };
}

/** The bucket, and the selected objects of the first page of its listing. */
function reachedOf(
  diagnosis: Diagnosis,
  { access, selection }: { access: SourceAccess; selection: Selection },
): { bucket: S3Bucket; selected: ListedObject[] } {
  const { report, problem, reached } = diagnosis;
  if (problem?.code === "source_timeout") throw new Problem("source_timeout", problem.message, { extra: { report } });
  if (reached === undefined) {
    throw new Problem("source_check_failed", report.message, { extra: { report }, cause: problem });
  }
  const selects = compileSelection(selection);
  const { objects, next } = reached.page;
  const selected = objects.filter(({ key }) => selects(key));
  if (next === undefined && selected.length === 0) {
    const isEmpty = objects.length === 0 && (selection.prefix ?? "") === "";
    const what = isEmpty ? "contains no objects" : "contains no selected objects";
    throw new Problem("source_empty", `The bucket “${access.bucket}” ${what}`, { extra: { report } });
  }
  return { bucket: reached.source, selected };
}
