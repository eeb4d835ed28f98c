import { type KeyboardEvent, useState } from "react";

const PAGE = 10;

/** Moves through the rows of a grid by keys: the grid has the focus, and one of its rows is the active one. */
export function useRows(rows: number, scrollTo: (row: number) => void, open: (row: number) => void) {
  const [active, setActive] = useState<number>();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (active !== undefined) open(active);
      return;
    }
    const next = nextRow(event.key, active, rows);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    scrollTo(next);
  };
  return { active, setActive, onKeyDown };
}

/** The row that a key leads to; undefined for other keys. */
export function nextRow(key: string, active: number | undefined, rows: number): number | undefined {
  const within = (row: number) => Math.max(0, Math.min(rows - 1, row));
  switch (key) {
    case "ArrowDown":
      return within(active === undefined ? 0 : active + 1);
    case "ArrowUp":
      return within((active ?? 0) - 1);
    case "PageDown":
      return within((active ?? 0) + PAGE);
    case "PageUp":
      return within((active ?? 0) - PAGE);
    case "Home":
      return 0;
    case "End":
      return rows - 1;
    default:
      return undefined;
  }
}
