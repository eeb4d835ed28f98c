import { type ReactNode, useId } from "react";
import classes from "./Receipt.module.css";

/** A section of the receipt with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.part}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A list of terms and values. Omits terms without a value. */
export function Facts({ facts }: { facts: [term: string, said: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([term, said]) =>
          said !== undefined && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{said}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
