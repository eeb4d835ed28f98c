import type { PublicationQueue } from "@accession/rules";
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { queueCountsQuery, useIsCurator } from "../api/publications.ts";
import common from "../ui/Common.module.css";
import classes from "./Submissions.module.css";

/** What owners and curators are asked for. Reviews of the datasets of others are no task of their owners. */
const TASKS = {
  owner: ["author", "approved", "access"],
  curator: ["new", "mine", "access", "failing"],
} as const satisfies Record<string, readonly PublicationQueue[]>;

/** The parts of the queue that wait for the user, with their numbers. Nothing if nothing waits. */
export function Tasks() {
  const { t } = useTranslation("submissions");
  const { data: counts } = useQuery(queueCountsQuery);
  const queues = TASKS[useIsCurator() ? "curator" : "owner"];
  const waiting = queues.filter((queue) => counts !== undefined && counts[queue] > 0);
  if (counts === undefined || waiting.length === 0) return null;
  return (
    <section className={classes.tasks} aria-labelledby="tasks">
      <h2 id="tasks">{t("tasks.title")}</h2>
      <ul className={common.list}>
        {waiting.map((queue) => (
          <li key={queue}>
            <Anchor component={Link} href={`/publications?queue=${queue}`}>
              {t(`tasks.${queue}`, { count: counts[queue] })}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
