import { type Diagnosis, diagnose } from "../source/diagnose.ts";
import type { SourceAccess } from "../submission/access.ts";
import type { Selection } from "../submission/selection.ts";
import { CHECK_MS, type IntakeContext } from "./context.ts";

/** Checks, within 15 s, whether a bucket can be taken in with this access. */
export async function checkBucket(
  context: IntakeContext,
  request: { access: SourceAccess; selection: Selection },
  signal: AbortSignal,
): Promise<Diagnosis> {
  return diagnose(request.access, context.egress, {
    prefix: request.selection.prefix,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]),
  });
}
