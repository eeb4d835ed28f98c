import { useMetadataForm } from "../context.ts";
import type { MetadataEntries } from "../entries/entries.ts";
import { isListName } from "../entries/lists.ts";
import { entryOf, type Member } from "./members.ts";
import type { Suggestion } from "./plan.ts";
import { addSources } from "./sources.ts";

/** The entries of the form, and a function that replaces members by suggested ones and records their sources. */
export function useFill(): {
  current: MetadataEntries;
  fill: (entries: MetadataEntries, chosen: readonly Suggestion[]) => void;
} {
  const { name, draft, setDescription, setContact, setList, setAuthors } = useMetadataForm();
  const take = (entries: MetadataEntries, member: Member) => {
    if (member === "authors") setAuthors(() => entries.authors);
    else if (member === "contact") setContact(entries.contact);
    else if (isListName(member)) setList(member, () => entries.lists[member] as never);
    else setDescription({ [member]: entries.description[member] });
  };
  return {
    current: draft,
    fill(entries, chosen) {
      for (const { member } of chosen) take(entries, member);
      const sources = chosen.map(
        ({ member, source }) => [member, { file: source, entry: entryOf(entries, member) }] as const,
      );
      addSources(name, new Map(sources));
    },
  };
}
