import { commentStates } from "../../db/publication/comments.ts";
import { doiOf } from "../../db/publication/dois.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { IntakeContext } from "../../intake/context.ts";
import { availableActions } from "../rules/publication.ts";
import type { Party, PublicationAction, Refusal } from "../rules/states.ts";

/** Actions that only owners can take, in words. */
const BY_OWNERS: Partial<Record<PublicationAction, string>> = {
  request: "publish",
  publish: "publish",
  "reserve-doi": "reserve a DOI",
};

/** An action that is refused, and why. */
interface Refused {
  action: PublicationAction;
  actor: { parties: readonly Party[] };
  why: Refusal;
}

/** The problem of a refused action, with the actions that are possible instead: `forbidden` or `publication_state`. */
export async function refusal(
  { doiPrefix }: Pick<IntakeContext, "doiPrefix">,
  trx: Trx,
  row: PublicationRow,
  { action, actor, why }: Refused,
): Promise<Problem> {
  const { state, dataset_id, version } = row;
  const canReserve = doiPrefix !== undefined && (await doiOf(trx, dataset_id, version)) === undefined;
  const hasComments = (await commentStates(trx, dataset_id, version)).size > 0;
  const extra = { state, actions: availableActions(row, actor.parties, { canReserve, hasComments }) };
  if (why === "party") {
    const owners = BY_OWNERS[action];
    const refused =
      owners === undefined ? `Your account may not do “${action}” with this dataset` : `Only the owner can ${owners}.`;
    return new Problem("forbidden", refused, { extra });
  }
  const message = `“${action}” is not possible in the state “${state}”`;
  return new Problem("publication_state", message, { extra });
}
