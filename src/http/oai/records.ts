import type { HarvestedEntry } from "../../db/catalogue/harvest.ts";
import { keyOfVersion, type PublishedDescriptions } from "../catalogue/describe-published.ts";
import type { HttpContext } from "../context.ts";
import { element, type Xml } from "../responses/xml.ts";
import { datestamp } from "./datestamps.ts";
import type { OaiFormat } from "./formats.ts";
import { setsOf } from "./sets.ts";

/** Records that are described together. */
const TOGETHER = 10;
/** A page ends before its limit when it has become this large, or has taken this long. */
const MOST_CHARACTERS = 4 * 2 ** 20;
const LONGEST_MS = 1_500;

const VERSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([1-9]\d{0,8})$/;

/** The host name in identifiers. */
export function hostOf({ publicUrl }: HttpContext): string {
  return new URL(publicUrl()).hostname;
}

/** The version that an identifier names; undefined if it is not an identifier of this service. */
export function versionOf(
  context: HttpContext,
  identifier: string,
): { dataset_id: string; version: number } | undefined {
  const prefix = `oai:${hostOf(context)}:`;
  if (!identifier.startsWith(prefix)) return undefined;
  const [, dataset_id, version] = VERSION.exec(identifier.slice(prefix.length)) ?? [];
  return dataset_id === undefined ? undefined : { dataset_id, version: Number(version) };
}

/** The header of a record. */
export function header(context: HttpContext, entry: HarvestedEntry, isDeleted = !entry.visible): Xml {
  return element(
    "header",
    [
      element("identifier", `oai:${hostOf(context)}:${keyOfVersion(entry)}`),
      element("datestamp", datestamp(entry.datestamp)),
      ...setsOf(entry).map((spec) => element("setSpec", spec)),
    ],
    { status: isDeleted ? "deleted" : undefined },
  );
}

/**
 * The records of entries in order: all of them, or the first ones if they become too many for one response. The first one is
 * always returned.
 */
export async function records(
  context: HttpContext,
  descriptions: PublishedDescriptions,
  entries: readonly HarvestedEntry[],
  format: OaiFormat,
): Promise<Xml[]> {
  const began = performance.now();
  const written: Xml[] = [];
  let characters = 0;
  for (let start = 0; start < entries.length; start += TOGETHER) {
    const some = entries.slice(start, start + TOGETHER);
    const described = await descriptions.of(
      some.filter(({ visible }) => visible),
      { mediaTypes: format.namesMediaTypes },
    );
    for (const entry of some) {
      // A version that was withdrawn since the catalogue was read is not described.
      const found = described.get(keyOfVersion(entry));
      const metadata = found && element("metadata", format.write(found));
      const record = element("record", [header(context, entry, metadata === undefined), metadata]);
      characters += record.text.length;
      if (written.length > 0 && characters > MOST_CHARACTERS) return written;
      written.push(record);
    }
    if (performance.now() - began > LONGEST_MS) return written;
  }
  return written;
}
