import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import type { ReactNode } from "react";
import classes from "./Help.module.css";

/** A question that expands to its answer. Explains a field that some users do not know. */
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
