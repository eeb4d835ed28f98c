import { type components, orThrow } from "@accession/client";
import { api, untilAnswered } from "./client.ts";

type Schemas = components["schemas"];
export type VocabularyKind = Schemas["VocabularyKind"];
/** An entry of a vocabulary that the operator has imported. */
export type VocabularyEntry = Schemas["VocabularyResult"];

/** Maximum length of a search text in UTF-16 units; the service rejects longer ones. */
export const LONGEST_QUERY = 200;

/** The entries that match a text, best first. @throws ProblemError, the network error, or the reason of the signal */
export async function searchVocabulary(
  kind: VocabularyKind,
  q: string,
  signal: AbortSignal,
): Promise<VocabularyEntry[]> {
  const params = { path: { kind }, query: { q } };
  return orThrow(await api.GET("/vocabulary/{kind}/search", { params, signal: untilAnswered(signal) }));
}
