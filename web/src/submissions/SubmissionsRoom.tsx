import { Button, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useStanding } from "../api/standing.ts";
import { submissionsQuery } from "../api/submissions.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { Filters } from "./Filters.tsx";
import { Found } from "./Found.tsx";
import { isEverything, useFilter } from "./filter.ts";
import { NoneYet } from "./NoneYet.tsx";

const TYPING_MS = 250;

/** All submissions that the caller may see. */
export default function SubmissionsRoom() {
  const { t } = useTranslation("submissions");
  const [filter, setFilter] = useFilter();
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  const found = useInfiniteQuery({ ...submissionsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useStanding(found);
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
          <Found
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
