import type { SourceAccess } from "../domain/source-access/access.ts";
import type { Selection } from "../domain/submission/selection.ts";
import { type Diagnosis, diagnose } from "../source/s3/diagnosis/diagnose.ts";
import { NOTES, notReached, type Step } from "../source/s3/diagnosis/steps.ts";
import type { IntakeContext } from "./context.ts";
import { ownedAccess } from "./source/owned-access.ts";

export { NOTES, notReached };

export type OnStep = (step: Step) => void;

/** Checks whether a bucket can be archived for this owner with this access. Each step is reported when it is done. */
export async function checkBucket(
  context: IntakeContext,
  request: { access: SourceAccess; selection: Selection; owner: string },
  signal: AbortSignal,
  onStep?: OnStep,
): Promise<Diagnosis> {
  const access = ownedAccess(context, request.owner, request.access);
  return diagnose(access, context.egress, { prefix: request.selection.prefix, onStep, signal });
}
