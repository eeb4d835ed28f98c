import { useEffect, useRef } from "react";
import type { TickState } from "./ticks.ts";
import classes from "./Where.module.css";

interface Props {
  /** Of what is ticked, as a screen reader says it. */
  name: string;
  state: TickState;
  /** Shows a state that the user cannot change here. */
  isFixed: boolean;
  onChange: () => void;
}

/** A checkbox of three states: browsers and screen readers know the third by a property alone, not by an attribute. */
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
