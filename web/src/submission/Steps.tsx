import { VisuallyHidden } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { useTranslation } from "react-i18next";
import { isOver, type Status } from "../api/submissions.ts";
import { PHASES, type Phase } from "./phase.ts";
import classes from "./Steps.module.css";

interface Props {
  status: Status;
  /** Where it is, or where it stopped. */
  phase: Phase;
}

type Standing = "done" | "current" | "stopped" | "todo";

/** The way of a submission, and how far along it is. To be accepted is no step of its own: it lasts an instant. */
export function Steps({ status, phase }: Props) {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
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
            <span className={classes.word}>{ui(`status.${step}`)}</span>
            <VisuallyHidden>, {t(`steps.${standing}`)}</VisuallyHidden>
          </li>
        );
      })}
    </ol>
  );
}
