import type { PublicationQueue } from "@accession/rules";
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { queueCountsQuery, useIsCurator } from "../api/publications.ts";
import { useCaller } from "../api/service.ts";
import common from "../ui/Common.module.css";
import classes from "./Submissions.module.css";

interface Task {
  name: "new" | "mine" | "author" | "approved" | "access" | "failing";
  count: number;
  /** The part of the list that contains it. */
  href: string;
}

/** The parts of the queue that wait for the user, with their numbers. Nothing if nothing waits. */
export function Tasks() {
  const { t } = useTranslation("submissions");
  const { data: counts } = useQuery(queueCountsQuery);
  const owner = useCaller()?.owner;
  const isCurator = useIsCurator();
  if (counts === undefined) return null;
  const listOf = (queue: PublicationQueue) => `/publications?queue=${queue}`;
  // The lists of curators contain the datasets of all owners.
  const ownOf = (queue: PublicationQueue) =>
    isCurator && owner !== undefined ? `${listOf(queue)}&q=${encodeURIComponent(owner)}` : listOf(queue);
  const { own } = counts;
  const reviews: Task[] = [
    { name: "new", count: counts.new, href: listOf("new") },
    { name: "mine", count: counts.reviewing, href: listOf("mine") },
  ];
  const tasks: Task[] = [
    ...(isCurator ? reviews : []),
    { name: "author", count: own.author, href: ownOf("author") },
    { name: "approved", count: own.approved, href: ownOf("approved") },
    { name: "access", count: isCurator ? counts.access : own.access, href: listOf("access") },
    { name: "failing", count: isCurator ? counts.failing : 0, href: listOf("failing") },
  ];
  const waiting = tasks.filter(({ count }) => count > 0);
  if (waiting.length === 0) return null;
  return (
    <section className={classes.tasks} aria-labelledby="tasks">
      <h2 id="tasks">{t("tasks.title")}</h2>
      <ul className={common.list}>
        {waiting.map(({ name, count, href }) => (
          <li key={name}>
            <Anchor component={Link} href={href}>
              {t(`tasks.${name}`, { count })}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
