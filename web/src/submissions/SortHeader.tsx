import { Table, UnstyledButton } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import { useTranslation } from "react-i18next";
import type { Sort } from "../api/submissions.ts";
import { COLUMNS, type Column, turned } from "./filter.ts";
import classes from "./Submissions.module.css";

interface Props {
  column: Column;
  sort: Sort;
  onSort: (sort: Sort) => void;
  width?: string;
}

/** A column's head: sorts by it, and the other way round at the second click. */
export function SortHeader({ column, sort, onSort, width }: Props) {
  const { t } = useTranslation("submissions");
  const first = COLUMNS[column];
  const isSorted = sort === first || sort === turned(first);
  const Icon = (isSorted ? sort : first).startsWith("-") ? IconChevronDown : IconChevronUp;
  return (
    <Table.Th
      w={width}
      className={column === "title" ? undefined : classes.numberHead}
      aria-sort={isSorted ? (sort.startsWith("-") ? "descending" : "ascending") : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={isSorted || undefined}
        onClick={() => onSort(isSorted ? turned(sort) : first)}
      >
        {t(`columns.${column}`)}
        <Icon size={14} aria-hidden className={classes.arrow} />
      </UnstyledButton>
    </Table.Th>
  );
}
