import type { SubmissionEntry } from "@accession/client";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { Bytes, DateTime } from "../ui/Numbers.tsx";
import classes from "./Submissions.module.css";
import { SubmissionStanding, TitleLink, VersionLink, versionOf } from "./TitleLink.tsx";

/** Submissions as cards, for narrow screens. */
export function SubmissionCards({ submissions }: { submissions: readonly SubmissionEntry[] }) {
  const { t } = useTranslation("ui");
  const { count } = useFormats();
  return (
    <ul className={classes.cards}>
      {submissions.map((submission) => {
        const { objectsListed, bytesListed } = submission.progress;
        return (
          <li key={submission.id} className={classes.card}>
            <TitleLink submission={submission} />
            <SubmissionStanding submission={submission} />
            <span className={classes.facts}>
              <span className={classes.line}>
                {versionOf(submission) !== null && (
                  <span>
                    <VersionLink submission={submission} />
                  </span>
                )}
                <span>{t("objects", { count: objectsListed, shown: count(objectsListed) })}</span>
                <span>
                  <Bytes value={bytesListed} />
                </span>
                <span>
                  <DateTime iso={submission.createdAt} dayOnly />
                </span>
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
