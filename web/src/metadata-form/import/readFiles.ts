import { MAX_METADATA_FILE_BYTES } from "@accession/rules";
import type { TFunction } from "i18next";
import { type MetadataSuggestions, suggestFromFiles } from "../../api/intake.ts";
import { visible } from "../../ui/text/format.ts";

/** Maximum number of files in one request. */
const MOST = 10;

/** Why files are not sent, in the language of the page. */
export class UnusableFilesError extends Error {}

/** Reads metadata files of the user. @throws UnusableFilesError if they are too large or too many */
export async function readFiles(files: readonly File[], t: TFunction<"new">): Promise<MetadataSuggestions> {
  const large = files.find(({ size }) => size > MAX_METADATA_FILE_BYTES);
  if (large !== undefined) throw new UnusableFilesError(t("import.tooLarge", { file: visible(large.name) }));
  if (files.length > MOST) throw new UnusableFilesError(t("import.tooMany", { count: MOST }));
  return suggestFromFiles(files);
}
