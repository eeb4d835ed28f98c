import { Button, Group, List, NativeSelect, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useQueryState } from "../api/service.ts";
import type { SubmissionFilter } from "../api/submissions.ts";
import { submissionsQuery } from "../api/submissions.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { SearchField } from "../ui/SearchField.tsx";
import { isEverything, STATUSES, useFilter } from "./filter.ts";
import { SubmissionResults } from "./SubmissionResults.tsx";

interface Props {
  filter: SubmissionFilter;
  onChange: (filter: SubmissionFilter) => void;
}

const TYPING_MS = 250;

/** The list of submissions that the caller may view. */
export default function SubmissionsPage() {
  const { t } = useTranslation("submissions");
  const [filter, setFilter] = useFilter();
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  const found = useInfiniteQuery({ ...submissionsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const submissions = found.data?.pages.flatMap((page) => page.submissions);
  const hasNone = submissions?.length === 0 && isEverything(filter) && isEverything(wanted);
  return (
    <Stack gap="lg">
      <PageHeading title={t("title")}>
        {!hasNone && (
          <Button component={Link} href="/new">
            {t("new")}
          </Button>
        )}
      </PageHeading>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {hasNone ? (
        <NoneYet />
      ) : (
        <>
          <Filters filter={filter} onChange={setFilter} />
          <SubmissionResults
            submissions={submissions}
            hasMore={found.hasNextPage}
            isFetchingMore={found.isFetchingNextPage}
            onMore={() => void found.fetchNextPage()}
            sort={filter.sort}
            onSort={(sort) => setFilter({ ...filter, sort })}
            onClear={() => setFilter({ ...filter, q: "", status: undefined })}
          />
        </>
      )}
    </Stack>
  );
}

/** Shown before the first submission: the purpose of the service, and the first steps. */
function NoneYet() {
  const { t } = useTranslation("submissions");
  return (
    <EmptyState title={t("none.title")} detail={t("none.detail")}>
      <List type="ordered" spacing="xs" pl="lg">
        {t("none.steps", { returnObjects: true }).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Button component={Link} href="/new" mt="sm">
        {t("none.start")}
      </Button>
    </EmptyState>
  );
}

/** The search field and the choice of a status. */
function Filters({ filter, onChange }: Props) {
  const { t } = useTranslation("submissions");
  const { t: ui } = useTranslation("ui");
  const statuses = STATUSES.map((value) => ({ value, label: ui(`status.${value}`) }));
  return (
    <Group component="search" gap="sm" align="flex-start">
      <SearchField
        label={t("search")}
        detail={t("searchDetail")}
        value={filter.q}
        onChange={(q) => onChange({ ...filter, q })}
      />
      <NativeSelect
        aria-label={t("status")}
        value={filter.status ?? ""}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, status: STATUSES.find((one) => one === currentTarget.value) })
        }
        data={[{ value: "", label: t("all") }, ...statuses]}
      />
    </Group>
  );
}
