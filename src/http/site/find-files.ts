import { filesWith } from "../../db/chunks/folders.ts";
import { Problem } from "../../domain/problems.ts";
import type { ShownFolder } from "../../public/site/landing/shown.ts";
import type { HttpContext } from "../context.ts";
import type { DatasetFile } from "../dataset/dataset-file.ts";
import { fileOf, filesOf, firstOf, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import {
  ENTRIES,
  isSearchedByBeginning,
  type Place,
  pageOf,
  type Showing,
  shownFile,
  shownFolder,
} from "./files-page.ts";

const MOST_WORDS = 10;

/** A page of the files of all folders whose paths contain the words; in large versions those whose paths begin with the text. */
export async function foundFiles(
  context: HttpContext,
  version: Version,
  { find = "", after = -1 }: Place,
  { addresses, search }: Showing,
): Promise<ShownFolder> {
  const { files, last } = pageOf(await filesNamed(context, version, { find, after, search }));
  return {
    ...(await shownFolder(context, version, "", addresses, find)),
    counted: undefined,
    folders: [],
    files: files.map((file) => shownFile(file, addresses, 0)),
    isFirst: after === -1,
    next: last && addresses.folder("", { find, after: last.position }),
  };
}

async function filesNamed(
  context: HttpContext,
  version: Version,
  { find, after, search }: { find: string; after: number; search: Showing["search"] },
): Promise<DatasetFile[]> {
  if (isSearchedByBeginning(version)) {
    const begin = (text: string) => firstOf(filesOf(context, version, { prefix: PAYLOAD + text, after }), ENTRIES + 1);
    const found = await begin(find);
    return found.length === 0 ? begin(withoutPayload(find)) : found;
  }
  const words = find
    .split(/\s+/u)
    .map(withoutPayload)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) {
    throw new Problem("invalid_request", `At most ${MOST_WORDS} words can be searched for`);
  }
  const { id, attempt } = version.submission;
  const found = await search((isOver) =>
    filesWith(context.db, id, attempt, { words, after, limit: ENTRIES + 1, isOver }),
  );
  return (found ?? []).map((object) => fileOf(object, version));
}

/** Comments, manifests and packages name files with the folder `data/`. */
function withoutPayload(text: string): string {
  return text.startsWith(PAYLOAD) ? text.slice(PAYLOAD.length) : text;
}
