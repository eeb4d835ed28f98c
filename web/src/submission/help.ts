import type { Submission } from "@accession/client";

/** What somebody can do about a submission that stands still. */
export type Help = "credentials" | "retry" | "exclude";

/** What helps, the likeliest first. */
export function helpFor({ status, waiting }: Pick<Submission, "status" | "waiting">): Help[] {
  if (status === "failed") return ["retry"];
  if (waiting === null) return [];
  if (waiting.code === "objects_unreadable") return ["retry", "exclude", "credentials"];
  // Nothing else that the submitter has to mend can be mended here: no keys make a server answer, or room for data.
  return waiting.fault === "submitter" ? ["credentials", "retry"] : ["retry"];
}
