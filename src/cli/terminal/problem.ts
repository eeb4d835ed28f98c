import type { Problem, Remark, Report } from "../../../packages/client/src/index.ts";
import { type Shown, show, styled } from "./text.ts";

/** Advice for the command line, for problems whose usual advice is about HTTP. */
const AT_THE_PROMPT = new Map([
  [
    "unauthenticated",
    "Set ACCESSION_TOKEN to a token, or ACCESSION_TOKEN_FILE to a file with the token. Ask the operator for a token.",
  ],
  ["not_found", "Check the id or the path. “accession list” and “accession dataset list” show the ids."],
  [
    "credentials_required",
    "Run the command again with --with-credentials. The credentials were erased when the submission failed.",
  ],
]);

/** Describes a problem in lines of text: its title, all errors, and how to fix it. */
export function describeProblem({ code, title, detail, action, errors = [], report }: Problem): Shown[] {
  const failed = report?.steps.find(({ status }) => status === "failed");
  const says = detail === "" || sameWords(detail, title) ? [] : [show`  ${failed?.detail ?? detail}`];
  return [
    show`${styled("red", "✗")} ${styled("bold", title)}`,
    ...(errors.length > 0 ? [] : says),
    ...errors.map((fault) => describeRemark(fault)),
    ...(failed === undefined
      ? []
      : [show`  The check failed at the step “${STEP_NAMES[failed.name] ?? failed.name}”.`]),
    show`  ${styled("cyan", "→")} ${failed?.hint || (AT_THE_PROMPT.get(code) ?? action)}`,
  ];
}

/** Describes an error or warning and the member that it is about. */
export function describeRemark({ pointer, detail, code }: Remark): Shown {
  return show`  ${styled("yellow", pointer || "/")}  ${detail} ${styled("dim", `(${code})`)}`;
}

const MARKS = {
  passed: styled("green", "✓"),
  failed: styled("red", "✗"),
  skipped: styled("dim", "–"),
  warning: styled("yellow", "!"),
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
    ...(hint === "" ? [] : [show`             ${styled("cyan", "→")} ${hint}`]),
  ]);
}

function sameWords(one: string, other: string): boolean {
  return one.replace(/\.$/, "") === other.replace(/\.$/, "");
}
