import type { ReactNode } from "react";
import classes from "./More.module.css";

/** A part of a group or of the fields of an entry, with a heading. @param detail an explanation below the heading */
export function Part({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <div>
      <h4 className={classes.part}>{title}</h4>
      {detail !== undefined && <p className={classes.partDetail}>{detail}</p>}
      {children}
    </div>
  );
}
