import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { ReactNode } from "react";
import classes from "../new/Remarks.module.css";

interface Props {
  title?: string;
  /** Read out at once. */
  isUrgent?: boolean;
  children: ReactNode;
}

/** Something that the user should know before saving. */
export function Notice({ title, isUrgent = false, children }: Props) {
  return (
    <div className={classes.remarks} data-tone="warn" role={isUrgent ? "alert" : "status"}>
      <IconInfoCircle size={22} aria-hidden />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        {children}
      </div>
    </div>
  );
}
