import { useTranslation } from "react-i18next";
import classes from "./Preview.module.css";
import { Scrollable } from "./Scrollable.tsx";

/** The first rows of a table; its first one for the names of the columns. */
export function TablePreview({ rows, name }: { rows: readonly string[][]; name: string }) {
  const { t } = useTranslation("dataset");
  const [head = [], ...body] = rows;
  return (
    <Scrollable className={classes.scroll} label={t("preview.of", { name })}>
      <table className={classes.table}>
        <thead>
          <tr>{cells(head, "th")}</tr>
        </thead>
        <tbody>
          {body.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file stay where they are.
            <tr key={place}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

function cells(row: readonly string[], Cell: "th" | "td") {
  return row.map((text, place) => {
    const isNumber = Cell === "td" && /^\s*[-+]?[\d.,]*\d\s*(?:[eE][-+]?\d+)?\s*$/.test(text);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells of a file stay where they are.
      <Cell key={place} data-number={isNumber || undefined} scope={Cell === "th" ? "col" : undefined}>
        {text}
      </Cell>
    );
  });
}
