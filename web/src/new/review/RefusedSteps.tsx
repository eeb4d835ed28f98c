import { ProblemError } from "@accession/client";
import { Steps } from "../where/Steps.tsx";

/** Where the service looked at the bucket and refused it: how far it came. */
export function RefusedSteps({ error }: { error: Error }) {
  const report = error instanceof ProblemError ? error.problem.report : undefined;
  return report === undefined || report.ok ? null : <Steps report={report} />;
}
