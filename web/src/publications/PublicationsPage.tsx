import { PUBLICATION_QUEUES } from "@accession/rules";
import { Anchor, Button, Group, NativeSelect, Skeleton, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import {
  PUBLICATION_SORTS,
  type PublicationFilter,
  type PublicationListEntry,
  publicationsQuery,
  queueCountsQuery,
  useIsCurator,
} from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import { PublicationBadge } from "../publication/PublicationBadge.tsx";
import listClasses from "../submissions/Submissions.module.css";
import common from "../ui/Common.module.css";
import { EmptyState, MoreButton, SearchField } from "../ui/ListParts.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFormats } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import "./words.ts";
import { addressOf, useFilter } from "./filter.ts";
import classes from "./Publications.module.css";
import "../publication/words.ts";

const TYPING_MS = 250;
const DAY_MS = 86_400_000;

/** Loaded on demand, because only curators and admins need it. */
const DifferentDois = lazyLoaded(async () => ({ default: (await import("../dois/dois.ts")).DifferentDois }));

/** The publications that the user may see: for curators those of all owners, for submitters their own. */
export default function PublicationsPage() {
  const { t } = useTranslation("publications");
  const isCurator = useIsCurator();
  const [filter, setFilter] = useFilter();
  const [wanted] = useDebouncedValue(filter, TYPING_MS);
  const found = useInfiniteQuery({ ...publicationsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false });
  const publications = found.data?.pages.flatMap((page) => page.items);
  const Shown = isWide ? PublicationTable : PublicationCards;
  return (
    <Stack gap="lg">
      <PageHeading title={t("publications", { ns: "shell" })} />
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
function Filters({ filter }: { filter: PublicationFilter }) {
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
function Search({ filter, onChange }: { filter: PublicationFilter; onChange: (filter: PublicationFilter) => void }) {
  const { t } = useTranslation("publications");
  return (
    <Group component="search" gap="sm" align="flex-start">
      <SearchField
        label={t("search")}
        detail={t("searchDetail")}
        value={filter.q}
        onChange={(q) => onChange({ ...filter, q })}
      />
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

function None({ filter: { queue, q } }: { filter: PublicationFilter }) {
  const { t } = useTranslation("publications");
  const isCurator = useIsCurator();
  if (queue === undefined && q === "") {
    return (
      <EmptyState title={t("none.all")} detail={t(isCurator ? "none.allCurator" : "none.allDetail")}>
        <Button component={Link} href="/datasets">
          {t("none.datasets")}
        </Button>
      </EmptyState>
    );
  }
  const [title, detail] =
    q === "" && queue !== undefined
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

interface Props {
  publications: readonly PublicationListEntry[];
}

const keyOf = ({ dataset, version }: PublicationListEntry) => `${dataset} ${version}`;

/** What is shown of a publication besides its title, and the width of the column. Cards show the state apart from the rest. */
const COLUMNS = [
  { name: "owner", width: "8rem", Cell: Owner },
  { name: "state", width: "14rem", Cell: State },
  { name: "waiting", width: "9.5rem", Cell: WaitingFor },
  { name: "checks", width: "7.25rem", Cell: Checks },
  { name: "access", width: "8.25rem", Cell: Access },
  { name: "assignee", width: "8.75rem", Cell: Assignee },
] as const;

/** Publications as a table, for wide screens. */
function PublicationTable({ publications }: Props) {
  const { t } = useTranslation("publications");
  return (
    <Table className={listClasses.table} aria-label={t("publications", { ns: "shell" })}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("columns.title")}</Table.Th>
          {COLUMNS.map(({ name, width }) => (
            <Table.Th key={name} w={width}>
              {t(`columns.${name}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {publications.map((publication) => (
          <Table.Tr key={keyOf(publication)} className={listClasses.row}>
            <Table.Td>
              <TitleLink publication={publication} />
            </Table.Td>
            {COLUMNS.map(({ name, Cell }) => (
              <Table.Td key={name} className={classes.cell}>
                <Cell publication={publication} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Publications as cards, for narrow screens. */
function PublicationCards({ publications }: Props) {
  const { t } = useTranslation("publications");
  return (
    <ul className={common.list} aria-label={t("publications", { ns: "shell" })}>
      {publications.map((publication) => (
        <li key={keyOf(publication)} className={listClasses.card}>
          <TitleLink publication={publication} />
          <span>
            <State publication={publication} />
          </span>
          <dl className={classes.facts}>
            {COLUMNS.filter(({ name }) => name !== "state").map(({ name, Cell }) => (
              <div key={name}>
                <dt>{t(`columns.${name}`)}</dt>
                <dd>
                  <Cell publication={publication} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

type OneProps = { publication: PublicationListEntry };

/** A link to the version of the dataset. It covers the whole row or card. */
function TitleLink({ publication: { dataset, version, title, comments } }: OneProps) {
  const { t } = useTranslation("publications");
  const open = comments.total - comments.resolved;
  return (
    <Stack component="span" gap="0.125rem" miw={0}>
      <Link href={`/datasets/${dataset}?version=${version}`} className={listClasses.title}>
        <Name>{title}</Name>
      </Link>
      <span className={common.dimmed}>
        {t("version", { ns: "ui", version })}
        {open > 0 && ` · ${t("openComments", { ns: "dataset", count: open })}`}
      </span>
    </Stack>
  );
}

function Owner({ publication: { owner } }: OneProps) {
  return <Account name={owner} />;
}

function State({ publication: { state, isDelayed } }: OneProps) {
  return <PublicationBadge state={state} isDelayed={isDelayed} />;
}

/** Who must act, and for how many days the publication has been in its state. */
function WaitingFor({ publication: { waitingFor, since, isOverdue, accessRequests } }: OneProps) {
  const { t } = useTranslation("publications");
  const { dateTime } = useFormats();
  const count = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / DAY_MS));
  return (
    <>
      {waitingFor === null && accessRequests === 0 && <div>{t("nothing")}</div>}
      {waitingFor !== null && <div>{t(`waiting.${waitingFor}`)}</div>}
      {accessRequests > 0 && <div>{t("requests", { count: accessRequests })}</div>}
      <div className={common.small}>
        <time dateTime={since} title={dateTime(since)}>
          {count === 0 ? t("today") : t("days", { count })}
        </time>
        {isOverdue && <strong className={classes.overdue}> {t("overdue")}</strong>}
      </div>
    </>
  );
}

/** What the automatic checks found. */
function Checks({ publication: { checks } }: OneProps) {
  const { t } = useTranslation("publications");
  if (checks === null) return <>{t("nothing")}</>;
  const { errors, warnings } = checks;
  if (errors === 0 && warnings === 0) return <>{t("passed")}</>;
  return (
    <>
      {errors > 0 && <div className={classes.overdue}>{t("errors", { count: errors })}</div>}
      {warnings > 0 && <div>{t("warnings", { count: warnings })}</div>}
    </>
  );
}

function Access({ publication: { access, embargoDate } }: OneProps) {
  const { t } = useTranslation("publications");
  const { calendarDay } = useFormats();
  if (access !== "embargoed" || embargoDate === null) return <>{t(`access.${access}`, { ns: "publication" })}</>;
  return <>{t("embargo", { date: calendarDay(embargoDate) })}</>;
}

function Assignee({ publication: { assignee, assigneeIsCurator, state } }: OneProps) {
  const { t } = useTranslation("publications");
  if (assignee !== null) {
    return (
      <>
        <Account name={assignee} />
        {assigneeIsCurator === false && <div className={common.small}>{t("former")}</div>}
      </>
    );
  }
  return (
    <Text span inherit c="dimmed">
      {state === "in_review" ? t("facts.unassigned", { ns: "publication" }) : t("nothing")}
    </Text>
  );
}
