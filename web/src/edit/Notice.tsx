import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "../metadata-form/errors/Remarks.module.css";

interface Props {
  title?: string;
  /** Moves the focus to the notice, because it answers what the user has just done. */
  isAnswer?: boolean;
  children: ReactNode;
}

/** Something that the user should know before saving. */
export function Notice({ title, isAnswer = false, children }: Props) {
  const notice = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAnswer) notice.current?.focus();
  }, [isAnswer]);
  return (
    <section ref={notice} tabIndex={-1} className={classes.remarks} data-tone="warn" role="alert">
      <IconInfoCircle size={22} aria-hidden />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        {children}
      </div>
    </section>
  );
}
