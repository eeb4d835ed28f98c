import { mediaTypesOf } from "../../db/chunks/files.ts";
import type { DescribedFile, DescribedFiles } from "../../describe/formats/croissant/described-files.ts";
import { HEAD_BYTES, headerRow, isTable } from "../../describe/formats/croissant/header-row.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import type { HttpContext } from "../context.ts";
import type { DatasetFile } from "../dataset/dataset-file.ts";
import { filesOf, firstOf, PAYLOAD } from "../dataset/files.ts";
import { orderOf, type Version } from "../dataset/readable-version.ts";
import { mediaTypeOf } from "../dataset/send-file.ts";
import { encodePath } from "../dataset/signposting.ts";

/** With more files, a description would be larger than what programs read. */
const MOST_FILES = 1_000;
/** Tables whose first row is read. */
const MOST_TABLES = 100;

/**
 * The files of a version for the formats that list them, as far as the reader may see them: nothing of closed files but the media
 * types, which other formats state, too.
 *
 * @throws Problem as `ExportThreads.open`
 */
export async function describedFiles(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<DescribedFiles> {
  const mediaTypes = await mediaTypesOf(context.db, version.submission);
  if (version.reader.noFiles !== null || version.objects > MOST_FILES) return { all: undefined, mediaTypes };
  const files = await firstOf(filesOf(context, version, { prefix: PAYLOAD }), MOST_FILES);
  const tables = files.filter(({ path }) => isTable(path)).slice(0, MOST_TABLES);
  const columns = new Map<DatasetFile, readonly string[] | undefined>();
  for (const table of tables) columns.set(table, await columnsOf(context, version, table));
  return { all: files.map((file) => describeFile(described, file, columns.get(file))), mediaTypes };
}

function describeFile(
  { facts: { url }, query }: ExportInput,
  file: DatasetFile,
  columns: readonly string[] | undefined,
): DescribedFile {
  return {
    path: file.path.slice(PAYLOAD.length),
    bytes: file.bytes,
    mediaType: mediaTypeOf(file),
    url: `${url}/files/${encodePath(file.path)}${query}`,
    digests: { sha512: file.sha512, ...file.proven },
    ...(columns !== undefined && { columns }),
  };
}

/** The titles of the columns of a table. They are kept, because archived files do not change. */
async function columnsOf(
  context: HttpContext,
  version: Version,
  file: DatasetFile,
): Promise<readonly string[] | undefined> {
  const titles = await context.archived.columns(file, async () => {
    const to = Math.min(file.bytes, HEAD_BYTES);
    if (to === 0) return [];
    const range = to < file.bytes ? { range: { from: 0, to } } : {};
    const content = await context.exports.open({ kind: "file", ...orderOf(version), file, ...range });
    return headerRow(file.path, Buffer.concat(await content.toArray())) ?? [];
  });
  return titles.length === 0 ? undefined : titles;
}
