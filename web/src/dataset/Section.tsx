import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Dataset.module.css";

/** A section of the page with a heading. */
export function Section({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {beside}
      </div>
      {children}
    </section>
  );
}

/** Terms and values. Omits terms without a value. */
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

/** A region that scrolls if its content is too large, also by keyboard. */
export function Scrollable({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  );
}
