import "./words.ts";
import type { components } from "@accession/client";
import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import formClasses from "../metadata-form/Form.module.css";
import common from "../ui/Common.module.css";
import { DataTable } from "../ui/Section.tsx";
import { useFormats } from "../ui/text/format.ts";
import { KeyName } from "../ui/text/Name.tsx";

type Digests = components["schemas"]["SubmissionDigests"];
type NamedFiles = components["schemas"]["NamedFiles"];

/** The maximum number of missing files to list. */
const NAMED = 10;

const ROWS = ["selected", "notSelected", "missing", "differing", "differingExcluded", "additional"] as const;
/** Rows that are omitted if there are no such files. */
const RARE: readonly string[] = ["notSelected", "differingExcluded"] satisfies (typeof ROWS)[number][];

interface Props {
  digests: Digests;
  /** Shown instead of the number of checksums of a list that is not used, or not yet. */
  unread?: string;
  /** What is shown instead of the comparison while there is none. */
  uncompared: string;
  /** What is known about the compared files. */
  outcome?: string | undefined;
  /** Shown after the names of the missing files. */
  afterMissing?: ReactNode;
}

/** The checksum lists of a submission, and what they show about its files. */
export function ComparedLists({ digests, unread = "", uncompared, outcome, afterMissing }: Props) {
  const { t } = useTranslation("listed");
  const { count } = useFormats();
  // Undefined in the answer of an earlier version of the service.
  const { comparison, unread: unreadLists = [] } = digests;
  const lists = [
    ...digests.lists.map((list) => ({ ...list, read: count(list.entries) })),
    ...unreadLists.map((list) => ({ ...list, read: unread })),
  ];
  return (
    <Stack gap="md" maw="46rem" style={{ overflowWrap: "anywhere" }}>
      <DataTable
        className={common.table}
        label={t("title")}
        columns={[t("list"), t("checksums")]}
        rows={lists.map(({ name, origin, read }, index) => [
          `${index}`,
          <>
            {name === "" ? t("unnamed") : <KeyName>{name}</KeyName>}
            <span className={common.small}>{t(`origin.${origin}`)}</span>
          </>,
          read,
        ])}
      />
      {comparison === null ? (
        <p>{uncompared}</p>
      ) : (
        <>
          <Results digests={digests} comparison={comparison} />
          {outcome !== undefined && <p>{outcome}</p>}
          {comparison.missing.total > 0 && (
            <div>
              <h3 className={common.dimmed}>{t("missing")}</h3>
              <FirstFiles files={comparison.missing} most={NAMED} />
              {afterMissing}
            </div>
          )}
          {comparison.additional.total > 0 && (
            <details className={formClasses.fold}>
              <summary>{t("additional")}</summary>
              <FirstFiles files={comparison.additional} />
            </details>
          )}
        </>
      )}
    </Stack>
  );
}

interface ResultsProps {
  digests: Digests;
  comparison: NonNullable<Digests["comparison"]>;
}

/** The numbers of files. */
function Results({ digests, comparison }: ResultsProps) {
  const { t } = useTranslation("listed");
  const { count } = useFormats();
  const { files, notSelected, missing, additional } = comparison;
  const numbers = {
    selected: files,
    notSelected,
    missing: missing.total,
    differing: openDifferences(digests),
    differingExcluded: digests.differing - openDifferences(digests),
    additional: additional.total,
  };
  return (
    <DataTable
      className={common.table}
      label={t("result")}
      columns={[t("result"), t("files")]}
      rows={ROWS.filter((row) => numbers[row] > 0 || !RARE.includes(row)).map((row) => [
        row,
        t(`rows.${row}`),
        count(numbers[row]),
      ])}
    />
  );
}

/** Number of different files that were not excluded. */
export function openDifferences({ differing, differingExcluded = 0 }: Digests): number {
  return differing - differingExcluded;
}

/** The named files, at most `most` of them, and how many others there are. */
function FirstFiles({ files: { total, keys }, most = keys.length }: { files: NamedFiles; most?: number }) {
  const { t } = useTranslation("listed");
  const { count } = useFormats();
  const shown = keys.slice(0, most);
  return (
    <ul className={`${common.list} ${common.named}`}>
      {shown.map((key) => (
        <li key={key}>
          <KeyName>{key}</KeyName>
        </li>
      ))}
      {total > shown.length && <li>{t("more", { shown: count(total - shown.length) })}</li>}
    </ul>
  );
}
