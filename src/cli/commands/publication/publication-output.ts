import type { components } from "../../../../packages/client/src/index.ts";
import { moment } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Showable, show, styled } from "../../terminal/text.ts";

export type Publication = components["schemas"]["Publication"];

const WAITING: Record<NonNullable<Publication["waitingFor"]>, string> = {
  owner: "the owner",
  curator: "a curator",
  service: "the service",
  operator: "the operator",
};

const SEVERITY = { error: styled("red", "✗"), warning: styled("yellow", "!"), hint: "·" } as const;

/** Prints the state of a publication, who must act, and what prevents or delays it. */
export function sayPublication(output: Output, publication: Publication): void {
  output.data(publication);
  const { state, since, waitingFor, assignee, identifier, doi, doiState, problem, actions } = publication;
  const row = (name: string, value: Showable) => output.say(show`  ${name.padEnd(11)} ${value}`, { hang: 14 });
  output.say(show`${styled("bold", state.replaceAll("_", " "))} since ${moment(since)}`);
  if (waitingFor !== null) row("waiting for", `${WAITING[waitingFor]}${assignee === null ? "" : ` (${assignee})`}`);
  if (identifier !== null) row("identifier", identifier);
  else if (doi !== null) row("DOI", `${doi} (${doiState === "reserved" ? "reserved" : "not registered yet"})`);
  row("access", accessOf(publication));
  if (problem !== null) {
    row("delayed", show`${problem.message}. ${problem.action}`);
    if (publication.nextAttemptAt !== null) row("next try", moment(publication.nextAttemptAt));
  }
  if (actions.length > 0) row("you can", actions.join(", "));
}

/** Prints the findings of the automatic checks. */
export function sayChecks(output: Output, { checks }: Pick<Publication, "checks">): void {
  for (const { severity, message, nextStep, place } of checks) {
    const where = place === undefined ? "" : ` (${"field" in place ? place.field : place.file})`;
    output.say(show`${SEVERITY[severity]} ${message}${where} ${nextStep}`, { hang: 2 });
  }
}

/** Prints decisions and comments. */
export function sayHistory(output: Output, { history }: Publication): void {
  for (const { id, at, actor, action, comment, place } of history) {
    const where = place === null ? "" : ` about ${"field" in place ? place.field : place.file}`;
    const text = comment === "" ? "" : `: ${comment}`;
    output.say(show`  ${id}. ${moment(at)}, ${actor ?? "service"}, ${action}${where}${text}`, { hang: 5 });
  }
}

function accessOf({ access, embargoDate, filesOpen }: Publication): string {
  if (access !== "embargoed") return access;
  return filesOpen ? `open since ${embargoDate}` : `embargoed until ${embargoDate}`;
}
