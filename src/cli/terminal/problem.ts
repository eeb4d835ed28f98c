import type { Problem, Remark, Report } from "../../../packages/client/src/index.ts";
import { type Shown, show, styled } from "./text.ts";

/** What to do at the command line, where the service's own words are about HTTP. */
const AT_THE_PROMPT = new Map([
  [
    "unauthenticated",
    "Set ACCESSION_TOKEN, or ACCESSION_TOKEN_FILE to a file that holds it; the operator gives tokens out.",
  ],
  ["credentials_required", "Say it again with --with-credentials; they were erased when the submission failed."],
]);

/** A refusal in lines for a person: what is wrong, every fault of it, what to do. */
export function describeProblem({ code, title, detail, action, errors = [], report }: Problem): Shown[] {
  const failed = report?.steps.find(({ status }) => status === "failed");
  const says = detail === "" || sameWords(detail, title) ? [] : [show`  ${failed?.detail ?? detail}`];
  return [
    show`${styled("red", "✗")} ${styled("bold", title)}`,
    ...(errors.length > 0 ? [] : says),
    ...errors.map((fault) => describeRemark(fault)),
    ...(failed === undefined ? [] : [show`  It failed at the step “${failed.name}”.`]),
    show`  ${styled("cyan", "→")} ${failed?.hint || (AT_THE_PROMPT.get(code) ?? action)}`,
  ];
}

/** A fault or warning with the place that it is about. */
export function describeRemark({ pointer, detail, code }: Remark): Shown {
  return show`  ${styled("yellow", pointer || "/")}  ${detail} ${styled("dim", `(${code})`)}`;
}

const MARKS = {
  passed: styled("green", "✓"),
  failed: styled("red", "✗"),
  skipped: styled("dim", "–"),
  warning: styled("yellow", "!"),
} as const;

/** The steps of a check, a line each, and a hint under those that have one. */
export function describeReport(report: Report): Shown[] {
  return report.steps.flatMap(({ name, status, detail, hint }) => [
    show`${MARKS[status] ?? "?"} ${name.padEnd(9)} ${status === "skipped" ? styled("dim", detail) : detail}`,
    ...(hint === "" ? [] : [show`            ${styled("cyan", "→")} ${hint}`]),
  ]);
}

function sameWords(one: string, other: string): boolean {
  return one.replace(/\.$/, "") === other.replace(/\.$/, "");
}
