import type { Problem, Remark, Report } from "../../../packages/client/src/index.ts";
import { commandsOf, describeCheck } from "./findings.ts";
import { several } from "./numbers.ts";
import { FAILED, NEXT, OK, type Shown, show, styled, WARNING } from "./text.ts";

/** Advice for the command line, for problems whose usual advice is about HTTP. */
const AT_THE_PROMPT = new Map([
  [
    "unauthenticated",
    "Set ACCESSION_TOKEN to a token, or ACCESSION_TOKEN_FILE to a file with the token. Ask the operator for a token.",
  ],
  ["not_found", "Check the id or the path. “accession list” and “accession dataset list” show the ids."],
  ["invalid_request", "Correct every listed error, and run the command again."],
  [
    "credentials_required",
    "Run the command again with --with-credentials. The credentials were erased when the submission failed.",
  ],
  [
    "publication_not_ready",
    "Correct the errors (✗), for example with “accession dataset set-metadata”. Then repeat the command.",
  ],
  [
    "agreement_required",
    "Read the deposit agreement with “accession publish”, and repeat the command with --accept-agreement.",
  ],
]);

/** Describes a problem in lines of text: its title, all errors, and how to fix it. */
export function describeProblem(problem: Problem): Shown[] {
  const { title, detail, errors = [], report, checks } = problem;
  const failed = report?.steps.find(({ status }) => status === "failed");
  const says = detail === "" || sameWords(detail, title) ? [] : [show`  ${failed?.detail ?? detail}`];
  return [
    show`${FAILED} ${styled("bold", title)}`,
    // The detail of a failed check before publication repeats its findings.
    ...(errors.length > 0 || checks !== undefined ? [] : says),
    ...(checks ?? []).flatMap(describeCheck).map((line) => show`  ${line}`),
    ...describeErrors(errors),
    ...(failed === undefined
      ? []
      : [show`  The check failed at the step “${STEP_NAMES[failed.name] ?? failed.name}”.`]),
    show`  ${NEXT} ${failed?.hint || adviceFor(problem)}`,
  ];
}

/** Describes errors, and of several lines of a list with the same error only the first one. */
function describeErrors(errors: readonly Remark[]): Shown[] {
  const kinds = Map.groupBy(errors, ({ pointer, detail, code }) => `${pointer} ${code} ${detail.replace(LINE, "")}`);
  return [...kinds.values()].flatMap(([first, ...more]) => [
    ...(first === undefined ? [] : [describeRemark(first)]),
    ...(more.length === 0 ? [] : [show`    and ${several(more.length, "more line", "more lines")}`]),
  ]);
}

/** How the detail of an error in a checksum list begins. */
const LINE = /^Line \d+: /;

/** How to fix a problem on the command line. */
function adviceFor({ code, action, actions, requestAccess, embargoDate }: Problem): string {
  if (requestAccess !== undefined) {
    const wait = embargoDate === undefined ? "" : `Wait until ${embargoDate}, or `;
    return `${wait === "" ? "Ask" : `${wait}ask`} for access with “accession access ask”, or at ${requestAccess}`;
  }
  if (actions === undefined) return AT_THE_PROMPT.get(code) ?? action;
  if (actions.length > 0) return `You can use: ${commandsOf(actions)}`;
  return code === "forbidden" ? "Ask the owner of the dataset." : "No action is possible in this state.";
}

/** Describes an error or warning and the member that it is about. */
export function describeRemark({ pointer, detail, code }: Remark): Shown {
  return show`  ${styled("yellow", pointer || "/")}  ${detail} ${styled("dim", `(${code})`)}`;
}

const MARKS = {
  passed: OK,
  failed: FAILED,
  skipped: styled("dim", "–"),
  warning: WARNING,
} as const;

/** Names of the steps of a check for people. */
const STEP_NAMES: Record<string, string> = {
  connect: "connection",
  tls: "TLS",
  clock: "time",
  signature: "access key",
};

/** Describes each step of a check in a line, followed by its hint. Empty if the check was not started. */
export function describeReport(report: Report): Shown[] {
  if (report.steps.every(({ note }) => note === "not_reached")) return [];
  return report.steps.flatMap(({ name, status, detail, hint }) => [
    show`${MARKS[status] ?? "?"} ${(STEP_NAMES[name] ?? name).padEnd(10)} ${status === "skipped" ? styled("dim", detail) : detail}`,
    ...(hint === "" ? [] : [show`             ${NEXT} ${hint}`]),
  ]);
}

function sameWords(one: string, other: string): boolean {
  return one.replace(/\.$/, "") === other.replace(/\.$/, "");
}
