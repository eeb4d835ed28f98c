import { chooseDoi, doiOf } from "../db/publication/dois.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { Problem } from "../domain/problems.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import { randomSuffix } from "../publication/rules/doi.ts";
import type { IntakeContext } from "./context.ts";

/**
 * Reserves a DOI for a version that is not published. A worker creates it at DataCite as a draft, so that no other program
 * with the same account can take it. A version that has a DOI keeps it. The caller wakes the queue `reserveDoi`.
 *
 * @throws Problem `doi_off` if the service registers no DOIs
 */
export async function reserveDoi(
  { doiPrefix, jobs }: Pick<IntakeContext, "doiPrefix" | "jobs">,
  trx: Trx,
  { dataset, version }: { dataset: string; version: number },
): Promise<void> {
  if (doiPrefix === undefined) throw new Problem("doi_off");
  while ((await doiOf(trx, dataset, version)) === undefined) {
    const doi = `${doiPrefix}/${randomSuffix()}`;
    const chosen = { doi, dataset_id: dataset, version, reserved: true, next_at: new Date() };
    if (await chooseDoi(trx, chosen)) await jobs.enqueue(QUEUES.reserveDoi, { key: doi, data: { doi } }, trx);
  }
}
