import { useEffect, useState } from "react";
import { LONGEST_QUERY, searchVocabulary, type VocabularyEntry, type VocabularyKind } from "../../api/vocabularies.ts";

/** Milliseconds without a change of the text before the search. */
const DELAY_MS = 120;

/** The result of a search. It can belong to an earlier text while the search for the current text is in progress. */
export interface Found {
  /** The text that was searched. */
  query: string;
  entries: readonly VocabularyEntry[];
  hasFailed: boolean;
}

/**
 * Searches vocabularies while the user types. Each change of the text aborts the previous request, so an answer is never
 * replaced by one to an earlier text.
 *
 * @param text empty for no search
 * @returns undefined until the first answer
 */
export function useVocabularySearch(kind: VocabularyKind, text: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  const query = text.trim();
  const isWanted = query !== "" && query.length <= LONGEST_QUERY;
  useEffect(() => {
    if (!isWanted) {
      setFound(undefined);
      return;
    }
    const aborter = new AbortController();
    const { signal } = aborter;
    const timer = setTimeout(() => {
      const done = (result: Omit<Found, "query">) => signal.aborted || setFound({ query, ...result });
      searchVocabulary(kind, query, signal).then(
        (entries) => done({ entries, hasFailed: false }),
        () => done({ entries: [], hasFailed: true }),
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [kind, query, isWanted]);
  return isWanted ? found : undefined;
}
