import { Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PublicationListEntry } from "../api/publications.ts";
import { Account } from "../publication/Account.tsx";
import { PublicationBadge } from "../publication/PublicationBadge.tsx";
import listClasses from "../submissions/Submissions.module.css";
import common from "../ui/Common.module.css";
import { useFormats } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import "./words.ts";
import "../publication/words.ts";
import classes from "./Publications.module.css";

const DAY_MS = 86_400_000;

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
export function PublicationTable({ publications }: Props) {
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
export function PublicationCards({ publications }: Props) {
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
