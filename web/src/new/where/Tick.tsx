import { useEffect, useRef } from "react";
import type { TickState } from "./ticks.ts";
import classes from "./Where.module.css";

interface Props {
  /** The label for screen readers. */
  name: string;
  state: TickState;
  /** Shows a state that the user cannot change here. */
  isFixed: boolean;
  onChange: () => void;
}

/** A check box with three states. HTML has no attribute for the third, so it is set as a property. */
export function Tick({ name, state, isFixed, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === "mixed";
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={name}
      checked={state === "on"}
      disabled={isFixed}
      onChange={onChange}
    />
  );
}
