import type { components } from "../../../../packages/client/src/index.ts";
import { openFrom } from "../../../publication/rules/access.ts";
import { commandsOf, describeCheck } from "../../terminal/findings.ts";
import { moment, several } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Shown, show, styled } from "../../terminal/text.ts";

export type Publication = components["schemas"]["Publication"];

const WAITING: Record<NonNullable<Publication["waitingFor"]>, string> = {
  owner: "the owner",
  curator: "a curator",
  service: "the service",
  operator: "the operator",
};

/**
 * Prints the state of a publication, who must act, and what prevents or delays it.
 * @param etag the identifier of this state, if the command shows it; for `--expect`
 */
export function sayPublication(output: Output, publication: Publication, etag?: string | null): void {
  const tag = etag?.replaceAll('"', "");
  output.data(tag === undefined ? publication : { ...publication, etag: tag });
  const { state, since, waitingFor, assignee, identifier, doi, doiState, conceptDoi } = publication;
  const { problem, isDelayed, actions } = publication;
  const row = output.rows(11);
  output.say(show`${styled("bold", state.replaceAll("_", " "))} since ${moment(since)}`);
  if (waitingFor !== null) row("waiting for", WAITING[waitingFor]);
  if (assignee !== null) row("curator", curatorOf(publication));
  if (identifier !== null) row("identifier", identifier);
  else if (doi !== null)
    row("DOI", `${doi} (${doiState === "reserved" || doiState === "hidden" ? doiState : "not registered yet"})`);
  if (conceptDoi !== null) row("all versions", `https://doi.org/${conceptDoi}`);
  row("access", accessOf(publication));
  if (publication.showSource) row("source", "shown to the public");
  if (publication.comments.total > 0) row("comments", commentsOf(publication));
  if (problem !== null) {
    row(isDelayed ? "delayed" : "last try", show`${problem.message}. ${problem.action}`);
    if (publication.nextAttemptAt !== null) row("next try", moment(publication.nextAttemptAt));
  }
  if (actions.length > 0) row("you can", commandsOf(actions));
  if (tag !== undefined) row("etag", tag);
}

/** The assigned curator, who may have lost the role since; empty without an assignment. */
export function curatorOf({
  assignee,
  assigneeIsCurator,
}: Pick<Publication, "assignee" | "assigneeIsCurator">): string {
  if (assignee === null) return "";
  return assigneeIsCurator === false ? `${assignee} (no longer a curator)` : assignee;
}

/** Prints who accepted the deposit agreement, and when. */
export function sayAgreement(output: Output, { agreement }: Pick<Publication, "agreement">): void {
  if (agreement === null) return;
  const { by, at, language, sha256 } = agreement;
  output.rows(11)("agreement", show`accepted by ${by}, ${moment(at)} (${language}, SHA-256 ${sha256.slice(0, 12)}…)`);
}

/** Says why a version is not published: who must act. */
export function describeObstacle({ state, actions, waitingFor }: Publication): Shown {
  if (state === "in_review") return show`In review: a curator must act.`;
  if (state === "withdrawn")
    return show`The version was withdrawn and is no longer public. The archive keeps its files. It cannot be published again.`;
  if (state === "registering") return show`Not published yet: ${WAITING[waitingFor ?? "service"]} must act.`;
  if (!actions.includes("request") && !actions.includes("publish")) return show`Only the owner can publish.`;
  return show`Not published: the owner must act.`;
}

/** Prints the findings of the automatic checks. */
export function sayChecks(output: Output, { checks }: Pick<Publication, "checks">): void {
  for (const line of checks.flatMap((check) => describeCheck(check))) output.say(line, { hang: 2 });
}

/** Prints decisions and comments. */
export function sayHistory(
  output: Output,
  { history, historyBefore }: Pick<Publication, "history" | "historyBefore">,
): void {
  if (historyBefore !== null) output.say(show`  Earlier entries: add --before ${historyBefore}`);
  for (const entry of history) {
    const { id, at, actor, comment, place, answers, resolved } = entry;
    const action = entry.action === "resolve" && resolved === false ? "reopen" : entry.action;
    const where = place === null ? "" : ` about ${"field" in place ? place.field : place.file}`;
    const text = comment === "" ? "" : `: ${comment}`;
    const reply = answers === null ? "" : action === "comment" ? ` in reply to ${answers}` : ` of comment ${answers}`;
    const state = action === "comment" && resolved === true ? " (resolved)" : "";
    const what = `${action}${chosenIn(entry)}${where}${reply}${state}${text}`;
    output.say(show`  ${id}. ${moment(at)}, ${actor ?? "service"}, ${what}`, { hang: 5 });
  }
}

/** How many of the comments are resolved. */
export function commentsOf({ comments: { total, resolved } }: Pick<Publication, "comments">): string {
  return `${resolved} of ${several(total, "comment", "comments")} resolved`;
}

const UNREACHED = { owner: "the owner", curator: "the curator", reader: "a person who asked for access" };

/** The curator, the access or the collections that were chosen, or the party that was not reached. */
function chosenIn({
  action,
  curator,
  access,
  embargoDate,
  party,
  collections,
}: Publication["history"][number]): string {
  if (party !== null) return ` to ${UNREACHED[party]}`;
  if (action === "assign") return curator === null ? " to no one" : ` to ${curator}`;
  const chosen = [
    ...(access === null ? [] : [access]),
    ...(embargoDate === null ? [] : [openFrom(embargoDate)]),
    ...(collections.length === 0 ? [] : [`collections: ${collections.join(", ")}`]),
  ];
  return chosen.length === 0 ? "" : ` (${chosen.join(", ")})`;
}

function accessOf({ access, embargoDate, filesOpen }: Publication): string {
  if (access !== "embargoed") return access;
  return filesOpen ? `open since ${embargoDate}` : `embargoed, ${openFrom(embargoDate)}`;
}
