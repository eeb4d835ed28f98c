import type { SubmissionEntry } from "@accession/client";
import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Sort } from "../api/submissions.ts";
import { Bytes, Count, DateTime } from "../ui/Numbers.tsx";
import { SortHeader } from "./SortHeader.tsx";
import { Standing } from "./Standing.tsx";
import classes from "./Submissions.module.css";
import { TitleLink } from "./TitleLink.tsx";
import { VersionLink } from "./VersionLink.tsx";

interface Props {
  submissions: readonly SubmissionEntry[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Submissions as rows, where there is room for columns. */
export function SubmissionTable({ submissions, ...sorting }: Props) {
  const { t } = useTranslation("submissions");
  return (
    <Table className={classes.table} aria-label={t("title")}>
      <Table.Thead>
        <Table.Tr>
          <SortHeader column="title" {...sorting} />
          <Table.Th w="13rem">{t("columns.status")}</Table.Th>
          <Table.Th w="7rem">{t("columns.dataset")}</Table.Th>
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
              <Standing submission={submission} />
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
