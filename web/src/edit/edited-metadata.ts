import type { MetadataMembers } from "../api/revisions.ts";
import type { MetadataEntries } from "../new/draft.ts";
import { entriesOfMetadata } from "../new/draft-from-submission.ts";
import { metadataOf } from "../new/request.ts";
import { isSame } from "../revisions/compare-metadata.ts";

/**
 * The metadata to send after an edit. What the user has not changed stays as it was sent: members that the form does not
 * have, and entries of lists with members or spellings that the form does not keep.
 */
export function editedMetadata(sent: MetadataMembers, entries: MetadataEntries): MetadataMembers {
  const shown = metadataOf(entriesOfMetadata(sent)) as MetadataMembers;
  const edited = metadataOf(entries) as MetadataMembers;
  const untouched = Object.entries(sent).filter(([member]) => isSame(shown[member], edited[member]));
  const changed = Object.entries(edited).filter(([member, value]) => !isSame(shown[member], value));
  return {
    ...Object.fromEntries(untouched),
    ...Object.fromEntries(changed.map(([member, value]) => [member, kept(sent[member], shown[member], value)])),
  };
}

/** The new value, with those entries of a list as they were sent that the user has not changed. */
function kept(sent: unknown, shown: unknown, edited: unknown): unknown {
  if (!Array.isArray(sent) || !Array.isArray(shown) || !Array.isArray(edited)) return edited;
  if (sent.length !== shown.length) return edited;
  return edited.map((entry) => {
    const at = shown.findIndex((one) => isSame(one, entry));
    return at < 0 ? entry : sent[at];
  });
}

/** The result of applying a user's changes to metadata that somebody else has changed in the meantime. */
export interface Rebased {
  metadata: MetadataMembers;
  /** Members that both have changed. They have the user's values. */
  conflicts: string[];
}

/**
 * Applies the changes between two states to a third one, member by member.
 * @param base the state from which both started
 */
export function rebase(base: MetadataMembers, mine: MetadataMembers, theirs: MetadataMembers): Rebased {
  const members = [...new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)])];
  const isMine = (member: string) => !isSame(base[member], mine[member]);
  const merged = members.map((member) => [member, isMine(member) ? mine[member] : theirs[member]] as const);
  return {
    metadata: Object.fromEntries(merged.filter(([, value]) => value !== undefined)),
    conflicts: members.filter(
      (member) => isMine(member) && !isSame(base[member], theirs[member]) && !isSame(mine[member], theirs[member]),
    ),
  };
}
