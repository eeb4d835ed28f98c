import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import common from "./Common.module.css";

/** A section of the page with a heading. */
export function Section({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" aria-labelledby={id} gap="0.75rem">
      <Group justify="space-between" gap="0.5rem 1rem" mih="2.25rem">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}

/** Terms and values. Omits terms without a value. @param className another arrangement than below each other */
export function Facts({
  facts,
  className,
}: {
  facts: [term: string, said: ReactNode][];
  className?: string | undefined;
}) {
  const known = facts.filter(([, said]) => said !== undefined && said !== null && said !== "" && said !== false);
  return (
    <dl className={className ?? common.facts}>
      {known.map(([term, said]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DataTableProps {
  className?: string | undefined;
  label?: string;
  columns: readonly string[];
  /** The cells of each row, after a key. */
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[];
}

/** A table with a heading above each column. */
export function DataTable({ className, label, columns, rows }: DataTableProps) {
  return (
    <table className={`${common.table} ${className ?? ""}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, ...cells]) => (
          <tr key={key}>
            {columns.map((column, index) => (
              <td key={column}>{cells[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
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
