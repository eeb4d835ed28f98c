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
