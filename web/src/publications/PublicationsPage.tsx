import { PUBLICATION_QUEUES } from "@accession/rules";
import { Anchor, Button, Group, NativeSelect, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { PUBLICATION_SORTS, publicationsQuery, queueCountsQuery, useIsCurator } from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import { EmptyState, MoreButton, SearchField } from "../ui/ListParts.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFormats } from "../ui/text/format.ts";
import "./words.ts";
import { CollectionSelect, useChosenCollections } from "./CollectionSelect.tsx";
import { addressOf, type ListFilter, useFilter } from "./filter.ts";
import classes from "./Publications.module.css";
import { PublicationCards, PublicationTable } from "./PublicationTable.tsx";

const TYPING_MS = 250;

/** Loaded on demand, because only curators and admins need it. */
const DifferentDois = lazyLoaded(async () => ({ default: (await import("../dois/dois.ts")).DifferentDois }));

/** The publications that the user may see: for curators those of all owners, for submitters their own. */
export default function PublicationsPage() {
  const { t } = useTranslation("publications");
  const isCurator = useIsCurator();
  const [filter, setFilter] = useFilter();
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  const collections = useChosenCollections(wanted.collection);
  const found = useInfiniteQuery({
    ...publicationsQuery({ ...wanted, collections }),
    placeholderData: keepPreviousData,
  });
  const trouble = useQueryState(found);
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false });
  const publications = found.data?.pages.flatMap((page) => page.items);
  const Shown = isWide ? PublicationTable : PublicationCards;
  return (
    <Stack gap="lg">
      <PageHeading title={t("publications", { ns: "shell" })}>
        {isCurator && (
          <Anchor component={Link} href="/collections">
            {t("collection.pages")}
          </Anchor>
        )}
      </PageHeading>
      {isCurator && <DifferentDois />}
      <Filters filter={filter} />
      <Search filter={filter} onChange={setFilter} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {publications === undefined && trouble === undefined && <Skeleton height={360} aria-hidden />}
      {publications?.length === 0 && !found.isPlaceholderData && <None filter={wanted} />}
      {publications !== undefined && publications.length > 0 && (
        <>
          <VisuallyHidden role="status">{t("shown", { count: publications.length })}</VisuallyHidden>
          <Shown publications={publications} />
        </>
      )}
      <MoreButton query={found} />
    </Stack>
  );
}

/** Links to the parts of the list. Only curators are assigned. */
function Filters({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation("publications");
  const isCurator = useIsCurator();
  const chosen = filter.queue;
  const { data: counts } = useQuery(queueCountsQuery);
  const offered = PUBLICATION_QUEUES.filter((queue) => isCurator || queue !== "mine" || chosen === "mine");
  return (
    <nav aria-label={t("filters.label")} className={classes.filters}>
      <Link href={addressOf({ ...filter, queue: undefined })} aria-current={chosen === undefined ? "page" : undefined}>
        {t("filters.all")}
      </Link>
      {offered.map((queue) => (
        <Link key={queue} href={addressOf({ ...filter, queue })} aria-current={chosen === queue ? "page" : undefined}>
          <Counted name={t(`filters.${queue}`)} count={counts?.[queue]} />
        </Link>
      ))}
    </nav>
  );
}

/** The name of a part of the list and, once it is known, the number of its entries. */
function Counted({ name, count = 0 }: { name: string; count: number | undefined }) {
  const formats = useFormats();
  return (
    <>
      {name}
      {count > 0 && <span className={classes.count}> {formats.count(count)}</span>}
    </>
  );
}

/** The search field and the sort order. */
function Search({ filter, onChange }: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { t } = useTranslation("publications");
  return (
    <Group component="search" gap="sm" align="flex-start">
      <SearchField
        label={t("search")}
        detail={t("searchDetail")}
        value={filter.q}
        onChange={(q) => onChange({ ...filter, q })}
      />
      <CollectionSelect value={filter.collection} onChange={(collection) => onChange({ ...filter, collection })} />
      <NativeSelect
        aria-label={t("sort.label")}
        value={filter.sort}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, sort: PUBLICATION_SORTS.find((one) => one === currentTarget.value) ?? filter.sort })
        }
        data={PUBLICATION_SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
      />
    </Group>
  );
}

function None({ filter: { queue, q, collection } }: { filter: ListFilter }) {
  const { t } = useTranslation("publications");
  const isCurator = useIsCurator();
  if (queue === undefined && q === "" && collection === "") {
    return (
      <EmptyState title={t("none.all")} detail={t(isCurator ? "none.allCurator" : "none.allDetail")}>
        <Button component={Link} href="/datasets">
          {t("none.datasets")}
        </Button>
      </EmptyState>
    );
  }
  const [title, detail] =
    q === "" && collection === "" && queue !== undefined
      ? [t("none.filtered"), t(`none.${queue}`)]
      : [t("none.search"), t("none.searchDetail")];
  return (
    <EmptyState title={title} detail={detail}>
      <Anchor component={Link} href="/publications">
        {t("none.clear")}
      </Anchor>
    </EmptyState>
  );
}
