import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Dataset.module.css";

/** A part of the page with a heading of its own. */
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

/** Something that may be larger than its place: a part of the page that the keyboard can come to and scroll. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard.
    <section tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  );
}
