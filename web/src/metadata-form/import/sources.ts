import { useSyncExternalStore } from "react";
import { inTab } from "../../api/browser/storage.ts";
import { useMetadataForm } from "../context.ts";
import { contentOf, entryOf, type Member } from "./members.ts";

/** The file that filled a member, and the entry that it filled in. */
interface Source {
  file: string;
  entry: unknown;
}

/** The same as it is kept: of the entry only a hash, because the draft already contains it. */
interface KeptSource {
  file: string;
  entry: number;
}

type Sources = Partial<Record<Member, KeptSource>>;

/** The sources of each form, by its name. They are kept until the tab is closed, also when the page is loaded again. */
const all = new Map<string, Sources>();
const listeners = new Set<() => void>();

/** Records which files have filled members of a form. */
export function addSources(form: string, sources: ReadonlyMap<Member, Source>): void {
  const added = [...sources].map(([member, { file, entry }]) => [member, { file, entry: hashOf(entry) }] as const);
  const together = { ...sourcesOf(form), ...Object.fromEntries(added) };
  all.set(form, together);
  inTab.write(placeOf(form), together);
  for (const listener of listeners) listener();
}

/** The file from which the entry of a member comes; undefined if the user has changed the entry since. */
export function useSource(member: Member): string | undefined {
  const { name, draft } = useMetadataForm();
  const source = useSyncExternalStore(subscribe, () => sourcesOf(name))[member];
  if (typeof source?.file !== "string") return undefined;
  return source.entry === hashOf(entryOf(draft, member)) ? source.file : undefined;
}

function sourcesOf(form: string): Sources {
  const known = all.get(form);
  if (known !== undefined) return known;
  const kept = inTab.read(placeOf(form));
  const sources = typeof kept === "object" && kept !== null ? (kept as Sources) : {};
  all.set(form, sources);
  return sources;
}

function placeOf(form: string): string {
  return `accession.sources.${form}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const hashes = new Map<string, number>();
/** Maximum number of texts whose hashes are remembered. */
const MOST_HASHES = 100;

/** A hash (FNV-1a with 32 bits) of the content of an entry. An equal hash of another text would only keep a hint. */
function hashOf(entry: unknown): number {
  const content = contentOf(entry);
  const known = hashes.get(content);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let index = 0; index < content.length; index++) {
    hash = Math.imul(hash ^ content.charCodeAt(index), 0x01000193);
  }
  if (hashes.size >= MOST_HASHES) hashes.clear();
  hashes.set(content, hash);
  return hash;
}
