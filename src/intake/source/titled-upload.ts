import { filesWithOtherMetadata, reportRefusals, titledUpload } from "../../db/uploads/titled.ts";
import { inMessage } from "../../domain/in-message.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { digestOf } from "../../uploads/titled/sent-metadata.ts";
import type { IntakeContext } from "../context.ts";
import { readUpload, type Upload } from "../request.ts";

const MOST_NAMED = 5;

/**
 * The request to submit the files that an owner has sent one by one under a title, or the submission that reads them already.
 *
 * @throws Problem `uploads_off`, `not_found`; `upload_incomplete` if files were refused and have not arrived since;
 * `upload_metadata_differ`; as {@link readUpload}
 */
export async function readTitledUpload(
  { db, uploads, fieldGroups }: IntakeContext,
  owner: string,
  title: string,
): Promise<{ upload: Upload } | { submission: string }> {
  if (uploads === undefined) throw new Problem("uploads_off");
  const found = await titledUpload(db, owner, title);
  if (found === undefined) {
    const detail =
      "No files with this title have arrived, or they were submitted before and are in your list of submissions";
    throw new Problem("not_found", detail);
  }
  const { area, metadata } = found;
  if (area.submission_id !== null) return { submission: area.submission_id };
  const { count, some } = await reportRefusals(db, area.id, MOST_NAMED);
  if (count > 0) {
    const names = some.map(({ path, code }) => `“${inMessage(path)}” (${code})`);
    const next = "Send the files of the dataset again, with these or without them";
    throw new Problem("upload_incomplete", `${several(count, "file")} refused: ${named(names, count)}. ${next}`);
  }
  const others = await filesWithOtherMetadata(db, area.id, { digest: digestOf(metadata), limit: MOST_NAMED + 1 });
  if (others.length > 0) {
    const names = others.slice(0, MOST_NAMED).map((path) => `“${inMessage(path)}”`);
    throw new Problem("upload_metadata_differ", `Sent with other metadata: ${named(names, others.length)}`);
  }
  // Files that arrive after these checks prevent the submission.
  const source = { id: area.id, revision: area.revision };
  return { upload: readUpload({ metadata: JSON.parse(metadata), upload: source }, fieldGroups, true) };
}

function named(names: readonly string[], count: number): string {
  return names.join(", ") + (count > names.length ? " and others" : "");
}
