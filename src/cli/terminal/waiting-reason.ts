import type { Standstill, Submission } from "../../../packages/client/src/index.ts";
import { selectedPart } from "../../domain/submission/selected-part.ts";
import type { Selection } from "../../domain/submission/selection.ts";
import { commandName } from "../api-command.ts";
import { moment } from "./numbers.ts";
import type { Output } from "./output.ts";
import { FAILED, NEXT, type Shown, show, styled, WARNING } from "./text.ts";

const RESPONSIBLE: Record<string, string> = {
  submitter: "Action required by you.",
  source: "Action required by the storage provider.",
  service: "Internal error of the service. Inform the operator.",
  operator: "Action required by the operator.",
};

/** Prints why a submission waits or ended, and the commands that help. Commands are not wrapped, so that they can be copied. */
export function printWaitingReason(output: Output, submission: Submission): void {
  for (const line of describeWaitingReason(submission)) output.say(line, { hang: 2 });
  const { id, status, waiting, failure } = submission;
  const standstill = waiting ?? failure;
  if (standstill === null) return;
  for (const command of commandsFor(id, status, standstill)) {
    output.say(show`  ${NEXT} ${commandName()} ${command}`);
  }
}

/** Describes why a submission waits or ended: what happened, who must act, and the next step. */
export function describeWaitingReason({ status, waiting, failure }: Submission): Shown[] {
  const standstill = waiting ?? failure;
  if (standstill === null) return [];
  const { message, fault, action, until } = standstill;
  const mark = status === "waiting" ? WARNING : FAILED;
  const deadline = until === null ? "" : ` The submission waits until ${moment(until)}.`;
  return [
    show`${mark} ${styled("bold", status === "waiting" ? "Waiting:" : "Failed:")} ${message}`,
    show`  ${RESPONSIBLE[fault] ?? ""} ${action}${deadline}`,
  ];
}

function commandsFor(id: string, status: string, { code }: Standstill): string[] {
  if (status === "failed") return [`retry ${id} --with-credentials`];
  if (code === "credentials_rejected") return [`credentials ${id}`];
  if (code === "source_changed") return [`watch ${id} --keep-waiting`, `cancel ${id}`];
  if (code === "objects_unreadable") {
    return [`status ${id} --files --state unreadable`, `retry ${id}`, `exclude ${id} --all-unreadable --reason "…"`];
  }
  return [`watch ${id} --keep-waiting`];
}

/** Names the part of the source that `sourceMayBeDeleted` refers to. */
export function describeDeletionScope(selection: Selection): string {
  return selectedPart(selection) === undefined ? "the source" : "the selected part of the source";
}
