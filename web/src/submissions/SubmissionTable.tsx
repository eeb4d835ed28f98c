import type { SubmissionEntry } from "@accession/client";
import { Table, UnstyledButton } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import { useTranslation } from "react-i18next";
import type { Sort } from "../api/submissions.ts";
import { Bytes, Count, DateTime } from "../ui/Numbers.tsx";
import { COLUMNS, type Column, reversed } from "./filter.ts";
import classes from "./Submissions.module.css";
import { SubmissionStanding, TitleLink, VersionLink } from "./TitleLink.tsx";

interface SortHeaderProps {
  column: Column;
  sort: Sort;
  onSort: (sort: Sort) => void;
  width?: string;
}

interface Props {
  submissions: readonly SubmissionEntry[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Submissions as a table, for wide screens. */
export function SubmissionTable({ submissions, ...sorting }: Props) {
  const { t } = useTranslation("submissions");
  return (
    <Table className={classes.table} aria-label={t("title")}>
      <Table.Thead>
        <Table.Tr>
          <SortHeader column="title" {...sorting} />
          <Table.Th w="13rem">{t("columns.status")}</Table.Th>
          <Table.Th w="9rem">{t("columns.dataset")}</Table.Th>
          <SortHeader column="objects" width="7rem" {...sorting} />
          <SortHeader column="bytes" width="7rem" {...sorting} />
          <SortHeader column="created" width="9rem" {...sorting} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {submissions.map((submission) => (
          <Table.Tr key={submission.id} className={classes.row}>
            <Table.Td>
              <TitleLink submission={submission} />
            </Table.Td>
            <Table.Td>
              <SubmissionStanding submission={submission} />
            </Table.Td>
            <Table.Td>
              <VersionLink submission={submission} />
            </Table.Td>
            <Table.Td className={classes.number}>
              <Count value={submission.progress.objectsListed} />
            </Table.Td>
            <Table.Td className={classes.number}>
              <Bytes value={submission.progress.bytesListed} />
            </Table.Td>
            <Table.Td className={classes.number}>
              <DateTime iso={submission.createdAt} dayOnly />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** A column header. The first click sorts by the column, the second reverses the order. */
function SortHeader({ column, sort, onSort, width }: SortHeaderProps) {
  const { t } = useTranslation("submissions");
  const first = COLUMNS[column];
  const isSorted = sort === first || sort === reversed(first);
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
        onClick={() => onSort(isSorted ? reversed(sort) : first)}
      >
        {t(`columns.${column}`)}
        <Icon size={14} aria-hidden className={classes.arrow} />
      </UnstyledButton>
    </Table.Th>
  );
}
