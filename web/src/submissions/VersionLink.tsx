import type { SubmissionEntry } from "@accession/client";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { visible } from "../ui/visible.ts";
import classes from "./Submissions.module.css";

/** Which version of a dataset a submission became, or is to become; leads to the dataset where there is one. */
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
