import { orThrow } from "./problem.ts";

/** Query parameters of all lists, which select a page. */
export interface Page {
  limit: number;
  cursor?: string;
}

/** The service returned a page of a list a second time, so that the list would never end. */
export class RepeatedPageError extends Error {
  constructor() {
    super("The service repeats a page of the list");
    this.name = "RepeatedPageError";
  }
}

const PAGE = 1_000;

/**
 * Yields the entries of all pages of a list, at most `most`:
 * `pages((page) => client.GET("/submission", { params: { query: { q, ...page } } }))`.
 *
 * @throws as `orThrow`; RepeatedPageError
 */
export async function* pages<Entry>(
  read: (page: Page) => Promise<{ data?: Entry[]; error?: unknown; response: Response }>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Entry, void> {
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (let left = most; left > 0; ) {
    const answer = await read({ limit: Math.min(left, PAGE), ...(cursor !== undefined && { cursor }) });
    const page = orThrow(answer);
    yield* page;
    left -= page.length;
    cursor = nextCursor(answer.response);
    if (cursor === undefined || page.length === 0) return;
    if (seen.has(cursor)) throw new RepeatedPageError();
    seen.add(cursor);
  }
}

/** The cursor of the next page of a list; undefined on the last page. */
export function nextCursor({ headers }: Response): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "")?.[1];
  // The address is relative to that of the page. Only its query counts.
  return next === undefined ? undefined : (new URL(next, "http://host").searchParams.get("cursor") ?? undefined);
}
