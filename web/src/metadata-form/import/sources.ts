import { useSyncExternalStore } from "react";
import { useMetadataForm } from "../context.ts";
import { entryOf, isSameEntry, type Member } from "./members.ts";

/** The file that filled a member, and the entry that it filled in. */
interface Source {
  file: string;
  entry: unknown;
}

/** The sources of each form, by its name. They are kept until the tab is closed. */
const all = new Map<string, ReadonlyMap<Member, Source>>();
const NONE: ReadonlyMap<Member, Source> = new Map();
const listeners = new Set<() => void>();

/** Records which files have filled members of a form. */
export function addSources(form: string, sources: ReadonlyMap<Member, Source>): void {
  all.set(form, new Map([...(all.get(form) ?? NONE), ...sources]));
  for (const listener of listeners) listener();
}

/** The file from which the entry of a member comes; undefined if the user has changed the entry since. */
export function useSource(member: Member): string | undefined {
  const { name, draft } = useMetadataForm();
  const sources = useSyncExternalStore(subscribe, () => all.get(name) ?? NONE);
  const source = sources.get(member);
  return source !== undefined && isSameEntry(source.entry, entryOf(draft, member)) ? source.file : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
