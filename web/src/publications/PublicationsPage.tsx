import { PUBLICATION_QUEUES, type PublicationQueue } from "@accession/rules";
import { Anchor, Button, Skeleton, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/browser/address.ts";
import { type PublicationListEntry, publicationsQuery } from "../api/publications.ts";
import { useCaller, useQueryState } from "../api/service.ts";
import { Account } from "../publication/Account.tsx";
import { PublicationBadge } from "../publication/PublicationBadge.tsx";
import listClasses from "../submissions/Submissions.module.css";
import common from "../ui/Common.module.css";
import { EmptyState, MoreButton } from "../ui/ListParts.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Name } from "../ui/text/Name.tsx";
import { DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Publications.module.css";
import "../publication/words.ts";

/** The publications that the user may see: for curators those of all owners, for submitters their own. */
export default function PublicationsPage() {
  const { t } = useTranslation("publications");
  const [params] = useAddress();
  const queue = PUBLICATION_QUEUES.find((one) => one === params.get("queue"));
  const found = useInfiniteQuery({ ...publicationsQuery(queue), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false });
  const publications = found.data?.pages.flatMap((page) => page.items);
  const Shown = isWide ? PublicationTable : PublicationCards;
  return (
    <Stack gap="lg">
      <PageHeading title={t("publications", { ns: "shell" })} />
      <Filters chosen={queue} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {publications === undefined && trouble === undefined && <Skeleton height={360} aria-hidden />}
      {publications?.length === 0 && !found.isPlaceholderData && <None queue={queue} />}
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
function Filters({ chosen }: { chosen: PublicationQueue | undefined }) {
  const { t } = useTranslation("publications");
  const roles = useCaller()?.roles ?? [];
  const isCurator = roles.includes("curator") || roles.includes("admin");
  const offered = PUBLICATION_QUEUES.filter((queue) => isCurator || queue !== "mine" || chosen === "mine");
  return (
    <nav aria-label={t("filters.label")} className={classes.filters}>
      <Link href="/publications" aria-current={chosen === undefined ? "page" : undefined}>
        {t("filters.all")}
      </Link>
      {offered.map((queue) => (
        <Link key={queue} href={`/publications?queue=${queue}`} aria-current={chosen === queue ? "page" : undefined}>
          {t(`filters.${queue}`)}
        </Link>
      ))}
    </nav>
  );
}

function None({ queue }: { queue: PublicationQueue | undefined }) {
  const { t } = useTranslation("publications");
  if (queue === undefined) {
    return (
      <EmptyState title={t("none.all")} detail={t("none.allDetail")}>
        <Button component={Link} href="/datasets">
          {t("none.datasets")}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("none.filtered")} detail={t(`none.${queue}`)}>
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
  { name: "state", width: "13rem", Cell: State },
  { name: "waiting", width: "8rem", Cell: WaitingFor },
  { name: "since", width: "10.5rem", Cell: Since },
  { name: "assignee", width: "8rem", Cell: Assignee },
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
function TitleLink({ publication: { dataset, version, title } }: OneProps) {
  const { t } = useTranslation("publications");
  return (
    <Stack component="span" gap="0.125rem" miw={0}>
      <Link href={`/datasets/${dataset}?version=${version}`} className={listClasses.title}>
        <Name>{title}</Name>
      </Link>
      <span className={common.dimmed}>{t("version", { ns: "ui", version })}</span>
    </Stack>
  );
}

function Owner({ publication: { owner } }: OneProps) {
  return <Account name={owner} />;
}

function Since({ publication: { since } }: OneProps) {
  return <DateTime iso={since} />;
}

function State({ publication: { state, problem } }: OneProps) {
  return <PublicationBadge state={state} isDelayed={problem !== null} />;
}

function WaitingFor({ publication: { waitingFor } }: OneProps) {
  const { t } = useTranslation("publications");
  return <>{waitingFor === null ? t("nothing") : t(`waiting.${waitingFor}`)}</>;
}

function Assignee({ publication: { assignee, state } }: OneProps) {
  const { t } = useTranslation("publications");
  if (assignee !== null) return <Account name={assignee} />;
  return (
    <Text span inherit c="dimmed">
      {state === "in_review" ? t("facts.unassigned", { ns: "publication" }) : t("nothing")}
    </Text>
  );
}
