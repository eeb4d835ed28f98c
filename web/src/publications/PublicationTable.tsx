import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PublicationListEntry } from "../api/publications.ts";
import { Account } from "../publication/Account.tsx";
import { PublicationBadge } from "../publication/PublicationBadge.tsx";
import listClasses from "../submissions/Submissions.module.css";
import { Name } from "../ui/Name.tsx";
import { DateTime } from "../ui/Numbers.tsx";
import classes from "./Publications.module.css";

interface Props {
  publications: readonly PublicationListEntry[];
}

const keyOf = ({ dataset, version }: PublicationListEntry) => `${dataset} ${version}`;

/** Publications as a table, for wide screens. */
export function PublicationTable({ publications }: Props) {
  const { t } = useTranslation("publications");
  return (
    <Table className={listClasses.table} aria-label={t("title")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("columns.title")}</Table.Th>
          <Table.Th w="8rem">{t("columns.owner")}</Table.Th>
          <Table.Th w="13rem">{t("columns.state")}</Table.Th>
          <Table.Th w="8rem">{t("columns.waiting")}</Table.Th>
          <Table.Th w="10.5rem">{t("columns.since")}</Table.Th>
          <Table.Th w="8rem">{t("columns.assignee")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {publications.map((publication) => (
          <Table.Tr key={keyOf(publication)} className={listClasses.row}>
            <Table.Td>
              <TitleLink publication={publication} />
            </Table.Td>
            <Table.Td className={classes.name}>
              <Account name={publication.owner} />
            </Table.Td>
            <Table.Td>
              <State publication={publication} />
            </Table.Td>
            <Table.Td>
              <WaitingFor publication={publication} />
            </Table.Td>
            <Table.Td className={classes.since}>
              <DateTime iso={publication.since} />
            </Table.Td>
            <Table.Td className={classes.name}>
              <Assignee publication={publication} />
            </Table.Td>
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
    <ul className={listClasses.cards} aria-label={t("title")}>
      {publications.map((publication) => (
        <li key={keyOf(publication)} className={listClasses.card}>
          <TitleLink publication={publication} />
          <span>
            <State publication={publication} />
          </span>
          <dl className={classes.facts}>
            <div>
              <dt>{t("columns.owner")}</dt>
              <dd>
                <Account name={publication.owner} />
              </dd>
            </div>
            <div>
              <dt>{t("columns.waiting")}</dt>
              <dd>
                <WaitingFor publication={publication} />
              </dd>
            </div>
            <div>
              <dt>{t("columns.since")}</dt>
              <dd>
                <DateTime iso={publication.since} />
              </dd>
            </div>
            <div>
              <dt>{t("columns.assignee")}</dt>
              <dd>
                <Assignee publication={publication} />
              </dd>
            </div>
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
    <span className={listClasses.what}>
      <Link href={`/datasets/${dataset}?version=${version}`} className={listClasses.title}>
        <Name>{title}</Name>
      </Link>
      <span className={classes.version}>{t("version", { version })}</span>
    </span>
  );
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
  return <span className={classes.none}>{t(state === "in_review" ? "unassigned" : "nothing")}</span>;
}
