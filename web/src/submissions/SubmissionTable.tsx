import { isOver, type SubmissionEntry } from "@accession/client";
import { Progress, Stack, Table, UnstyledButton } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Sort } from "../api/submissions.ts";
import common from "../ui/Common.module.css";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { useFormats, visible } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import { Bytes, Count, DateTime } from "../ui/text/Numbers.tsx";
import { isUpload } from "../ui/upload-source.ts";
import { COLUMNS, type Column, reversed } from "./filter.ts";
import classes from "./Submissions.module.css";

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
    <Table className={classes.table} aria-label={t("submissions", { ns: "shell" })}>
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

/** A link to a submission. It covers the whole row or card. */
function TitleLink({ submission }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("ui");
  const { id, title, source } = submission;
  return (
    <Stack component="span" gap="0.125rem" miw={0}>
      <Link href={`/submissions/${id}`} className={classes.title}>
        <Name>{title}</Name>
      </Link>
      <span className={classes.bucket}>{isUpload(source) ? t("uploaded") : source.bucket}</span>
    </Stack>
  );
}

/** The dataset version that a submission has created, or will create while it is active. */
function versionOf({ status, dataset, target }: SubmissionEntry): SubmissionEntry["target"] {
  return dataset ?? (isOver(status) ? null : target);
}

/** The version of a submission’s dataset, or a dash. Links to the dataset once it exists. */
function VersionLink({ submission }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("submissions");
  const { title, dataset } = submission;
  const version = versionOf(submission);
  if (version === null) return <span className={classes.version}>–</span>;
  const words = t(dataset === null ? "future" : "version", { version: version.version });
  const isThere = dataset !== null || version.version > 1;
  if (!isThere) return <span className={classes.version}>{words}</span>;
  const query = dataset === null ? "" : `?version=${dataset.version}`;
  return (
    <Link
      href={`/datasets/${version.id}${query}`}
      className={classes.version}
      aria-label={t("toDataset", { version: version.version, title: visible(title) })}
    >
      {words}
    </Link>
  );
}

/** The status of a submission, with its progress while it is active. */
function SubmissionStanding({ submission }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("submissions");
  const { count } = useFormats();
  const { status, withdrawn, progress } = submission;
  const { objectsStored, objectsListed, listingComplete } = progress;
  const words = t("progress", { stored: count(objectsStored), listed: count(objectsListed) });
  return (
    <Stack component="span" align="flex-start" gap="0.5rem">
      <StatusBadge status={withdrawn === null ? status : "withdrawn"} />
      {!isOver(status) && listingComplete && objectsListed > 0 && (
        <Progress.Root size={4} w="8rem" title={words}>
          <Progress.Section value={(100 * objectsStored) / objectsListed} aria-label={words} />
        </Progress.Root>
      )}
    </Stack>
  );
}

/** Submissions as cards, for narrow screens. */
export function SubmissionCards({ submissions }: { submissions: readonly SubmissionEntry[] }) {
  const { t } = useTranslation("ui");
  const { count } = useFormats();
  return (
    <ul className={common.list}>
      {submissions.map((submission) => {
        const { objectsListed, bytesListed } = submission.progress;
        return (
          <li key={submission.id} className={classes.card}>
            <TitleLink submission={submission} />
            <SubmissionStanding submission={submission} />
            <span className={classes.facts}>
              <span className={classes.line}>
                {versionOf(submission) !== null && (
                  <span>
                    <VersionLink submission={submission} />
                  </span>
                )}
                <span>{t("objects", { count: objectsListed, shown: count(objectsListed) })}</span>
                <span>
                  <Bytes value={bytesListed} />
                </span>
                <span>
                  <DateTime iso={submission.createdAt} dayOnly />
                </span>
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
