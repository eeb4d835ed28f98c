import { type ReactNode, useId } from "react";
import { useFormats } from "../ui/format.ts";
import classes from "./Receipt.module.css";

interface Props {
  label: string;
  columns: readonly [what: string, objects: string];
  rows: readonly (readonly [what: string, objects: number])[];
}

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

/** Object counts by category. */
export function Table({ label, columns, rows }: Props) {
  const { count } = useFormats();
  return (
    <table className={classes.table} aria-label={label}>
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
        {rows.map(([what, objects]) => (
          <tr key={what}>
            <td>{what}</td>
            <td>{count(objects)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
