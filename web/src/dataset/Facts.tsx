import type { ReactNode } from "react";
import classes from "./Dataset.module.css";

/** Terms and what is said of them; those of which nothing is known are left out. */
export function Facts({ facts }: { facts: [term: string, said: ReactNode][] }) {
  const known = facts.filter(([, said]) => said !== undefined && said !== null && said !== "" && said !== false);
  return (
    <dl className={classes.facts}>
      {known.map(([term, said]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}
