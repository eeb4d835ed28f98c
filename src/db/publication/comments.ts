import type { Queries } from "../database.ts";

/** What an entry that resolves a comment, or reopens it, has in its data. */
interface ResolvedData {
  resolved: boolean;
}

/**
 * The comments of a publication that answer no other one, by their numbers in the history: whether each is resolved. Answers belong
 * to the comment that they answer.
 */
export async function commentStates(db: Queries, dataset: string, version: number): Promise<Map<number, boolean>> {
  const entries = await db
    .selectFrom("publication_entry")
    .select(["no", "action", "answers", "data"])
    .where((eb) => eb.and({ dataset_id: dataset, version }))
    .where((eb) => eb.or([eb.and({ action: "comment" }).and("answers", "is", null), eb("action", "=", "resolve")]))
    .orderBy("no")
    .execute();
  const states = new Map<number, boolean>();
  for (const { no, answers, data } of entries) {
    if (answers === null) states.set(no, false);
    else if (states.has(answers)) states.set(answers, (data as ResolvedData).resolved);
  }
  return states;
}
