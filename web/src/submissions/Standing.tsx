import type { SubmissionEntry } from "@accession/client";
import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { isOver } from "../api/submissions.ts";
import { useFormats } from "../ui/format.ts";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import classes from "./Submissions.module.css";

/** Where a submission stands, and how far it is while it goes on. */
export function Standing({ submission }: { submission: SubmissionEntry }) {
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
