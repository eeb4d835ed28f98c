import { isObject, isSame } from "@accession/rules";
import type { MetadataMembers } from "../api/revisions.ts";
import { type MetadataEntries, newEntries, newPerson } from "../metadata-form/entries/entries.ts";
import { entriesOfMetadata } from "../metadata-form/entries/entries-of-metadata.ts";
import { fieldsOf, isFilled, LIST_NAMES, listsOf } from "../metadata-form/entries/lists.ts";
import { metadataOf } from "../metadata-form/entries/metadata-of.ts";

/** The lists whose entries have fields of their own in the form. */
const LISTS = ["authors", ...LIST_NAMES] as const;
type List = (typeof LISTS)[number];

/** For the entries of lists, their positions in the metadata that an edit is based on. */
export type Origins = Readonly<Record<string, readonly (number | undefined)[]>>;

/** The members for which the form has fields, by the member of the metadata that contains them. */
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["authors", new Set(Object.keys(newPerson()))],
  ["contact", new Set(Object.keys(newEntries().contact))],
  ...LIST_NAMES.map(
    (list) => [list, new Set<string>([...fieldsOf(list), "geoLocationPoint", "geoLocationBox"])] as const,
  ),
]);

/**
 * Metadata in the form of the API as entries of the form. Entries of lists have ids that name a position, so that
 * {@link editedMetadata} finds what was sent for them.
 *
 * @param origins the positions, where they are not those in the same list; undefined for an entry that was not sent
 */
export function editableEntries(metadata: MetadataMembers, origins: Origins = {}): MetadataEntries {
  const entries = entriesOfMetadata(metadata);
  const named = <E extends { id: string }>(list: List, all: readonly E[]): readonly E[] => {
    const positions = origins[list] ?? [...all.keys()];
    return all.map((entry, index) => {
      const position = positions[index];
      return position === undefined ? entry : { ...entry, id: idAt(list, position) };
    });
  };
  return {
    ...entries,
    authors: [...named("authors", entries.authors)],
    lists: listsOf((list) => named<{ id: string }>(list, entries.lists[list])),
  };
}

/**
 * The metadata to send after an edit. What the user has not changed stays as it was sent, in its spelling. Members that the
 * form does not have stay too, also in entries that the user has changed.
 *
 * @param entries made by {@link editableEntries} from `sent`, and then edited
 */
export function editedMetadata(sent: MetadataMembers, entries: MetadataEntries): MetadataMembers {
  const start = editableEntries(sent);
  const shown = metadataOf(start) as MetadataMembers;
  const edited = metadataOf(entries) as MetadataMembers;
  const editedMember = (member: string): unknown => {
    const list = LISTS.find((one) => one === member);
    if (list === undefined) return overlay(sent[member], shown[member], edited[member], KNOWN.get(member));
    return editedList(list, sent[list], viewOf(list, start, shown), viewOf(list, entries, edited));
  };
  const members = [...new Set([...Object.keys(sent), ...Object.keys(edited)])];
  const values = members.map((member) => [member, editedMember(member)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A list in the form: the ids of its entries, and each entry in the form of the API. Empty entries have no value. */
interface ListView {
  ids: readonly string[];
  values: ReadonlyMap<string, unknown>;
}

function viewOf(list: List, { authors, lists }: MetadataEntries, metadata: MetadataMembers): ListView {
  const entries: readonly { id: string }[] = list === "authors" ? authors : lists[list];
  const values = (metadata[list] ?? []) as readonly unknown[];
  const filled = list === "authors" ? entries : entries.filter(isFilled);
  return { ids: entries.map(({ id }) => id), values: new Map(filled.map(({ id }, index) => [id, values[index]])) };
}

/** The entries of a list after an edit; undefined if there are none. */
function editedList(list: List, sent: unknown, shown: ListView, edited: ListView): unknown {
  const isEqual = (id: string) => isSame(shown.values.get(id), edited.values.get(id));
  if (isSame(shown.ids, edited.ids) && edited.ids.every(isEqual)) return sent;
  const all = Array.isArray(sent) ? sent : [];
  const positions = new Map(all.map((_, index) => [idAt(list, index), index]));
  const entries = edited.ids.map((id) => {
    const position = positions.get(id);
    const value = edited.values.get(id);
    return position === undefined ? value : overlay(all[position], shown.values.get(id), value, KNOWN.get(list));
  });
  const stated = entries.filter((entry) => entry !== undefined);
  return stated.length === 0 ? undefined : stated;
}

function idAt(list: List, position: number): string {
  return `${list}-${position}`;
}

/**
 * A value as it was sent, with the changes from the shown to the edited one.
 * @param known the members for which the form has fields; others are kept
 */
function overlay(sent: unknown, shown: unknown, edited: unknown, known?: ReadonlySet<string>): unknown {
  if (isSame(shown, edited)) return sent === undefined ? edited : sent;
  if (Array.isArray(sent) && Array.isArray(shown) && Array.isArray(edited))
    return overlayList(sent, shown, edited, known);
  if (!isObject(sent) || !isObject(shown) || !isObject(edited)) return edited;
  const kept = Object.entries(sent).filter(([name]) => !(name in edited) && !(name in shown) && !known?.has(name));
  const changed = Object.entries(edited).map(([name, value]) => [
    name,
    overlay(stated(sent[name]), shown[name], value, known),
  ]);
  return { ...Object.fromEntries(changed), ...Object.fromEntries(kept) };
}

/** `""` and `null` mean that a member is not set. The form may show another member in its place, which must not be lost. */
function stated(sent: unknown): unknown {
  return sent === null || sent === "" ? undefined : sent;
}

/** Entries without ids, such as the affiliations of an author: the same ones are found first, others by their position. */
function overlayList(
  sent: readonly unknown[],
  shown: readonly unknown[],
  edited: readonly unknown[],
  known?: ReadonlySet<string>,
): unknown[] {
  if (sent.length !== shown.length) return [...edited];
  const isFree = shown.map((one) => !edited.some((entry) => isSame(one, entry)));
  return edited.map((entry, index) => {
    const same = shown.findIndex((one) => isSame(one, entry));
    if (same >= 0) return sent[same];
    return isFree[index] ? overlay(sent[index], shown[index], entry, known) : entry;
  });
}
