import { Button, Group, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/address.ts";
import { datasetsQuery } from "../api/datasets.ts";
import { useQueryState } from "../api/service.ts";
import common from "../ui/Common.module.css";
import { EmptyState } from "../ui/EmptyState.tsx";
import { MoreButton } from "../ui/MoreButton.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { MOST_LETTERS, SearchField } from "../ui/SearchField.tsx";
import { DatasetRow } from "./DatasetRow.tsx";

const TYPING_MS = 250;

/** Lists all datasets that the user may see, each with its versions. */
export default function DatasetsPage() {
  const { t } = useTranslation("datasets");
  const [params, setParams] = useAddress();
  const q = params.get("q")?.slice(0, MOST_LETTERS) ?? "";
  const [wanted] = useDebouncedValue(q, TYPING_MS);
  const search = (q: string) => setParams(q === "" ? {} : { q }, { replace: true });
  const found = useInfiniteQuery({ ...datasetsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const datasets = found.data?.pages.flatMap((page) => page.items);
  const isEmpty = datasets?.length === 0;
  if (isEmpty && q === "" && wanted === "") return <NoneYet />;
  return (
    <Stack gap="lg">
      <PageHeading title={t("datasets", { ns: "shell" })} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      <Group>
        <SearchField label={t("search")} detail={t("searchDetail", { ns: "ui" })} value={q} onChange={search} />
      </Group>
      {datasets === undefined && <Skeleton height={360} aria-hidden />}
      {isEmpty && (
        <EmptyState title={t("noMatch.title")} detail={t("noMatch.detail")}>
          <Button variant="default" onClick={() => search("")}>
            {t("noMatch.clear")}
          </Button>
        </EmptyState>
      )}
      {datasets !== undefined && !isEmpty && (
        <>
          <VisuallyHidden role="status">{t("shown", { count: datasets.length })}</VisuallyHidden>
          <ul className={common.list}>
            {datasets.map((dataset) => (
              <DatasetRow key={dataset.id} dataset={dataset} />
            ))}
          </ul>
        </>
      )}
      <MoreButton query={found} />
    </Stack>
  );
}

function NoneYet() {
  const { t } = useTranslation("datasets");
  return (
    <Stack gap="lg">
      <PageHeading title={t("datasets", { ns: "shell" })} />
      <EmptyState title={t("none.title")} detail={t("none.detail")}>
        <Button component={Link} href="/new">
          {t("new", { ns: "shell" })}
        </Button>
      </EmptyState>
    </Stack>
  );
}
