import type { TermKind } from "../../catalogue/entry.ts";

/** The search that a page shows. */
export interface ShownSearch {
  /** Path of the page below the base path: the catalogue, or a collection. */
  path: string;
  q: string;
  /** Chosen values by the name of their parameter, with their names if these are not the values. */
  chosen: readonly { kind: TermKind | "access"; value: string; label?: string }[];
  sort: Sort;
  /** From 1 on. */
  page: number;
  /** The kind of which many values are listed. */
  more?: TermKind | undefined;
  /** The names of parameters that were not understood, at least in part, and do not restrict the results. */
  ignored: readonly string[];
}
export type Sort = "relevance" | "newest" | "oldest" | "title";

/** Whether nothing was searched for, so that the page shows all datasets from the first one on. */
export function isStartPage({ q, chosen, page }: ShownSearch): boolean {
  return q === "" && chosen.length === 0 && page === 1;
}

/** The address of a search below the base path, with some of it replaced. A changed search begins on its first page. */
export function addressOf(search: ShownSearch, change: Partial<ShownSearch>): string {
  const { q, chosen, sort, page } = { ...search, page: 1, ...change };
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  for (const { kind, value } of chosen) query.append(kind, value);
  if (sort !== defaultSort(q)) query.set("sort", sort);
  const shown = change.page ?? (Object.keys(change).length === 0 ? search.page : page);
  if (shown > 1) query.set("page", String(shown));
  const more = Object.keys(change).length === 0 ? search.more : change.more;
  if (more !== undefined) query.set("more", more);
  const text = query.toString();
  return text === "" ? search.path : `${search.path}?${text}`;
}

/** The address of the feed with the newest datasets that a search finds, below the base path. @param within the collection that is searched */
export function feedAddressOf({ q, chosen }: Pick<ShownSearch, "q" | "chosen">, within?: string): string {
  const query = new URLSearchParams();
  if (within !== undefined) query.set("collection", within);
  if (q !== "") query.set("q", q);
  for (const { kind, value } of chosen) query.append(kind, value);
  const text = query.toString();
  return text === "" ? "/feed.atom" : `/feed.atom?${text}`;
}

function defaultSort(q: string): Sort {
  return q.trim() === "" ? "newest" : "relevance";
}
