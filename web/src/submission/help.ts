import type { Submission } from "@accession/client";

/** What somebody can do about a submission that stands still. */
export type Help = "credentials" | "retry" | "exclude";

/** What helps, the likeliest first. */
export function helpFor({ status, waiting }: Pick<Submission, "status" | "waiting">): Help[] {
  if (status === "failed") return ["retry"];
  if (waiting === null) return [];
  if (waiting.code === "objects_unreadable") return ["retry", "exclude", "credentials"];
  // New keys solve no other problem, such as a deleted bucket, an unreachable server or a full disk.
  return waiting.code === "credentials_rejected" ? ["credentials", "retry"] : ["retry"];
}
