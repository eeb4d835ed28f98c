import type { components } from "../../../packages/client/src/index.ts";
import { FAILED, type Shown, show, WARNING } from "./text.ts";

type Publication = components["schemas"]["Publication"];
type FairPoint = components["schemas"]["FairPoint"];
type Action = Publication["actions"][number];

const SEVERITY = { error: FAILED, warning: WARNING, hint: "·" } as const;

/**
 * Describes a finding of the automatic checks before publication, and its next step. The recommendations that it lists
 * follow, one per line.
 */
export function describeCheck(check: Publication["checks"][number]): Shown[] {
  return [describeFinding(check), ...(check.points ?? []).map(describePoint)];
}

function describeFinding({ severity, message, nextStep, place }: Publication["checks"][number]): Shown {
  const where = place === undefined ? "" : ` (${"field" in place ? place.field : place.file})`;
  return show`${SEVERITY[severity] ?? "·"} ${message}${where} ${nextStep}`;
}

function describePoint({ message, nextStep, metric, place }: FairPoint): Shown {
  const where = place !== undefined && "field" in place ? ` (${place.field})` : "";
  return show`  - ${message}${where} ${nextStep}${metric === null ? "" : ` [${metric}]`}`;
}

/** The command for each action of a publication. */
const COMMANDS: Record<Action, string> = {
  request: "publish",
  assign: "review assign",
  comment: "review comment",
  resolve: "review resolve",
  "request-changes": "review request-changes",
  decline: "review decline",
  approve: "review approve",
  "take-back": "review take-back",
  "reserve-doi": "doi reserve",
  publish: "publish",
  "change-access": "review access",
  withdraw: "review withdraw",
};

/** Lists the commands for these actions. */
export function commandsOf(actions: readonly Action[]): string {
  return actions.map((action) => `accession ${COMMANDS[action] ?? action}`).join(", ");
}
