import type { Submission } from "./objects.ts";
import type { Findings, Observation } from "./observed-run.ts";

export interface Event {
  id: number;
  attempt: number;
  type: string;
}

const ACTIVE = ["accepted", "listing", "transferring", "verifying", "packaging"];
/** The status after an event, and the statuses in which it may occur. */
const EDGES: Record<string, { from: string[]; to: string }> = {
  listing: { from: ["accepted"], to: "listing" },
  transferring: { from: ["listing"], to: "transferring" },
  verifying: { from: ["transferring"], to: "verifying" },
  packaging: { from: ["verifying"], to: "packaging" },
  completed: { from: ["packaging"], to: "completed" },
  waiting: { from: ACTIVE, to: "waiting" },
  failed: { from: [...ACTIVE, "waiting"], to: "failed" },
  cancelled: { from: [...ACTIVE, "waiting", "failed"], to: "cancelled" },
  retried: { from: ["failed"], to: "accepted" },
};

/** Checks that the events of a submission are numbered, follow the declared transitions, and end in its status. */
export function checkEvents(submission: Submission, events: readonly Event[], findings: Findings): void {
  const edge = (holds: boolean, detail: string) =>
    findings.expect(holds, "declared transitions", `${submission.id}: ${detail}`);
  let status = "";
  let waitedIn = "";
  let attempt = 1;
  let isCommitted = false;
  for (const [index, event] of events.entries()) {
    edge(event.id === index + 1, `event ${event.id} has position ${index + 1}`);
    if (event.type === "retried") attempt += 1;
    edge(event.attempt === attempt, `${event.type} belongs to attempt ${event.attempt}, not ${attempt}`);
    const known = EDGES[event.type];
    if (index === 0) {
      edge(event.type === "accepted", `the log begins with ${event.type}`);
      status = "accepted";
    } else if (event.type === "resumed") {
      edge(status === "waiting", `resumed from ${status}`);
      status = waitedIn;
    } else if (event.type === "publishing") {
      edge(status === "packaging" && !isCommitted, `publishing while ${status}`);
      isCommitted = true;
    } else if (known !== undefined) {
      edge(known.from.includes(status), `from ${status} to ${known.to}`);
      edge(!(isCommitted && ["failed", "cancelled"].includes(known.to)), `${known.to} after publication`);
      edge(known.to !== "completed" || isCommitted, "completed without publication");
      if (known.to === "waiting") waitedIn = status;
      status = known.to;
    }
  }
  edge(status === submission.status, `the log ends at ${status}, the submission is ${submission.status}`);
  edge(attempt === submission.attempt, `the log ends in attempt ${attempt}, the submission in ${submission.attempt}`);
}

const COUNTED = ["objectsListed", "bytesListed", "objectsStored", "bytesStored"];

/** Within an attempt, counters never decrease, and final states never change. */
export function checkProgress(observed: readonly Observation[], findings: Findings): void {
  const last = new Map<string, Observation>();
  for (const now of observed) {
    const before = last.get(now.id);
    last.set(now.id, now);
    if (before === undefined) continue;
    const forward = (holds: boolean, detail: string) =>
      findings.expect(holds, "progress never decreases", `${now.id}: ${detail}`);
    const isOver = before.status === "completed" || before.status === "cancelled";
    findings.expect(
      !isOver || now.status === before.status,
      "declared transitions",
      `${now.id}: ${now.status} after its end`,
    );
    if (!forward(now.attempt >= before.attempt, `attempt ${now.attempt} after ${before.attempt}`)) continue;
    if (now.attempt !== before.attempt) continue;
    for (const name of COUNTED) {
      const [was, is] = [Number(before.progress[name] ?? 0), Number(now.progress[name] ?? 0)];
      forward(is >= was, `${name} went from ${was} to ${is}`);
    }
    forward(
      !(before.progress.listingComplete === true && now.progress.listingComplete !== true),
      "the listing is no longer complete",
    );
  }
}
