import type { SubmissionEvent } from "@accession/client";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import classes from "./Log.module.css";
import { usePlainWords } from "./plain.ts";

/** Everything that happened, newest first. */
export function Log({ events }: { events: readonly SubmissionEvent[] }) {
  const { t } = useTranslation("submission");
  const { moment, exact } = useFormats();
  const plain = usePlainWords();
  if (events.length === 0) return <Text c="dimmed">{t("log.none")}</Text>;
  return (
    <ol className={classes.log} aria-label={t("log.label")} reversed>
      {events.toReversed().map((event, index, all) => {
        const { words, reason, detail } = plain(event);
        const begins = event.attempt > 1 && all[index + 1]?.attempt !== event.attempt;
        return (
          <li key={event.id} className={classes.event}>
            <time dateTime={event.at} title={exact(event.at)}>
              {moment(event.at)}
            </time>
            <div>
              <p>{begins ? `${t("log.attempt", { attempt: event.attempt })}: ${words}` : words}</p>
              {reason !== undefined && (
                <p className={classes.detail}>
                  {t("log.because")} <bdi>{reason}</bdi>
                </p>
              )}
              {detail !== undefined && (
                <p className={classes.detail} lang="en">
                  {detail}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
