import type { SubmissionEntry } from "@accession/client";
import { Button, Center, NativeSelect, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Sort } from "../api/submissions.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { SORTS } from "./filter.ts";
import { SubmissionCards } from "./SubmissionCards.tsx";
import { SubmissionTable } from "./SubmissionTable.tsx";

interface Props {
  /** Undefined until the service has answered. */
  submissions: readonly SubmissionEntry[] | undefined;
  hasMore: boolean;
  isFetchingMore: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onMore: () => void;
  onClear: () => void;
}

/** The submissions that were found: a table, or cards on narrow screens. */
export function SubmissionResults({ submissions, hasMore, isFetchingMore, sort, onSort, onMore, onClear }: Props) {
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
      {hasMore && (
        <Center>
          <BusyButton variant="default" isBusy={isFetchingMore} onClick={onMore}>
            {t("more")}
          </BusyButton>
        </Center>
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
