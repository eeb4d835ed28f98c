import type { Submission, SubmissionEvent } from "@accession/client";
import { isOver } from "@accession/client";
import { VisuallyHidden } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { useTranslation } from "react-i18next";
import type { Status } from "../api/submissions.ts";
import classes from "./Steps.module.css";

/** The steps of a submission, in order. */
const PHASES = ["accepted", "listing", "transferring", "verifying", "packaging", "completed"] as const;

type Phase = (typeof PHASES)[number];

interface Props {
  status: Status;
  /** The current step, or the one at which the submission stopped. */
  phase: Phase;
}

type Standing = "done" | "current" | "stopped" | "todo";

/** The steps of a submission with their states. “Accepted” is not shown, because it lasts only a moment. */
export function Steps({ status, phase }: Props) {
  const { t } = useTranslation("submission");
  const at = PHASES.indexOf(phase);
  const standingOf = (step: number): Standing => {
    if (step < at || status === "completed") return "done";
    if (step > at) return "todo";
    return status === "waiting" || isOver(status) ? "stopped" : "current";
  };
  return (
    <ol className={classes.steps} aria-label={t("steps.label")}>
      {PHASES.slice(1).map((step, index) => {
        const standing = standingOf(index + 1);
        return (
          <li
            key={step}
            className={classes.step}
            data-standing={standing}
            aria-current={index + 1 === at ? "step" : undefined}
          >
            <span className={classes.mark} aria-hidden>
              {standing === "done" ? <IconCheck size={14} stroke={3} /> : index + 1}
            </span>
            <span className={classes.word}>
              {step === "completed" ? t("steps.completed") : t(`status.${step}`, { ns: "ui" })}
            </span>
            <VisuallyHidden>
              , {t(standing === "stopped" && status === "waiting" ? "steps.waiting" : `steps.${standing}`)}
            </VisuallyHidden>
          </li>
        );
      })}
    </ol>
  );
}

/** The current step of a submission; if it has stopped, the step at which that happened. */
export function phaseOf({ status, attempt, progress }: Submission, events: readonly SubmissionEvent[]): Phase {
  if (isPhase(status)) return status;
  const last = events.findLast((event) => event.attempt === attempt && isPhase(event.type))?.type;
  if (last !== undefined && isPhase(last)) return last;
  return progress.listingComplete ? "transferring" : "listing";
}

function isPhase(word: string): word is Phase {
  return (PHASES as readonly string[]).includes(word);
}
