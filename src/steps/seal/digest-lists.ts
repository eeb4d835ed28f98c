import { createHash } from "node:crypto";
import { digestListFile } from "../../archive/receipts/logs.ts";
import type { ComparedLists } from "../../archive/receipts/receipt.ts";
import { logsOf } from "../../archive/versions.ts";
import type { DigestListRow } from "../../db/submissions/digests.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { ocflVersionOf } from "../context.ts";

/** What the receipt states of the digest lists; undefined for a submission without lists. @param rows those of the request */
export function comparedLists(row: SubmissionRow, rows: readonly DigestListRow[]): ComparedLists | undefined {
  const { digests, objects_differing: differing } = row;
  if (digests === null || digests.comparison === null) return undefined;
  const { files, notSelected, additional } = digests.comparison;
  const sent = rows.filter(({ content }) => content !== null);
  const lists = digests.lists.map(({ name, origin, entries, sha512 }, index) => {
    return { ...{ name, origin, entries }, ...(sha512 !== undefined && { sha512 }), ...placeOf(row, sent[index]) };
  });
  return { lists, files, notSelected, additional, differing };
}

/** Where a list of the request is archived. They are the first of all lists. */
function placeOf(row: SubmissionRow, list: DigestListRow | undefined): { path?: string; sha512?: string } {
  if (list?.content == null) return {};
  const sha512 = createHash("sha512").update(list.content).digest("hex");
  return { path: `${logsOf(ocflVersionOf(row))}/${digestListFile(list.no)}`, sha512 };
}
