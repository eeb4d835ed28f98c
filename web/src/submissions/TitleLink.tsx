import type { SubmissionEntry } from "@accession/client";
import { isOver } from "@accession/client";
import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useFormats, visible } from "../ui/format.ts";
import { Name } from "../ui/Name.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import classes from "./Submissions.module.css";

/** A link to a submission. It covers the whole row or card. */
export function TitleLink({ submission }: { submission: SubmissionEntry }) {
  const { id, title, source } = submission;
  return (
    <span className={classes.what}>
      <Link href={`/submissions/${id}`} className={classes.title}>
        <Name>{title}</Name>
      </Link>
      <span className={classes.bucket}>{source.bucket}</span>
    </span>
  );
}

/** The dataset version that a submission has created, or will create while it is active. */
export function versionOf({ status, dataset, target }: SubmissionEntry): SubmissionEntry["target"] {
  return dataset ?? (isOver(status) ? null : target);
}

/** The version of a submission’s dataset, or a dash. Links to the dataset once it exists. */
export function VersionLink({ submission }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("submissions");
  const { title, dataset } = submission;
  const version = versionOf(submission);
  if (version === null) return <span className={classes.version}>–</span>;
  const words = t(dataset === null ? "future" : "version", { version: version.version });
  const isThere = dataset !== null || version.version > 1;
  if (!isThere) return <span className={classes.version}>{words}</span>;
  const query = dataset === null ? "" : `?version=${dataset.version}`;
  return (
    <Link
      href={`/datasets/${version.id}${query}`}
      className={classes.version}
      aria-label={t("toDataset", { version: version.version, title: visible(title) })}
    >
      {words}
    </Link>
  );
}

/** The status of a submission, with its progress while it is active. */
export function SubmissionStanding({ submission }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("submissions");
  const { count } = useFormats();
  const { status, withdrawn, progress } = submission;
  const { objectsStored, objectsListed, listingComplete } = progress;
  const words = t("progress", { stored: count(objectsStored), listed: count(objectsListed) });
  return (
    <span className={classes.standing}>
      <StatusBadge status={withdrawn === null ? status : "withdrawn"} />
      {!isOver(status) && listingComplete && objectsListed > 0 && (
        <Progress.Root size={4} w="8rem" title={words}>
          <Progress.Section value={(100 * objectsStored) / objectsListed} aria-label={words} />
        </Progress.Root>
      )}
    </span>
  );
}
