import { mediaTypesOf } from "../../db/chunks/files.ts";
import type { DescribedFile, DescribedFiles } from "../../describe/formats/croissant/described-files.ts";
import { HEAD_BYTES, headerRow, isTable } from "../../describe/formats/croissant/header-row.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { addressPath } from "../../domain/keys-and-paths/path.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset/dataset-file.ts";
import { beginningOf, filesOf, firstOf, isUnreadable, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";

/** With more files, a description would be larger than what programs read. */
const MOST_FILES = 1_000;
/** Tables whose first row is read, and what is kept of them, so that a description stays small. */
const MOST_TABLES = 50;
const MOST_COLUMNS = 2_000;
const MOST_LETTERS = 100_000;

/**
 * The files of a version for the formats that list them, as far as the reader may see them: nothing of closed files but the media
 * types, which other formats state, too.
 */
export async function describedFiles(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<DescribedFiles> {
  const mediaTypes = await mediaTypesOf(context.db, version.submission);
  if (version.reader.noFiles !== null || version.objects > MOST_FILES) return { all: undefined, mediaTypes };
  const files = await firstOf(filesOf(context, version, { prefix: PAYLOAD }), MOST_FILES);
  const columns = await context.archived.columns(version.submission, () => columnsOf(context, version, files));
  return { all: files.map((file) => describeFile(described, file, columns.get(file.path))), mediaTypes };
}

function describeFile(
  { facts: { url, version } }: ExportInput,
  file: DatasetFile,
  columns: readonly string[] | undefined,
): DescribedFile {
  return {
    path: file.path.slice(PAYLOAD.length),
    bytes: file.bytes,
    mediaType: mediaTypeOf(file),
    url: `${url}/files/${addressPath(file.path)}?version=${version}`,
    digests: { sha512: file.sha512, ...file.proven },
    ...(columns !== undefined && { columns }),
  };
}

/** The titles of the columns of tables by path, up to the limits. `isWhole` is false if a file could not be read now. */
async function columnsOf(
  context: HttpContext,
  version: Version,
  files: readonly DatasetFile[],
): Promise<{ value: Map<string, readonly string[]>; isWhole: boolean }> {
  const value = new Map<string, readonly string[]>();
  let isWhole = true;
  let columns = 0;
  let letters = 0;
  for (const file of files.filter(({ path, bytes }) => bytes > 0 && isTable(path)).slice(0, MOST_TABLES)) {
    const head = await headOf(context, version, file);
    const titles = head && headerRow(file.path, head);
    isWhole &&= head !== undefined;
    if (titles === undefined) continue;
    columns += titles.length;
    letters += titles.join("").length;
    if (columns > MOST_COLUMNS || letters > MOST_LETTERS) break;
    value.set(file.path, titles);
  }
  return { value, isWhole };
}

/** The beginning of a file; undefined if it cannot be read: the description does not need it. */
async function headOf(context: HttpContext, version: Version, file: DatasetFile): Promise<Buffer | undefined> {
  try {
    return await beginningOf(context, version, file, HEAD_BYTES);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
