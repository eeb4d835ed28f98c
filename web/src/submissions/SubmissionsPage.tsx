import type { SubmissionEntry } from "@accession/client";
import { Button, Group, List, NativeSelect, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useMaySubmit, usePublishes, useQueryState } from "../api/service.ts";
import { type Sort, type SubmissionFilter, submissionsQuery } from "../api/submissions.ts";
import { EmptyState, MoreButton, SearchField } from "../ui/ListParts.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { isEverything, SORTS, STATUSES, useFilter } from "./filter.ts";
import { SubmissionCards, SubmissionTable } from "./SubmissionTable.tsx";
import { Tasks } from "./Tasks.tsx";

const TYPING_MS = 250;

/** The list of submissions that the caller may view. */
export default function SubmissionsPage() {
  const { t } = useTranslation("submissions");
  const [filter, setFilter] = useFilter();
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  const found = useInfiniteQuery({ ...submissionsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const submissions = found.data?.pages.flatMap((page) => page.items);
  const maySubmit = useMaySubmit();
  const publishes = usePublishes();
  const hasNone = submissions?.length === 0 && isEverything(filter) && isEverything(wanted);
  return (
    <Stack gap="lg">
      <PageHeading title={t("submissions", { ns: "shell" })}>
        {!hasNone && maySubmit && (
          <Button component={Link} href="/new">
            {t("new", { ns: "shell" })}
          </Button>
        )}
      </PageHeading>
      {publishes && <Tasks />}
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {hasNone ? (
        <NoneYet />
      ) : (
        <>
          <Filters filter={filter} onChange={setFilter} />
          <SubmissionResults
            submissions={submissions}
            sort={filter.sort}
            onSort={(sort) => setFilter({ ...filter, sort })}
            onClear={() => setFilter({ ...filter, q: "", status: undefined })}
          />
          <MoreButton query={found} />
        </>
      )}
    </Stack>
  );
}

/** Shown before the first submission: the purpose of the service, and the first steps. */
function NoneYet() {
  const { t } = useTranslation("submissions");
  if (!useMaySubmit()) return <EmptyState title={t("none.title")} detail={t("none.readers")} />;
  return (
    <EmptyState title={t("none.title")} detail={t("none.detail")}>
      <List type="ordered" spacing="xs" pl="lg">
        {t("none.steps", { returnObjects: true }).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Button component={Link} href="/new" mt="sm">
        {t("new", { ns: "shell" })}
      </Button>
    </EmptyState>
  );
}

/** The search field and the choice of a status. */
function Filters({ filter, onChange }: { filter: SubmissionFilter; onChange: (filter: SubmissionFilter) => void }) {
  const { t } = useTranslation("submissions");
  const statuses = STATUSES.map((value) => ({ value, label: t(`status.${value}`, { ns: "ui" }) }));
  return (
    <Group component="search" gap="sm" align="flex-start">
      <SearchField
        label={t("search")}
        detail={t("searchDetail", { ns: "ui" })}
        value={filter.q}
        onChange={(q) => onChange({ ...filter, q })}
      />
      <NativeSelect
        aria-label={t("status")}
        value={filter.status ?? ""}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, status: STATUSES.find((one) => one === currentTarget.value) })
        }
        data={[{ value: "", label: t("files.all", { ns: "submission" }) }, ...statuses]}
      />
    </Group>
  );
}

interface ResultsProps {
  /** Undefined until the service has answered. */
  submissions: readonly SubmissionEntry[] | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onClear: () => void;
}

/** The submissions that were found: a table, or cards on narrow screens. */
function SubmissionResults({ submissions, sort, onSort, onClear }: ResultsProps) {
  const { t } = useTranslation("submissions");
  const isWide = useMediaQuery("(min-width: 48em)", undefined, { getInitialValueInEffect: false });
  if (submissions === undefined) return <Waiting />;
  if (submissions.length === 0) {
    return (
      <EmptyState title={t("noMatch.title")} detail={t("noMatch.detail")}>
        <Button variant="default" onClick={onClear}>
          {t("noMatch.clear")}
        </Button>
      </EmptyState>
    );
  }
  return (
    <>
      <VisuallyHidden role="status">{t("shown", { count: submissions.length })}</VisuallyHidden>
      {isWide ? (
        <SubmissionTable submissions={submissions} sort={sort} onSort={onSort} />
      ) : (
        <>
          <SortChoice sort={sort} onSort={onSort} />
          <SubmissionCards submissions={submissions} />
        </>
      )}
    </>
  );
}

function Waiting() {
  return (
    <Stack gap={1} aria-busy aria-hidden>
      {["a", "b", "c", "d", "e"].map((row) => (
        <Skeleton key={row} height={72} radius={0} />
      ))}
    </Stack>
  );
}

/** The sort order, for narrow screens without column headers. */
function SortChoice({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const { t } = useTranslation("submissions");
  return (
    <NativeSelect
      label={t("sort.label")}
      value={sort}
      onChange={({ currentTarget }) => onSort(SORTS.find((one) => one === currentTarget.value) ?? sort)}
      data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
    />
  );
}
