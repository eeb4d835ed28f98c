import type { Submission } from "@accession/client";
import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Bytes, Count, DateTime } from "../ui/Numbers.tsx";
import { Standing } from "./Standing.tsx";
import classes from "./Submissions.module.css";
import { TitleLink } from "./TitleLink.tsx";

/** Submissions as rows, where there is room for columns. */
export function SubmissionTable({ submissions }: { submissions: readonly Submission[] }) {
  const { t } = useTranslation("submissions");
  return (
    <Table className={classes.table} aria-label={t("title")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("columns.title")}</Table.Th>
          <Table.Th w="13rem">{t("columns.status")}</Table.Th>
          <Table.Th w="7rem" ta="right">
            {t("columns.objects")}
          </Table.Th>
          <Table.Th w="7rem" ta="right">
            {t("columns.bytes")}
          </Table.Th>
          <Table.Th w="9rem" ta="right">
            {t("columns.created")}
          </Table.Th>
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
