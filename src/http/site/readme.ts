import { findFolder, objectAt } from "../../db/chunks/folders.ts";
import type { Pages } from "../../public/site/addresses.ts";
import { PREVIEW_BYTES } from "../../public/site/preview/content.ts";
import type { Readme } from "../../public/site/preview/readme.ts";
import type { HttpContext } from "../context.ts";
import { beginningOf, fileOf, isUnreadable, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import type { Place } from "./files-page.ts";
import { folderOf } from "./folder.ts";

/** On the page of a dataset, the headings of the page and of the section are above those of the text. */
const ABOVE = 2;

/**
 * The file that describes the folder of a page, such as `README.md`, for readers who may read the files. Undefined without one, and if it
 * cannot be read now: the page does not need it.
 */
export async function readmeOf(
  context: HttpContext,
  version: Version,
  place: Place,
  pages: Pages,
): Promise<Readme | undefined> {
  if (version.reader.noFiles !== null || place.find !== undefined) return undefined;
  const { id, attempt } = version.submission;
  const folder = await findFolder(context.db, id, attempt, await folderOf(context, version, place));
  const position = folder?.readme;
  if (position == null) return undefined;
  try {
    return await readReadme(context, version, position, pages);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

async function readReadme(
  context: HttpContext,
  version: Version,
  position: number,
  pages: Pages,
): Promise<Readme | undefined> {
  const { id, attempt } = version.submission;
  const object = await objectAt(context.db, id, attempt, position);
  if (object === undefined) return undefined;
  const file = fileOf(object, version);
  const path = file.path.slice(PAYLOAD.length);
  const shown = { dataset: version.dataset.id, sha512: file.sha512, path, below: ABOVE, pages };
  const content = await context.texts.html(shown, () => beginningOf(context, version, file, PREVIEW_BYTES));
  const name = path.slice(path.lastIndexOf("/") + 1);
  return content && { name, content, isCut: file.bytes > PREVIEW_BYTES };
}
