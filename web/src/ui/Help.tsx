import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import type { ReactNode } from "react";
import classes from "./Help.module.css";

/** A question that opens its answer below it, by mouse and by keyboard. For what a field asks that not everyone knows. */
export function Help({ question, children }: { question: string; children: ReactNode }) {
  return (
    <details className={classes.help}>
      <summary>
        <IconHelpCircle size={16} aria-hidden />
        <span>{question}</span>
      </summary>
      <div className={classes.answer}>{children}</div>
    </details>
  );
}
