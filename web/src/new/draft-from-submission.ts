import type { Submission } from "@accession/client";
import { entriesOfMetadata, members, textsOf } from "../metadata-form/entries/entries-of-metadata.ts";
import { isUpload } from "../ui/upload-source.ts";
import { isOfFolder } from "./data-source/ticks.ts";
import { type DataSource, type DraftEntries, newDraft } from "./draft.ts";

/** The entries of an earlier submission as a draft. Ignores values of an unexpected type. */
export function draftFromSubmission({ metadata, source }: Submission): DraftEntries {
  const { dataSource } = newDraft();
  // Files of an upload cannot be read a second time.
  if (isUpload(source)) return { dataSource: { ...dataSource, kind: "upload" }, ...entriesOfMetadata(metadata) };
  const selection = members(source.selection);
  return {
    dataSource: {
      ...dataSource,
      endpoint: source.endpoint,
      region: source.region ?? "",
      bucket: source.bucket,
      prefix: typeof selection.prefix === "string" ? selection.prefix : "",
      ...typedAndTicked(textsOf(selection.include), textsOf(selection.exclude)),
    },
    ...entriesOfMetadata(metadata),
  };
}

/** Folder patterns become ticks. So do patterns that a line of a text field cannot represent. */
function typedAndTicked(
  include: string[],
  exclude: string[],
): Pick<DataSource, "include" | "exclude" | "chosen" | "leftOut"> {
  const isTick = (pattern: string) => isOfFolder(pattern) || pattern.trim() !== pattern || pattern.includes("\n");
  const typed = (patterns: string[]) => patterns.filter((pattern) => !isTick(pattern)).join("\n");
  return {
    include: typed(include),
    exclude: typed(exclude),
    chosen: include.filter(isTick),
    leftOut: exclude.filter(isTick),
  };
}
