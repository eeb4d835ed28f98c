import type { SubmissionEntry } from "@accession/client";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { visible } from "../ui/visible.ts";
import classes from "./Submissions.module.css";

/** The dataset version that a submission creates. Links to the dataset once it exists. */
export function VersionLink({ submission: { title, dataset, target } }: { submission: SubmissionEntry }) {
  const { t } = useTranslation("submissions");
  const version = dataset ?? target;
  if (version === null) return null;
  const words = t("version", { version: version.version });
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
