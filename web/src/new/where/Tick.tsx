import { useEffect, useRef } from "react";
import type { TickState } from "./ticks.ts";
import classes from "./Where.module.css";

/** A checkbox of three states: browsers and screen readers know the third only by a property, not by an attribute. */
export function Tick({ id, state, onChange }: { id: string; state: TickState; onChange: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === "mixed";
  }, [state]);
  return (
    <input ref={box} id={id} type="checkbox" className={classes.tick} checked={state === "on"} onChange={onChange} />
  );
}
