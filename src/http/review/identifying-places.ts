import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { anonymousMetadata, shownTexts } from "../../publication/rules/anonymous-metadata.ts";
import { type IdentifyingKind, NameSearch } from "../../publication/rules/name-search.ts";
import type { Place } from "../../publication/rules/publication.ts";
import type { HttpContext } from "../context.ts";
import { filesOf, PAYLOAD } from "../dataset/files.ts";
import type { Version } from "../dataset/readable-version.ts";
import { describesDataset } from "./reviewed-files.ts";

/** What of an anonymous view can tell who made the dataset, or why a file is excluded from it (`excluded`). */
export interface IdentifyingPlace {
  kind: IdentifyingKind | "excluded";
  /** The name or the passage; the name of the file that is excluded. */
  text: string;
  place: Place;
}

/** What the owner of an anonymous link should know. */
export interface IdentifyingPlaces {
  /** The first ones. */
  listed: IdentifyingPlace[];
  total: number;
  leftOut: { files: number; bytes: number };
}

/** Maximum number of places that are listed. */
const MOST_LISTED = 200;

/**
 * Searches everything that an anonymous view shows for names that the metadata state. The view is not altered: the owner
 * corrects texts, and only the owner can know whether the content of files names people.
 */
export async function identifyingPlaces(
  context: HttpContext,
  version: Version,
  metadata: NormalizedMetadata,
): Promise<IdentifyingPlaces> {
  const search = new NameSearch(metadata, [context.publisher.name]);
  const found: IdentifyingPlaces = { listed: [], total: 0, leftOut: { files: 0, bytes: 0 } };
  const add = (place: Place, ...all: Omit<IdentifyingPlace, "place">[]) => {
    found.total += all.length;
    const free = MOST_LISTED - found.listed.length;
    found.listed.push(...all.slice(0, free).map((one) => ({ ...one, place })));
  };
  for (const { field, text } of shownTexts(anonymousMetadata(metadata))) {
    add({ field }, ...search.inText(text));
  }
  for await (const files of filesOf(context, version, { prefix: PAYLOAD })) {
    for (const { path: file, bytes } of files) {
      if (!describesDataset(file)) add({ file }, ...search.inPath(file));
      else {
        found.leftOut.files += 1;
        found.leftOut.bytes += bytes;
        add({ file }, { kind: "excluded", text: file.slice(file.lastIndexOf("/") + 1) });
      }
    }
  }
  return found;
}
