import { metadataFileKind } from "../../describe/import/file-kinds.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import type { DatasetFile } from "../dataset/dataset-file.ts";
import { BEGINNING, filesOf, findFile, PAYLOAD } from "../dataset/files.ts";
import type { Reviewed } from "./reviewed.ts";

/** Names of files that usually state who made a dataset, besides those that the import of metadata reads. */
const DESCRIBING =
  /^(?:read[-_ ]?me|authors?|contributors?|credits|maintainers|acknowledge?ments?|copyright|licen[cs]es?|notice|citation|datacite|codemeta|ro-crate-(?:metadata|preview)|bag-info|\.zenodo)(?:[-_.][a-z]{2})?(?:\.(?:md|markdown|txt|rst|adoc|json|jsonld|xml|ya?ml|html?|pdf|docx?|odt|rtf|bib|ris|rdf|ttl))*$/i;
const CITATION_FILE = /\.cff$/i;

/** What reviewers get in another form: `GET /review` has the metadata. */
const SUBMISSION = "metadata/submission.json";

/** Whether an anonymous view excludes a file of the bucket, because such files usually name people. */
export function describesDataset(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return DESCRIBING.test(name) || CITATION_FILE.test(name) || metadataFileKind(name) !== undefined;
}

/** Whether reviewers see a file. An anonymous view has no file that the service made, because these name people. */
function isShown({ link }: Reviewed, path: string): boolean {
  if (!link.anonymous) return path !== SUBMISSION;
  return path.startsWith(PAYLOAD) && !describesDataset(path);
}

/** Yields the files that reviewers see, in batches. @throws Problem as `filesOf` */
export async function* reviewedFiles(
  context: HttpContext,
  reviewed: Reviewed,
  after = BEGINNING,
): AsyncGenerator<DatasetFile[]> {
  const prefix = reviewed.link.anonymous ? PAYLOAD : "";
  for await (const files of filesOf(context, reviewed.version, { prefix, after })) {
    const shown = files.filter(({ path }) => isShown(reviewed, path));
    if (shown.length > 0) yield shown.map((file) => asReviewed(reviewed, file));
  }
}

/** The files that the service made and that reviewers see: a plain view lists them besides the objects of the bucket. */
export async function describingFiles(context: HttpContext, reviewed: Reviewed): Promise<DatasetFile[]> {
  if (reviewed.link.anonymous) return [];
  // They come first, in one batch.
  for await (const files of reviewedFiles(context, reviewed)) return files.filter(({ position }) => position < 0);
  return [];
}

/** Returns a file that reviewers see. @throws Problem `not_found`, and as `findFile` */
export async function requireReviewedFile(
  context: HttpContext,
  reviewed: Reviewed,
  path: string | undefined,
): Promise<DatasetFile> {
  const isWanted = path !== undefined && isShown(reviewed, path);
  const file = isWanted ? await findFile(context, reviewed.version, path) : undefined;
  if (file === undefined) throw new Problem("not_found", "The dataset has no file with this path");
  return asReviewed(reviewed, file);
}

/** Without the media type that the source stated in an anonymous view: it is free text. */
function asReviewed({ link }: Reviewed, file: DatasetFile): DatasetFile {
  return link.anonymous ? { ...file, contentType: null } : file;
}
